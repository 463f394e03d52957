"""Which memories could the newcomer clash with? Words, vectors, exact names; fused."""
