"""The clock of the benchmarks."""

import statistics
import time


def median_ms(work, least):
    """Returns the median of runs of `work` that take `least` seconds together, in milliseconds, after one untimed."""
    work()
    times, end = [], time.perf_counter() + least
    while len(times) < 3 or time.perf_counter() < end:
        start = time.perf_counter()
        work()
        times.append(1000 * (time.perf_counter() - start))
    return round(statistics.median(times), 4)
