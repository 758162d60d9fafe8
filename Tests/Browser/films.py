# SPDX-License-Identifier: Apache-2.0
"""Synthetic videos that browsers play."""

import subprocess


def video(path, seconds=3, size="320x240"):
    """A WebM with a moving picture, in a codec that every Chromium has."""
    subprocess.run([
        "ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", f"testsrc=size={size}:rate=10:duration={seconds}",
        "-c:v", "libvpx", "-deadline", "realtime", str(path)], check=True)
    return path
