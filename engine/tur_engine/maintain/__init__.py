"""Truth maintenance: what a verb changes, what falls with it, and how it is taken back."""
