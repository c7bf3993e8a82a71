"""Settings for all tests."""

import signal

from hypothesis import HealthCheck, settings

# The same examples in every run: a red test then tells of the change and not of luck.
settings.register_profile(
    "cuberails", deadline=None, derandomize=True, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("cuberails")

# A shell that starts the tests in the background has them ignore Ctrl-C, and so would every program that they start.
signal.signal(signal.SIGINT, signal.default_int_handler)
