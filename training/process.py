"""Training and measuring in a process of its own.

Stanza trains with the generators of random numbers that a process has once (Python's, numpy's and torch's), prints,
and sets levels of loggers. In a process of its own that reaches no thread of the caller, and none of them reaches
the training, whose models are the same bytes whatever the caller does meanwhile.

Messages are pickled values: the call to the process, then from it a report at a time, each answered before it goes
on, and last the result or the error.
"""

from __future__ import annotations

import importlib
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import IO, Any

from jperrant.core.errors import WorkerError

_REPORT, _RESULT, _ERROR = "report", "result", "error"


def call_in_process(
    function: Callable[..., Any], *arguments: Any, report: Callable[..., Any] | None = None
) -> Any:
    """Call a function in a new process and return what it returns.

    Args:
        function: Of a module; its last argument is a function that reports.
        arguments: What it is given before that; picklable.
        report: Called here with what the function reports; an exception ends the process at once.

    Raises:
        WorkerError: The process ended without a result, such as for lack of memory.
    """
    path = os.pathsep.join(folder for folder in sys.path if folder)
    # Sets of strings are ordered by a seed; vocabularies are made of them.
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "0"}
    command = [sys.executable, "-W", "ignore", "-m", __name__]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            _send(process.stdin, (function.__module__, function.__qualname__, arguments))
            while True:
                kind, value = _received(process.stdout)
                if kind == _RESULT:
                    return value
                if kind == _ERROR:
                    raise value
                if report is not None:
                    report(*value)
                _send(process.stdin, None)
        except (EOFError, BrokenPipeError):
            raise WorkerError(
                f"the process of {function.__name__} ended without a result (exit code {process.wait()}); "
                "a call with the same arguments goes on where it was"
            ) from None
        finally:
            process.kill()


def _send(stream: IO[bytes], message: Any) -> None:
    pickle.dump(message, stream)
    stream.flush()


def _received(stream: IO[bytes]) -> Any:
    return pickle.load(stream)


def _answer(requests: IO[bytes], answers: IO[bytes]) -> None:
    """Serve one call."""
    module, name, arguments = _received(requests)
    answered = threading.Semaphore(0)

    def listen() -> None:
        try:
            while True:
                _received(requests)
                answered.release()
        except EOFError:
            os._exit(1)  # the caller is gone

    threading.Thread(target=listen, daemon=True).start()

    def report(*values: Any) -> None:
        _send(answers, (_REPORT, values))
        answered.acquire()

    try:
        _send(answers, (_RESULT, getattr(importlib.import_module(module), name)(*arguments, report)))
    except Exception as error:
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:
            error = WorkerError(f"{type(error).__name__}: {error}")
        _send(answers, (_ERROR, error))


def _main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the caller ends this process
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "r+") as nowhere:  # noqa: PTH123 - Stanza's data preparation prints
        os.dup2(nowhere.fileno(), 0)
        os.dup2(nowhere.fileno(), 1)
    _answer(requests, answers)


if __name__ == "__main__":
    _main()
