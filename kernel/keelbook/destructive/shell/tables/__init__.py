"""The tables of tools, by kind. Data only; ``rules`` says how a line is written."""
