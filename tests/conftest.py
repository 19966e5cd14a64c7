"""What all tests share: how hypothesis draws its examples."""

import os

from hypothesis import settings

# A submission is judged by the same examples every time; at home every run explores others.
settings.register_profile("steady", derandomize=True, database=None, deadline=None)
settings.register_profile("explore", deadline=None)
settings.load_profile("steady" if os.environ.get("CI") else "explore")
