"""Pure drawing: words, wrapping, the word diff, and the belief graph on a grid of characters."""
