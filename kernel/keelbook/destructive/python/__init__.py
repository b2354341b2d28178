"""The Python reader: cells as IPython runs them, names followed to what they stand for.

A cell's magics go to the reader of their language, the rest is parsed and walked in order; calls
are judged by the dotted name they resolve to, or by a method's name where that says enough.
"""
