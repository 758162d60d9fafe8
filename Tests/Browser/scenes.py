# SPDX-License-Identifier: Apache-2.0
"""Renders sample photos of a party: scenes drawn with Pillow, blurred, lit and graded like snapshots on film.

Used by screenshots.py only. `photo(number)` gives a JPEG; the same number and size give the same picture.
`python scenes.py FOLDER` writes one file for each scene.
"""

import datetime
import io
import math
import sys
from pathlib import Path

from PIL import Image, ImageChops

from figures import body, cheering, crowd, dancing, embracing, holding_hands, seated, standing, toasting
from scene import AMBER, CREAM, ROSE, TEAL, VIOLET, Scene

def dance_floor(s):
    s.sky((0, (18, 8, 40)), (0.55, (70, 18, 90)), (1, (22, 8, 30)))
    s.bokeh(26, [VIOLET, ROSE, TEAL], 0, 0.5)
    for part, angle, colour in ((0.1, 1.1, ROSE), (0.38, 1.4, VIOLET), (0.62, 1.75, TEAL), (0.92, 2.05, AMBER)):
        s.beam(s.ratio * part, -0.02, angle, 0.13, 1.3, colour)
    s.people(crowd(s, 1.02, 0.5, 0.17), (38, 14, 54), ROSE, blur=0.006)
    s.people(crowd(s, 1.22, 0.74, 0.3, (cheering, dancing, cheering)), (10, 5, 18), (255, 140, 190))
    return (-1, ROSE)


def long_table(s):
    s.sky((0, (24, 44, 84)), (0.4, (128, 112, 140)), (0.62, (248, 170, 110)), (0.7, (60, 56, 50)), (1, (30, 24, 22)))
    s.fill(
        (26, 36, 38),
        s.mask(
            lambda pen: [pen.disc(s.random.uniform(0, s.ratio), 0.64, s.random.uniform(0.05, 0.13), 0.8) for _ in range(26)],
            0.012))
    s.bokeh(20, [AMBER, CREAM], 0.45, 0.64, (0.01, 0.025))
    for y, sag in ((0.03, 0.1), (0.12, 0.13), (0.0, 0.26)):
        s.bulbs(-0.1, y, s.ratio + 0.1, y + s.random.uniform(-0.05, 0.08), sag, 15)
    for side in (0, 1):
        figures = [
            (
                (lambda pen, x, b, h, n=n: seated(pen, x, b, h, hair=n % 3)), s.ratio * (0.06 + 0.13 * n) + side * 0.05,
                0.8 + 0.02 * side, 0.42)
            for n in range(8)]
        s.people(figures, (34, 24, 28) if side else (54, 40, 42), AMBER, towards=(0, -0.008), blur=0.004)
    s.fill(
        (222, 206, 186),
        s.mask(lambda pen: pen.polygon([(-0.2, 0.86), (s.ratio + 0.2, 0.82), (s.ratio + 0.4, 1.1), (-0.4, 1.1)]), 0.004))
    s.glow(s.ratio * 0.5, 0.9, 0.6, AMBER, 0.5)
    for n in range(7):
        x = s.ratio * (0.08 + 0.14 * n)
        s.fill((250, 240, 220), s.mask(lambda pen: pen.box(x, 0.8, x + 0.018, 0.88, 0.004), 0.002))
        s.glow(x + 0.009, 0.78, 0.09, AMBER)
        s.light(CREAM, s.mask(lambda pen: pen.disc(x + 0.009, 0.785, 0.007, 2), 0.002))
    return None


