# SPDX-License-Identifier: Apache-2.0
"""A canvas for sample photos: shapes, lights, blur, and the grading of cheap film. scenes.py draws with it."""

import math
import random

from PIL import Image, ImageChops, ImageDraw, ImageFilter

AMBER, ROSE, TEAL, VIOLET, CREAM = (255, 176, 84), (255, 120, 140), (80, 190, 200), (150, 90, 255), (255, 236, 200)


class Scene:
    """A canvas with the elements of all scenes. Lengths are fractions of the picture's height; x runs to `ratio`."""

    def __init__(self, width, height, seed):
        self.random = random.Random(seed)
        self.size, self.height, self.ratio = (width, height), height, width / height
        self.image = Image.new("RGB", self.size)

    def at(self, *lengths):
        return [length * self.height for length in lengths]

    def blur(self, radius):
        self.image = self.image.filter(ImageFilter.GaussianBlur(radius * self.height))

    def sky(self, *stops):
        """A vertical gradient through colours: (position from 0 to 1, colour), in order."""
        column = Image.new("RGB", (1, 256))
        for y in range(256):
            (low, first), (high, second) = next(
                pair for pair in zip(stops, stops[1:]) if pair[0][0] <= y / 255 <= pair[1][0])
            part = (y / 255 - low) / (high - low)
            column.putpixel((0, y), tuple(round(a + (b - a) * part) for a, b in zip(first, second)))
        self.image.paste(column.resize(self.size, Image.Resampling.BICUBIC))

    def mask(self, draw, blur=0.0):
        """A mask of the shapes that `draw` draws in white, with smooth edges."""
        large = Image.new("L", (self.size[0] * 2, self.size[1] * 2))
        draw(Pen(large, self.height * 2))
        mask = large.resize(self.size, Image.Resampling.LANCZOS)
        return mask.filter(ImageFilter.GaussianBlur(blur * self.height)) if blur else mask

    def fill(self, colour, mask):
        self.image.paste(Image.new("RGB", self.size, colour), (0, 0), mask)

    def light(self, colour, mask, strength=1.0):
        """Adds light inside the mask, like a second exposure."""
        layer = Image.composite(Image.new("RGB", self.size, colour), Image.new("RGB", self.size), mask)
        self.image = ImageChops.screen(self.image, layer.point(lambda value: min(255, round(value * strength))))

    def glow(self, x, y, radius, colour, strength=1.0):
        """A soft light around a point: brightest in the middle, nothing at the radius."""
        side = max(2, round(2 * radius * self.height))
        disc = ImageChops.invert(Image.radial_gradient("L")).point(lambda value: max(0, (value - 76) * 255 // 179))
        disc = disc.point(lambda value: value * value // 255).resize((side, side), Image.Resampling.BICUBIC)
        mask = Image.new("L", self.size)
        mask.paste(disc, (round((x - radius) * self.height), round((y - radius) * self.height)))
        self.light(colour, mask, strength)

    def bokeh(self, count, colours, top=0.0, bottom=1.0, radius=(0.015, 0.05), strength=0.6):
        """Lights out of focus: even discs with a slightly brighter edge."""
        for _ in range(count):
            x, y = self.random.uniform(0, self.ratio), self.random.uniform(top, bottom)
            r, colour = self.random.uniform(*radius), self.random.choice(colours)
            level = self.random.uniform(0.35, 1) * strength
            self.light(colour, self.mask(lambda pen: pen.disc(x, y, r), r * 0.07), level * 0.7)
            ring = self.mask(lambda pen: pen.ring(x, y, r, r * 0.12), r * 0.06)
            self.light(colour, ring, level * 0.35)

    def bulbs(self, x0, y0, x1, y1, sag, count, colour=AMBER, size=0.008, glow=0.06):
        """A string of lights between two points."""
        places = []
        for step in range(count + 1):
            part = step / count
            places.append((x0 + (x1 - x0) * part, y0 + (y1 - y0) * part + sag * 4 * part * (1 - part)))
        self.fill((20, 16, 18), self.mask(lambda pen: pen.line(places, 0.0025)))
        for x, y in places[:: 1]:
            self.glow(x, y + size, glow, colour, 0.75)
        self.light(CREAM, self.mask(lambda pen: [pen.disc(x, y + size, size) for x, y in places], 0.002))

    def people(self, figures, colour, rim=None, towards=(0.006, -0.006), blur=0.002):
        """Figures, each (pose, x, base, height), in one colour, with a rim of light on the side that `towards` names."""
        mask = self.mask(lambda pen: [figure(pen, *where) for figure, *where in figures], blur)
        self.fill(colour, mask)
        if rim:
            shifted = ImageChops.offset(mask, round(-towards[0] * self.height), round(-towards[1] * self.height))
            edge = ImageChops.subtract(mask, shifted).filter(ImageFilter.GaussianBlur(0.003 * self.height))
            self.light(rim, ImageChops.multiply(edge, mask), 0.9)

    def beam(self, x, y, angle, spread, length, colour, strength=0.35):
        """A cone of light from a lamp."""
        ends = [(x + math.cos(angle + turn) * length, y + math.sin(angle + turn) * length) for turn in (-spread, spread)]
        self.light(colour, self.mask(lambda pen: pen.polygon([(x, y), *ends]), 0.025), strength)
        self.glow(x, y, 0.12, colour)

    def sparks(self, x, y, radius, count, colour=AMBER, width=0.002):
        """A burst: thin lines from a point, a few of which split."""
        def draw(pen):
            for _ in range(count):
                angle, far = self.random.uniform(0, math.tau), radius * self.random.uniform(0.35, 1)
                near = far * self.random.uniform(0.1, 0.5)
                pen.line([(x + math.cos(angle) * part, y + math.sin(angle) * part) for part in (near, far)], width)
        mask = self.mask(draw)
        self.glow(x, y, radius * 1.6, colour, 0.8)
        self.light(colour, mask.filter(ImageFilter.GaussianBlur(0.006 * self.height)), 1.6)
        self.light(CREAM, mask)

    def graded(self, leak=None, warmth=1.0):
        """The picture in the style of cheap film: faded blacks, dark corners, grain, and sometimes a light leak."""
        self.glow(self.ratio * 0.5, 0.4, 0.9, (255, 220, 180), 0.06)
        if leak:
            side, colour = leak
            self.glow(-0.05 if side < 0 else self.ratio + 0.05, 0.35, 0.75, colour, 0.55)
        bloom = self.image.filter(ImageFilter.GaussianBlur(0.02 * self.height)).point(lambda value: max(0, value - 120))
        self.image = ImageChops.screen(self.image, bloom.point(lambda value: value // 2))
        corners = Image.radial_gradient("L").resize(self.size, Image.Resampling.BICUBIC)
        self.image = ImageChops.multiply(
            self.image, Image.merge("RGB", [corners.point(lambda value: 255 - max(0, value - 110))] * 3))
        red, green, blue = self.image.split()
        self.image = Image.merge("RGB", (
            red.point(lambda value: min(255, round(14 + value * 0.96 * (1 + 0.03 * warmth)))),
            green.point(lambda value: round(10 + value * 0.94)),
            blue.point(lambda value: round(18 + value * (0.9 - 0.03 * warmth)))))
        grain = Image.frombytes("L", self.size, self.random.randbytes(self.size[0] * self.size[1]))
        grain = grain.filter(ImageFilter.GaussianBlur(0.8)).point(lambda value: 128 + (value - 128) // 2)
        self.image = ImageChops.soft_light(self.image, Image.merge("RGB", [grain] * 3))
        return self.image


class Pen:
    """Draws shapes in white. Lengths are fractions of the picture's height."""

    def __init__(self, image, scale):
        self.draw, self.scale = ImageDraw.Draw(image), scale

    def points(self, points):
        return [(x * self.scale, y * self.scale) for x, y in points]

    def disc(self, x, y, r, stretch=1.0):
        self.draw.ellipse(self.points([(x - r, y - r * stretch), (x + r, y + r * stretch)]), fill=255)

    def ring(self, x, y, r, width):
        self.draw.ellipse(self.points([(x - r, y - r), (x + r, y + r)]), outline=255, width=max(1, round(width * self.scale)))

    def polygon(self, points):
        self.draw.polygon(self.points(points), fill=255)

    def box(self, x0, y0, x1, y1, radius=0.0):
        self.draw.rounded_rectangle(self.points([(x0, y0), (x1, y1)]), radius * self.scale, fill=255)

    def line(self, points, width):
        self.draw.line(self.points(points), fill=255, width=max(1, round(width * self.scale)), joint="curve")
        for x, y in (points[0], points[-1]):
            self.disc(x, y, width / 2)

    def limb(self, points, thick, thin):
        """An arm or a leg: a line that gets thinner towards its end."""
        steps = 24
        for step in range(steps + 1):
            part = step / steps * (len(points) - 1)
            index = min(int(part), len(points) - 2)
            (x0, y0), (x1, y1) = points[index], points[index + 1]
            share = part - index
            self.disc(x0 + (x1 - x0) * share, y0 + (y1 - y0) * share, (thick + (thin - thick) * step / steps) / 2)
