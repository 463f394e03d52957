"""The version, as a constant: `--version` must answer before anything heavy is imported."""

__version__ = "0.1.0"
