"""Does it clash? Evidence for each pair, then a calibrated verdict."""
