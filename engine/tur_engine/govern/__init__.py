"""Human governance: keys, signed statements, proposals, approvals (CONTRACTS 6).

Agents' side: `verify`, `proposing`, `statement`. What can sign (`keys`, `signer`, `sealing`) is imported by governor.py
and its parts in `governing/` alone.
"""
