"""The embedder: texts to unit vectors (all-MiniLM-L6-v2, int8 ONNX, 384 numbers).

Each text runs alone: dynamic int8 scales its activations by the whole batch, so company would change a text's vector.
"""

from __future__ import annotations

import os
import threading
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ..models import manifest, model_file, sha256
from ..text import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

DIMENSIONS = 384
MAX_TOKENS = 256
THREADS = 2
"""Threads of one model. One of several processes that share the cores sets it to 1 before the model loads."""
PACKED = True
"""Whether weights are laid out anew for the processor. One that reads a few texts and ends sets it to False before the
model loads: that takes as long as a dozen readings, and spares a fifth of each."""


_LINEAR_ALGEBRA = "OPENBLAS_NUM_THREADS"
_UNTOLD = "ORT_DISABLE_TELEMETRY"


class Embedder:
    """Turns texts into vectors. The weights load at the first `embed`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._session: Any = None
        self._tokenizer: Any = None

    @classmethod
    def load(cls) -> Embedder:
        """Return the embedder of this process. Raises ModelMissing, IntegrityFailure at the first `embed`."""
        return _shared()

    @property
    def model_sha256(self) -> str:
        """SHA-256 of the weights: vectors of two models never mix."""
        return sha256("embedder", "model.onnx")

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return float32 [n, 384], unit length. Text beyond 256 word pieces is cut."""
        import numpy as np

        session, tokenizer = self._ready()
        vectors = np.zeros((len(texts), DIMENSIONS), dtype=np.float32)
        for row, encoded in enumerate(tokenizer.encode_batch([readable(text) for text in texts])):
            ids = np.asarray([encoded.ids], dtype=np.int64)
            vectors[row] = session.run(None, {"input_ids": ids, "attention_mask": np.ones_like(ids)})[0][0]
        return vectors

    def warm(self) -> None:
        """Load the weights now."""
        self._ready()

    def _ready(self) -> tuple[Any, Any]:
        with self._lock:
            if self._session is None:
                self._tokenizer = open_tokenizer("embedder", MAX_TOKENS)
                self._session = open_session("embedder")
            return self._session, self._tokenizer


def quantise(vectors: Vectors) -> list[bytes]:
    """Return one int8 body of 384 bytes a vector: unit length mapped to 127."""
    import numpy as np

    scaled = np.clip(np.rint(np.asarray(vectors, dtype=np.float32) * 127.0), -127, 127).astype(np.int8)
    return [row.tobytes() for row in scaled.reshape(-1, scaled.shape[-1])]


def restore(bodies: Sequence[bytes]) -> Vectors:
    """Return float32 unit vectors [n, 384] from int8 bodies."""
    import numpy as np

    vectors = np.frombuffer(b"".join(bodies), dtype=np.int8).reshape(len(bodies), -1).astype(np.float32)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    restored: Vectors = (vectors / np.maximum(lengths, 1e-9)).astype(np.float32)
    return restored


def readable(text: str) -> str:
    """Return what a model is given: the text itself, or its folded form where letters could hide words."""
    return text if text.isascii() else fold(text)


def import_runtime() -> None:
    """Import what the models run on. Two threads that import wait for each other, two that load do not.

    numpy only carries tensors here: the threads that its linear algebra starts at import are left out. onnxruntime
    would keep a device number in the home folder and send what it counts; it listens to nothing but this variable.
    """
    os.environ.setdefault(_LINEAR_ALGEBRA, "1")
    os.environ[_UNTOLD] = "1"
    import numpy
    import onnxruntime
    import tokenizers

    _ = numpy, onnxruntime, tokenizers


@lru_cache(maxsize=4)
def open_tokenizer(room: str, limit: int) -> Any:
    """Return the room's tokenizer with padding off and our own truncation; models of one room share it."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(model_file(room, "tokenizer.json")))
    tokenizer.no_padding()
    tokenizer.enable_truncation(limit)
    return tokenizer


def open_session(room: str) -> Any:
    """Return an ONNX session on THREADS threads. The files are optimised already (`tools/train_judge/fuse.py`).

    Weights that stand beside the graph (`tools/train_judge/apart.py`) are checked too.
    """
    import_runtime()
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = THREADS
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Threads that wait asleep: on a busy machine those that spin take the time from the one that works.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    # Without it, processors that lack VNNI add int8 products up past 16 bits, saturate, and answer otherwise.
    options.add_session_config_entry("session.x64quantprecision", "1")
    options.add_session_config_entry("session.disable_prepacking", "0" if PACKED else "1")
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    path = model_file(room, "model.onnx")
    if (beside := path.with_suffix(".bin").name) in manifest()[room]:
        model_file(room, beside)
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


@lru_cache(maxsize=1)
def _shared() -> Embedder:
    return Embedder()
