"""The Jupyter edge: kernel, display, wire, magics and the launcher. Importing it imports nothing."""
