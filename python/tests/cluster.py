"""What tests do to a cluster of dask."""

import os
import signal
import time


def kill_a_worker(client, name, least):
    """Kills a worker that holds a result of a kind, as soon as there are so many of them."""
    deadline = time.monotonic() + 60
    while len(held := {key: who for key, who in client.who_has().items() if name in str(key) and who}) < least:
        assert time.monotonic() < deadline, f"no worker holds {least} results {name}"
        time.sleep(0.02)
    worker = next(iter(held.values()))[0]
    os.kill(client.run(os.getpid, workers=[worker])[worker], signal.SIGKILL)
