"""Settings of hypothesis: no deadline, as machines may be busy, and what to paste to repeat a failure."""

from hypothesis import settings

settings.register_profile("project", deadline=None, print_blob=True)
settings.load_profile("project")
