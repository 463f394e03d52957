"""The parts of the humans' facade, one idea a file; `governor.Governor` joins them."""