def cake(s):
    s.sky((0, (70, 34, 30)), (0.6, (120, 66, 46)), (1, (48, 24, 22)))
    s.bokeh(44, [AMBER, CREAM, ROSE], 0, 0.65, (0.02, 0.06))
    x = s.ratio * 0.5
    s.fill((236, 222, 208), s.mask(lambda pen: pen.box(-0.1, 0.84, s.ratio + 0.1, 1.2), 0.004))
    s.fill((120, 92, 80), s.mask(lambda pen: pen.disc(x, 0.87, 0.36, 0.16), 0.03))
    for width, top, bottom in ((0.27, 0.66, 0.86), (0.195, 0.49, 0.68), (0.125, 0.35, 0.51)):
        s.fill(
            (250, 240, 232),
            s.mask(
                lambda pen: (pen.box(x - width, top, x + width, bottom, 0.02), pen.disc(x, bottom - 0.005, width, 0.13)), 0.002))
        s.fill((206, 178, 168), s.mask(lambda pen: pen.box(x + width * 0.35, top + 0.02, x + width, bottom, 0.02), 0.05))
        s.fill((255, 250, 244), s.mask(lambda pen: pen.disc(x, top + 0.01, width * 0.99, 0.13), 0.002))
        drips = [(x - width + n * width / 6, s.random.uniform(0.02, 0.06)) for n in range(13)]
        s.fill(
            (232, 170, 176),
            s.mask(lambda pen: [pen.line([(px, top + 0.012), (px, top + 0.012 + long)], 0.022) for px, long in drips], 0.002))
    for n in range(34):
        tier = s.random.choice(((0.26, 0.84), (0.19, 0.665), (0.12, 0.495)))
        px, r = x + s.random.uniform(-1, 0.1) * tier[0], s.random.uniform(0.014, 0.028)
        colour = s.random.choice(((214, 84, 100), (240, 150, 150), (250, 206, 190), (110, 130, 84)))
        s.fill(colour, s.mask(lambda pen: pen.disc(px, tier[1] - r * 0.4, r), 0.002))
        s.light((255, 220, 210), s.mask(lambda pen: pen.disc(px - r * 0.3, tier[1] - r * 0.8, r * 0.4), r * 0.2), 0.5)
    for n in range(5):
        px = x - 0.08 + 0.04 * n
        s.fill((250, 230, 190), s.mask(lambda pen: pen.box(px - 0.005, 0.27, px + 0.005, 0.355), 0.001))
        s.glow(px, 0.25, 0.12, AMBER)
        s.light(CREAM, s.mask(lambda pen: pen.disc(px, 0.255, 0.008, 2), 0.002))
    return (1, AMBER)


