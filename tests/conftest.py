"""Settings for all tests."""

from hypothesis import HealthCheck, settings

# The same examples in every run: a red test then tells of the change and not of luck.
settings.register_profile(
    "cuberails", deadline=None, derandomize=True, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("cuberails")
