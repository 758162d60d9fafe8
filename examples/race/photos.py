#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Makes photos of about 4 MB that compress as little as a camera's: photos.py FOLDER COUNT. The same for each count."""
import concurrent.futures
import os
import sys

import numpy
from PIL import Image


def make(folder, number):
    path = f"{folder}/photo-{number:04}.jpg"
    if os.path.exists(path):
        return
    random = numpy.random.default_rng(number)
    height = 1_560 + 40 * (number * 7 % 20)
    width = height * 3 // 2
    coarse = random.integers(0, 256, (height // 60, width // 60, 3), dtype=numpy.uint8)
    picture = numpy.asarray(Image.fromarray(coarse).resize((width, height), Image.BICUBIC)).astype(numpy.int16)
    picture = picture + random.normal(0, 40, picture.shape).astype(numpy.int16)
    Image.fromarray(picture.clip(0, 255).astype(numpy.uint8)).save(path + ".new", "JPEG", quality=93)
    os.rename(path + ".new", path)


def make_all(folder, count):
    os.makedirs(folder, exist_ok=True)
    with concurrent.futures.ProcessPoolExecutor() as pool:
        list(pool.map(make, [folder] * count, range(count)))


if __name__ == "__main__":
    make_all(sys.argv[1], int(sys.argv[2]))
