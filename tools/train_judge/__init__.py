"""Trains, quantises and measures the pair judge (`engine/tur_engine/models/judge`). See README.md."""
