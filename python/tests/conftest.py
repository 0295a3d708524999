"""Settings: arcade without a screen; hypothesis without a deadline, as machines may be busy, and with what to paste to
repeat a failure. And the cluster that tests of tiles share.
"""

import os

import pytest
from hypothesis import settings

os.environ.setdefault("ARCADE_HEADLESS", "True")
settings.register_profile("project", deadline=None, print_blob=True)
settings.load_profile("project")


@pytest.fixture(scope="session")
def client():
    from distributed import Client, LocalCluster

    with LocalCluster(n_workers=8, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        yield client
