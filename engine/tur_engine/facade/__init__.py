"""The agents' facade in parts, one idea a file; `engine.Engine` joins them."""
