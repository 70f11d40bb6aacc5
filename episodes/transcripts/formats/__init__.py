"""One module per format: `read_…(text, remarks)` gives what was spoken, `write_…` gives text."""
