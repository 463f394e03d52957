"""The graph of what is believed and why, as views on the ledger."""