def glasses(s):
    s.sky((0, (84, 50, 22)), (0.5, (150, 94, 40)), (1, (46, 28, 18)))
    s.bokeh(60, [AMBER, CREAM, (255, 200, 120)], 0, 1, (0.03, 0.08), 0.7)
    for x, tilt in ((s.ratio * 0.5 - 0.13, 0.1), (s.ratio * 0.5 + 0.13, -0.1)):
        def at(px, py):
            return x + px + tilt * (0.9 - py), py
        bowl = [
            at(-0.075, 0.18), at(0.075, 0.18), at(0.07, 0.42), at(0.04, 0.56), at(0.01, 0.6), at(-0.01, 0.6), at(-0.04, 0.56),
            at(-0.07, 0.42)]
        wine = [
            at(-0.073, 0.3), at(0.073, 0.3), at(0.067, 0.42), at(0.038, 0.55), at(0.008, 0.59), at(-0.008, 0.59),
            at(-0.038, 0.55), at(-0.067, 0.42)]
        s.light((255, 230, 190), s.mask(lambda pen: pen.polygon(bowl), 0.004), 0.22)
        s.fill((240, 178, 70), s.mask(lambda pen: pen.polygon(wine), 0.003).point(lambda value: value * 3 // 4))
        s.light(
            CREAM,
            s.mask(
                lambda pen: [
                    pen.disc(*at(s.random.uniform(-0.05, 0.05) * (1 - (y - 0.3)), y), s.random.uniform(0.003, 0.006))
                    for y in [s.random.uniform(0.31, 0.56) for _ in range(26)]],
                0.001))
        s.light((255, 255, 250), s.mask(lambda pen: pen.line([at(-0.058, 0.2), at(-0.055, 0.42)], 0.012), 0.004), 0.8)
        s.light(
            (255, 240, 210),
            s.mask(
                lambda pen: (
                    pen.line([at(-0.075, 0.18), at(0.075, 0.18)], 0.004), pen.line([bowl[0], bowl[7], bowl[6]], 0.004),
                    pen.line([bowl[1], bowl[2], bowl[3]], 0.004), pen.line([at(0, 0.6), at(0, 0.95)], 0.014)),
                0.002),
            0.8)
        s.fill(
            (196, 140, 112),
            s.mask(
                lambda pen: [
                    pen.limb([at(-0.12, 0.74 + 0.05 * n), at(0.03, 0.72 + 0.05 * n)], 0.05, 0.042) for n in range(4)
                ] + [pen.limb([at(-0.08, 0.82), at(-0.18, 1.1)], 0.19, 0.17)],
                0.006))
        s.light(
            (255, 190, 140),
            s.mask(
                lambda pen: [pen.limb([at(-0.09, 0.73 + 0.05 * n), at(0.0, 0.715 + 0.05 * n)], 0.014, 0.01) for n in range(4)],
                0.008),
            0.5)
    return None


def sunset(s):
    s.sky((0, (74, 84, 140)), (0.35, (226, 130, 120)), (0.66, (255, 206, 120)), (1, (250, 170, 90)))
    s.glow(s.ratio * 0.56, 0.62, 0.9, (255, 190, 110))
    s.light((255, 250, 220), s.mask(lambda pen: pen.disc(s.ratio * 0.56, 0.62, 0.07), 0.01))
    for base, colour, wave in ((0.7, (150, 96, 96), 3), (0.78, (96, 60, 66), 5), (0.86, (44, 28, 34), 4)):
        line = [(s.ratio * n / 40, base + 0.03 * math.sin(n / 40 * wave + base * 20)) for n in range(41)]
        s.fill(colour, s.mask(lambda pen: pen.polygon([*line, (s.ratio, 1.1), (0, 1.1)]), 0.003))
    s.people([(embracing, s.ratio * 0.55, 0.9, 0.5)], (30, 18, 24), (255, 190, 120), towards=(0, -0.006))
    s.fill(
        (24, 16, 18),
        s.mask(
            lambda pen: [
                pen.line([(x, 1.02), (x + s.random.uniform(-0.03, 0.03), s.random.uniform(0.88, 0.98))], 0.003)
                for x in [s.random.uniform(0, s.ratio) for _ in range(240)]],
            0.0015))
    return (1, (255, 150, 70))


def sparklers(s):
    s.sky((0, (8, 10, 26)), (0.6, (26, 22, 40)), (1, (14, 10, 14)))
    s.bokeh(16, [AMBER], 0.2, 0.6, (0.01, 0.03), 0.4)
    for side in (0, 1):
        for n in range(4):
            x, h = s.ratio * (0.06 + 0.1 * n if side == 0 else 0.94 - 0.1 * n), 0.66 - 0.09 * n
            s.people(
                [(cheering, x, 1.02 - 0.05 * n, h)], (22 + 6 * n, 14 + 5 * n, 18 + 4 * n), AMBER,
                towards=(0.008 if side == 0 else -0.008, -0.004))
            s.sparks(x + (0.13 if side == 0 else -0.13) * h, 1.0 - 0.05 * n - h * 1.16, 0.12 - 0.015 * n, 42)
    s.people([(holding_hands, s.ratio * 0.5, 0.97, 0.52)], (34, 24, 30), (255, 210, 150), towards=(0, -0.007))
    s.glow(s.ratio * 0.5, 0.6, 0.5, AMBER, 0.35)
    return None


def balloons(s):
    s.sky((0, (92, 156, 214)), (0.7, (190, 222, 236)), (1, (240, 232, 214)))
    for _ in range(9):
        x, y = s.random.uniform(0, s.ratio), s.random.uniform(0.1, 0.8)
        s.light(
            (255, 255, 255),
            s.mask(
                lambda pen: [
                    pen.disc(
                        x + s.random.uniform(-0.16, 0.16), y + s.random.uniform(-0.02, 0.02), s.random.uniform(0.03, 0.08), 0.6)
                    for _ in range(7)],
                0.03),
            0.45)
    for _ in range(17):
        x, y, r = s.random.uniform(0.1, s.ratio - 0.1), s.random.uniform(0.1, 0.75), s.random.uniform(0.06, 0.12)
        colour = s.random.choice(((226, 74, 84), (250, 180, 70), (250, 232, 214), (86, 160, 170), (240, 140, 160)))
        s.fill(
            (210, 200, 190),
            s.mask(lambda pen: pen.line([(x, y + r), (x + (s.ratio * 0.5 - x) * 0.4, y + r + 0.5)], 0.002), 0.001))
        s.fill(
            colour,
            s.mask(
                lambda pen: (
                    pen.disc(x, y, r, 1.16),
                    pen.polygon([(x - r * 0.14, y + r * 1.27), (x + r * 0.14, y + r * 1.27), (x, y + r * 1.1)])),
                0.0015))
        s.fill(
            tuple(value * 6 // 10 for value in colour),
            ImageChops.multiply(
                s.mask(lambda pen: pen.disc(x, y, r, 1.16)),
                ImageChops.invert(s.mask(lambda pen: pen.disc(x - r * 0.25, y - r * 0.3, r * 0.95, 1.1), r * 0.45))))
        s.light((255, 255, 255), s.mask(lambda pen: pen.disc(x - r * 0.36, y - r * 0.5, r * 0.2, 1.4), r * 0.1), 0.8)
    return (1, (255, 200, 120))


def bouquet(s):
    s.sky((0, (120, 140, 104)), (0.6, (84, 104, 74)), (1, (52, 60, 46)))
    s.bokeh(36, [(220, 230, 170), (250, 240, 200), (170, 200, 140)], 0, 1, (0.03, 0.08), 0.4)
    x0, y0 = s.ratio * 0.5, 0.5
    for _ in range(46):
        angle, far = s.random.uniform(0, math.tau), s.random.uniform(0.22, 0.42)
        tip = (x0 + math.cos(angle) * far, y0 + math.sin(angle) * far * 0.9)
        s.fill(
            s.random.choice(((70, 96, 60), (96, 122, 80), (52, 76, 50))),
            s.mask(lambda pen: pen.limb([(x0, y0), tip], 0.09, 0.01), 0.004))
    flowers = [(s.random.gauss(0, 0.15), s.random.gauss(0, 0.12), s.random.uniform(0.06, 0.11)) for _ in range(22)]
    for dx, dy, r in sorted(flowers, key=lambda flower: -math.hypot(flower[0], flower[1])):
        x, y = x0 + dx, y0 + dy
        red, green, blue = s.random.choice(((244, 216, 206), (232, 150, 150), (250, 238, 222), (206, 92, 104), (240, 184, 150)))
        for ring in range(5):
            size = r * (1 - 0.18 * ring)
            shade = 0.7 + 0.075 * ring if ring < 4 else 0.66
            petals = [
                (x + math.cos(ring + turn * math.tau / 6) * size * 0.45, y + math.sin(ring + turn * math.tau / 6) * size * 0.45)
                for turn in range(6)]
            s.fill(
                tuple(round(value * shade) for value in (red, green, blue)),
                s.mask(lambda pen: [pen.disc(px, py, size * 0.55) for px, py in petals], 0.003))
            s.light(
                (90, 70, 60), s.mask(lambda pen: [pen.ring(px, py, size * 0.5, size * 0.08) for px, py in petals], 0.004), 0.4)
    s.glow(x0 - 0.2, 0.1, 0.7, (255, 230, 180), 0.5)
    return (-1, (255, 210, 150))


def lanterns(s):
    s.sky((0, (12, 20, 52)), (0.52, (70, 70, 110)), (0.56, (24, 30, 56)), (1, (8, 12, 28)))
    s.fill(
        (14, 20, 36),
        s.mask(
            lambda pen: [pen.disc(s.random.uniform(0, s.ratio), 0.55, s.random.uniform(0.03, 0.09), 0.7) for _ in range(30)],
            0.006))
    for _ in range(26):
        x, y = s.random.uniform(0, s.ratio), s.random.uniform(0.04, 0.5)
        r = 0.012 + 0.03 * (0.5 - y) * s.random.uniform(0.5, 1.4)
        s.glow(x, y, r * 4.5, AMBER, 0.7)
        s.light((255, 170, 90), s.mask(lambda pen: pen.box(x - r, y - r * 1.2, x + r, y + r * 1.2, r * 0.5), 0.003))
        s.light(CREAM, s.mask(lambda pen: pen.disc(x, y + r * 0.7, r * 0.5), r * 0.3))
        s.light(
            (255, 150, 80),
            s.mask(
                lambda pen: [
                    pen.line([(x - r * wide, 1.1 - y + n * 0.02), (x + r * wide, 1.1 - y + n * 0.02)], 0.005) for n,
                    wide in enumerate((1, 1.6, 0.8, 1.2))],
                0.004),
            0.5)
    s.people(
        [(standing, s.ratio * 0.3, 1.05, 0.5), (cheering, s.ratio * 0.41, 1.05, 0.46), (embracing, s.ratio * 0.68, 1.05, 0.5)],
        (6, 8, 18), (255, 180, 110), towards=(0, -0.005))
    return None


def fireworks(s):
    s.sky((0, (6, 8, 28)), (0.7, (32, 28, 60)), (1, (10, 8, 14)))
    for x, y, r, colour in (
        (0.28, 0.28, 0.26, ROSE), (0.66, 0.2, 0.22, AMBER), (0.85, 0.42, 0.18, TEAL), (0.5, 0.46, 0.16, VIOLET)):
        s.sparks(s.ratio * x, y, r, 110, colour, 0.003)
    s.people(crowd(s, 1.24, 0.52, 0.19, (standing, standing, cheering)), (8, 6, 14), (255, 150, 170), towards=(0, -0.006))
    return None


def candles(s):
    s.sky((0, (34, 20, 18)), (0.65, (62, 34, 24)), (1, (28, 16, 14)))
    s.bokeh(50, [AMBER, (255, 140, 60), CREAM], 0, 0.7, (0.02, 0.07), 0.6)
    s.fill((60, 34, 24), s.mask(lambda pen: pen.box(-0.1, 0.82, s.ratio + 0.1, 1.2), 0.01))
    for part, height, width in (
        (0.2, 0.2, 0.05), (0.36, 0.34, 0.045), (0.55, 0.26, 0.06), (0.74, 0.4, 0.045), (0.88, 0.18, 0.06)):
        x, top = s.ratio * part, 0.88 - height
        s.fill((232, 206, 168), s.mask(lambda pen: pen.box(x - width, top, x + width, 0.9, 0.015), 0.003))
        s.fill((110, 70, 46), s.mask(lambda pen: pen.box(x + width * 0.3, top + 0.08, x + width, 0.9, 0.02), 0.03))
        s.light((255, 170, 90), s.mask(lambda pen: pen.box(x - width, top, x + width, top + 0.07, 0.015), 0.025), 0.8)
        s.glow(x, top - 0.05, 0.28, AMBER, 0.9)
        s.light(CREAM, s.mask(lambda pen: (pen.disc(x, top - 0.045, 0.014, 2.2), pen.disc(x, top - 0.03, 0.017)), 0.003))
        s.light((255, 150, 70), s.mask(lambda pen: pen.box(x - width * 0.7, 0.92, x + width * 0.7, 1.02), 0.03), 0.35)
    return (-1, (255, 120, 50))


def band(s):
    s.sky((0, (10, 14, 34)), (0.7, (30, 60, 96)), (1, (10, 12, 22)))
    for part, angle, colour in ((0.05, 0.9, TEAL), (0.3, 1.3, (120, 160, 255)), (0.6, 1.75, AMBER), (0.95, 2.2, ROSE)):
        s.beam(s.ratio * part, 0.0, angle, 0.16, 1.25, colour, 0.45)
    s.glow(s.ratio * 0.5, 0.65, 0.6, (140, 190, 255), 0.5)

    def guitarist(pen, x, base, h):
        at = body(pen, x, base, h, hair=2)
        pen.limb([at(-0.13, 0.77), at(-0.22, 0.6), at(-0.06, 0.5)], 0.064 * h, 0.042 * h)
        pen.limb([at(0.13, 0.77), at(0.26, 0.66), at(0.33, 0.68)], 0.06 * h, 0.04 * h)
        pen.disc(*at(-0.07, 0.5), 0.09 * h)
        pen.disc(*at(0.03, 0.54), 0.065 * h)
        pen.line([at(0, 0.53), at(0.44, 0.73)], 0.026 * h)

    def singer(pen, x, base, h):
        at = body(pen, x, base, h, dress=True, hair=1)
        pen.limb([at(0.13, 0.77), at(0.2, 0.72), at(0.1, 0.86)], 0.06 * h, 0.04 * h)
        pen.limb([at(-0.13, 0.77), at(-0.3, 0.86), at(-0.42, 0.98)], 0.06 * h, 0.036 * h)
        pen.line([at(0.09, 0.87), at(0.12, 0.0)], 0.012 * h)

    s.people(
        [(guitarist, s.ratio * 0.28, 0.86, 0.5), (singer, s.ratio * 0.52, 0.88, 0.52), (guitarist, s.ratio * 0.74, 0.86, 0.48)],
        (14, 14, 26), (190, 220, 255), towards=(0, -0.007))
    s.people(crowd(s, 1.32, 0.46, 0.2, (cheering, standing)), (5, 5, 10), (120, 160, 220), towards=(0, -0.004), blur=0.007)
    return None


def confetti(s):
    s.sky((0, (232, 226, 214)), (0.5, (204, 214, 196)), (0.8, (150, 160, 128)), (1, (196, 184, 160)))
    s.bokeh(26, [(240, 240, 210), (180, 200, 150)], 0, 0.6, (0.04, 0.1), 0.35)
    for side in (0, 1):
        s.people(
            [((lambda pen, x, b, h, n=n: cheering(pen, x, b, h, dress=n % 2 == 1, hair=n)),
              s.ratio * (0.1 + 0.13 * n if side == 0 else 0.9 - 0.13 * n), 1.06 - 0.05 * n, 0.66 - 0.08 * n) for n in range(3)],
            (96, 92, 104) if side else (122, 96, 92), (255, 244, 220), towards=(0.004, -0.008), blur=0.006)
    s.people([(lambda pen, x, b, h: standing(pen, x, b, h), s.ratio * 0.5 - 0.11, 0.98, 0.58)], (44, 50, 70), (200, 214, 230))
    s.people(
        [(lambda pen, x, b, h: standing(pen, x, b, h, dress=True, hair=1), s.ratio * 0.5 + 0.11, 0.98, 0.54)], (246, 240, 232),
        (255, 255, 250))
    s.fill(
        (214, 168, 140),
        s.mask(
            lambda pen: (pen.disc(s.ratio * 0.5 - 0.11, 0.447, 0.036, 1.2), pen.disc(s.ratio * 0.5 + 0.11, 0.483, 0.033, 1.2)),
            0.002))
    s.fill(
        (70, 46, 36),
        s.mask(
            lambda pen: (
                pen.disc(s.ratio * 0.5 - 0.11, 0.43, 0.039, 0.9), pen.disc(s.ratio * 0.5 + 0.11, 0.468, 0.036, 1.0),
                pen.disc(s.ratio * 0.5 + 0.135, 0.455, 0.022)),
            0.002))
    for _ in range(240):
        x, y, r, turn = s.random.uniform(0, s.ratio), s.random.uniform(0, 1), s.random.uniform(
            0.004, 0.013), s.random.uniform(0, math.tau)
        corners = [
            (x + math.cos(turn + corner) * r, y + math.sin(turn + corner) * r * s.random.uniform(0.4, 1))
            for corner in (0.5, 2.6, 3.6, 5.8)]
        s.fill(
            s.random.choice(((230, 90, 104), (250, 190, 80), (90, 170, 180), (244, 170, 180), (255, 250, 240))),
            s.mask(lambda pen: pen.polygon(corners), 0.001 if r < 0.009 else 0.005))
    return (1, (255, 220, 160))


def campfire(s):
    s.sky((0, (8, 12, 30)), (0.6, (28, 30, 48)), (1, (14, 10, 10)))
    s.light(
        (220, 225, 255),
        s.mask(
            lambda pen: [
                pen.disc(s.random.uniform(0, s.ratio), s.random.uniform(0, 0.45), s.random.uniform(0.001, 0.003))
                for _ in range(120)]),
        0.8)
    s.fill(
        (10, 14, 20),
        s.mask(
            lambda pen: [
                pen.polygon([(x - 0.09, 0.7), (x, 0.7 - h), (x + 0.09, 0.7)]) for x,
                h in [(s.random.uniform(0, s.ratio), s.random.uniform(0.15, 0.4)) for _ in range(24)]],
            0.004))
    s.fill((24, 18, 16), s.mask(lambda pen: pen.box(-0.1, 0.69, s.ratio + 0.1, 1.2), 0.01))
    x = s.ratio * 0.5
    s.glow(x, 0.74, 0.85, (255, 130, 50), 0.8)
    for n in range(40):
        dx, tall = s.random.gauss(0, 0.05), s.random.uniform(0.08, 0.26)
        s.light(
            s.random.choice(((255, 120, 40), (255, 180, 70), (255, 220, 130))),
            s.mask(
                lambda pen: pen.limb([(x + dx, 0.82), (x + dx * 0.5 + s.random.uniform(-0.03, 0.03), 0.84 - tall)], 0.05, 0.004),
                0.006),
            0.5)
    s.light(
        AMBER,
        s.mask(
            lambda pen: [
                pen.disc(x + s.random.gauss(0, 0.16), s.random.uniform(0.1, 0.7), s.random.uniform(0.001, 0.004))
                for _ in range(70)],
            0.001))
    s.people(
        [
            ((lambda pen, px, b, h, n=n: seated(pen, px, b, h, hair=n % 3)), s.ratio * part, 0.97, 0.58) for n,
            part in enumerate((0.1, 0.26))],
        (22, 14, 14), AMBER, towards=(0.01, -0.003))
    s.people(
        [
            ((lambda pen, px, b, h, n=n: seated(pen, px, b, h, hair=n % 3)), s.ratio * part, 0.97, 0.58) for n,
            part in enumerate((0.76, 0.92))],
        (22, 14, 14), AMBER, towards=(-0.01, -0.003))
    return None


def garden(s):
    s.sky((0, (214, 226, 190)), (0.45, (150, 180, 110)), (0.62, (96, 136, 72)), (1, (120, 150, 84)))
    s.bokeh(46, [(240, 250, 200), (200, 230, 150), (255, 250, 220)], 0, 0.55, (0.03, 0.09), 0.45)
    for y, sag in ((0.05, 0.12), (0.14, 0.16)):
        count = 14
        places = [(s.ratio * n / count, y + sag * 4 * (n / count) * (1 - n / count)) for n in range(count + 1)]
        s.fill((240, 235, 220), s.mask(lambda pen: pen.line(places, 0.003)))
        for n, (x, top) in enumerate(places):
            s.fill(
                ((226, 90, 90), (250, 196, 90), (90, 160, 170), (246, 236, 220))[n % 4],
                s.mask(lambda pen: pen.polygon([(x - 0.032, top), (x + 0.032, top), (x, top + 0.085)]), 0.002))
    for n, (part, colour) in enumerate(
        ((0.16, (196, 92, 90)), (0.33, (70, 96, 130)), (0.62, (240, 226, 206)), (0.82, (86, 120, 100)))):
        x, h = s.ratio * part, 0.56 + 0.03 * (n % 2)
        s.people(
            [((lambda pen, px, b, hh, n=n: toasting(pen, px, b, hh, dress=n % 2 == 0, hair=n % 3)), x, 0.98, h)], colour,
            (255, 250, 220), blur=0.004)
        s.fill(
            ((226, 176, 148), (150, 104, 80), (236, 190, 164), (110, 76, 60))[n],
            s.mask(lambda pen: pen.disc(x, 0.98 - 0.915 * h, 0.058 * h, 1.2), 0.003))
        s.fill(
            ((60, 40, 32), (30, 22, 20), (170, 120, 70), (24, 18, 18))[n],
            s.mask(lambda pen: pen.disc(x, 0.98 - 0.955 * h, 0.062 * h, 0.75), 0.003))
    s.fill((250, 246, 236), s.mask(lambda pen: pen.box(-0.1, 0.87, s.ratio + 0.1, 1.2), 0.006))
    for part, colour in (
        (0.1, (250, 220, 90)), (0.3, (230, 110, 110)), (0.48, (250, 200, 80)), (0.72, (150, 190, 90)), (0.9, (240, 160, 170))):
        x = s.ratio * part
        s.fill(
            colour, s.mask(lambda pen: pen.box(x - 0.03, 0.83, x + 0.03, 0.95, 0.008), 0.003).point(lambda value: value * 4 // 5))
        s.light((255, 255, 255), s.mask(lambda pen: pen.line([(x - 0.016, 0.84), (x - 0.016, 0.93)], 0.006), 0.002), 0.7)
    return (-1, (255, 230, 160))


def disco_ball(s):
    s.sky((0, (40, 14, 60)), (0.5, (92, 26, 100)), (1, (26, 10, 44)))
    s.bokeh(60, [ROSE, VIOLET, (255, 200, 240), TEAL], 0, 1, (0.012, 0.045), 0.6)
    x, y, r = s.ratio * 0.52, 0.4, 0.27
    s.fill((20, 16, 24), s.mask(lambda pen: pen.line([(x, -0.1), (x, y)], 0.006)))
    s.fill((30, 24, 44), s.mask(lambda pen: pen.disc(x, y, r), 0.002))
    for row in range(-8, 9):
        latitude = row / 9 * math.pi / 2
        columns = max(3, round(22 * math.cos(latitude)))
        for column in range(columns):
            longitude = (column + 0.5) / columns * math.pi - math.pi / 2
            px, py = x + r * math.cos(latitude) * math.sin(longitude), y + r * math.sin(latitude)
            w, h = r * 0.063 * max(0.15, math.cos(longitude)), r * 0.07 * max(0.2, math.cos(latitude))
            facing = max(0.0, math.cos(longitude + 0.6) * math.cos(latitude + 0.5))
            level = min(1, 0.12 + 0.5 * facing + (0.6 if s.random.random() < 0.16 else 0.25 * s.random.random()))
            tint = s.random.choice(((230, 225, 255), (255, 190, 230), (190, 220, 255)))
            s.fill(tuple(round(value * level) for value in tint), s.mask(lambda pen: pen.box(px - w, py - h, px + w, py + h)))
    for _ in range(7):
        angle, far = s.random.uniform(0, math.tau), r * s.random.uniform(0, 0.8)
        s.glow(x + math.cos(angle) * far, y + math.sin(angle) * far, 0.1, (255, 250, 255))
    s.people(crowd(s, 1.3, 0.56, 0.24, (cheering, dancing)), (12, 6, 22), (255, 130, 220), towards=(0, -0.007), blur=0.004)
    return (1, VIOLET)


def barn(s):
    s.sky((0, (44, 26, 18)), (0.6, (92, 56, 34)), (1, (40, 26, 20)))
    x = s.ratio * 0.5
    s.fill(
        (120, 150, 190),
        s.mask(
            lambda pen: pen.polygon([(x - 0.26, 0.74), (x - 0.26, 0.42), (x, 0.26), (x + 0.26, 0.42), (x + 0.26, 0.74)]), 0.004))
    s.glow(x, 0.5, 0.45, (170, 190, 230), 0.6)
    for n in range(6):
        reach = 0.34 + 0.17 * n
        s.fill(
            (36 - 3 * n, 22 - 2 * n, 16 - n),
            s.mask(
                lambda pen: (
                    pen.line(
                        [(x - reach, 0.45 + 0.06 * n), (x, 0.24 - 0.09 * n), (x + reach, 0.45 + 0.06 * n)], 0.02 + 0.006 * n),
                    pen.line([(x - reach, 0.45 + 0.06 * n), (x - reach, 1.1)], 0.022 + 0.006 * n),
                    pen.line([(x + reach, 0.45 + 0.06 * n), (x + reach, 1.1)], 0.022 + 0.006 * n)),
                0.003))
    for n in range(4):
        s.bulbs(x, 0.16 - 0.05 * n, x - s.ratio * 0.6, 0.34 + 0.03 * n, 0.1, 9, size=0.007)
        s.bulbs(x, 0.16 - 0.05 * n, x + s.ratio * 0.6, 0.34 + 0.03 * n, 0.1, 9, size=0.007)
    s.fill(
        (70, 44, 30),
        s.mask(lambda pen: pen.polygon([(x - 0.3, 0.73), (x + 0.3, 0.73), (s.ratio + 0.6, 1.1), (-0.6, 1.1)]), 0.004))
    s.glow(x, 0.95, 0.6, AMBER, 0.45)
    s.people([(embracing, x, 0.92, 0.46)], (24, 18, 22), (255, 220, 170), towards=(0, -0.006))
    s.people(
        [
            (standing, x - 0.5, 0.96, 0.44), (toasting, x - 0.36, 0.92, 0.4), (cheering, x + 0.4, 0.93, 0.4),
            (standing, x + 0.55, 0.97, 0.45)],
        (34, 22, 18), AMBER, towards=(0, -0.006), blur=0.005)
    return None


SCENES = (
    long_table, dance_floor, cake, sunset, sparklers, garden, glasses, barn, balloons, fireworks, bouquet, disco_ball,
    lanterns, band, candles, confetti, campfire,
)


def photo(number, width=1600, height=1200, taken_at=None):
    """A JPEG of the scene with this number; beyond the last, scenes repeat with other details."""
    scale = 900 / max(width, height)
    scene = Scene(round(width * scale), round(height * scale), number)
    leak = SCENES[number % len(SCENES)](scene)
    scene.image = scene.image.resize((width, height), Image.Resampling.BICUBIC)
    scene.size, scene.height = (width, height), height
    picture = scene.graded(leak)
    exif = Image.Exif()
    taken_at = taken_at or datetime.datetime(2026, 8, 15, 17, 0) + datetime.timedelta(minutes=19 * number)
    exif.get_ifd(0x8769)[0x9003] = taken_at.strftime("%Y:%m:%d %H:%M:%S")
    content = io.BytesIO()
    picture.save(content, "JPEG", quality=82, exif=exif)
    return content.getvalue()


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for number, scene in enumerate(SCENES):
        (folder / f"{number:02}-{scene.__name__}.jpg").write_bytes(photo(number))


if __name__ == "__main__":
    main()
