"""`tur-mcp`: the gate for harnesses, over the Model Context Protocol."""
