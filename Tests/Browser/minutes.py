# SPDX-License-Identifier: Apache-2.0
"""The minute of a moment, for tests of moments."""

import time


def minute_with_time_left():
    """The present minute, counted from 1970, with time left for what belongs to it."""
    if time.time() % 60 > 35:
        time.sleep(60 - time.time() % 60)
    return int(time.time() // 60)


def hours(minute):
    """The hours that consist of this single minute: the moment of the day begins with it."""
    first, last = minute % 1440, minute % 1440 + 1
    return f"{first // 60}:{first % 60:02}-{last // 60}:{last % 60:02}+00:00"
