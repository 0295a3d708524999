"""Settings: arcade without a screen; hypothesis without a deadline, as machines may be busy, and with what to paste to
repeat a failure.
"""

import os

from hypothesis import settings

os.environ.setdefault("ARCADE_HEADLESS", "True")
settings.register_profile("project", deadline=None, print_blob=True)
settings.load_profile("project")
