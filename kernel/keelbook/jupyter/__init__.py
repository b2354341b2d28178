"""The Jupyter edge: kernel, display, wire, magics, launcher. Importing it imports nothing."""
