"""How a scan's findings are told to other programs: JSON, GitHub annotations, SARIF."""
