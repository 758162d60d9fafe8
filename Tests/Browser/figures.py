# SPDX-License-Identifier: Apache-2.0
"""People for the sample photos, drawn with a `scene.Pen`.

A figure takes the x of its middle, its base (the feet) and its height. The numbers inside are parts of the height.
"""


def body(pen, x, base, h, dress=False, hair=0, lean=0.0):
    def at(px, py):
        return x + (px + lean * py) * h, base - py * h
    pen.disc(*at(0, 0.92), 0.062 * h, 1.22)
    if hair == 1:
        pen.disc(*at(0.045, 0.975), 0.042 * h)
    if hair == 2:
        pen.polygon([at(-0.07, 0.95), at(0.07, 0.95), at(0.085, 0.76), at(-0.085, 0.76)])
    pen.limb([at(0, 0.88), at(0, 0.78)], 0.06 * h, 0.07 * h)
    pen.polygon(
        [
            at(-0.04, 0.835), at(0.04, 0.835), at(0.125, 0.795), at(0.145, 0.75), at(0.1, 0.5), at(-0.1, 0.5), at(-0.145, 0.75),
            at(-0.125, 0.795)])
    pen.disc(*at(-0.112, 0.768), 0.034 * h)
    pen.disc(*at(0.112, 0.768), 0.034 * h)
    if dress:
        pen.polygon(
            [
                at(-0.085, 0.56), at(0.085, 0.56), at(0.13, 0.4), at(0.23, 0.03), at(0.1, 0.0), at(-0.1, 0.0), at(-0.23, 0.03),
                at(-0.13, 0.4)])
    else:
        for side in (-1, 1):
            pen.limb([at(side * 0.055, 0.52), at(side * 0.07, 0.27), at(side * 0.075, 0.02)], 0.115 * h, 0.07 * h)
            pen.disc(x + (side * 0.09) * h, base - 0.015 * h, 0.04 * h, 0.45)
    return at


def standing(pen, x, base, h, **looks):
    at = body(pen, x, base, h, **looks)
    for side in (-1, 1):
        pen.limb([at(side * 0.13, 0.76), at(side * 0.17, 0.58), at(side * 0.13, 0.43)], 0.066 * h, 0.042 * h)


def cheering(pen, x, base, h, **looks):
    at = body(pen, x, base, h, **looks)
    for side in (-1, 1):
        pen.limb([at(side * 0.13, 0.77), at(side * 0.2, 0.92), at(side * 0.16, 1.12)], 0.066 * h, 0.04 * h)


def dancing(pen, x, base, h, **looks):
    at = body(pen, x, base, h, **looks)
    pen.limb([at(-0.13, 0.77), at(-0.24, 0.68), at(-0.3, 0.84)], 0.064 * h, 0.04 * h)
    pen.limb([at(0.13, 0.77), at(0.22, 0.95), at(0.13, 1.1)], 0.064 * h, 0.04 * h)


def toasting(pen, x, base, h, **looks):
    at = body(pen, x, base, h, **looks)
    pen.limb([at(-0.13, 0.76), at(-0.17, 0.6), at(-0.12, 0.45)], 0.066 * h, 0.042 * h)
    pen.limb([at(0.13, 0.76), at(0.25, 0.78), at(0.27, 0.96)], 0.064 * h, 0.04 * h)
    pen.polygon([at(0.245, 1.1), at(0.295, 1.1), at(0.275, 0.99), at(0.265, 0.99)])
    pen.line([at(0.27, 1.0), at(0.27, 0.94)], 0.01 * h)


def seated(pen, x, base, h, **looks):
    """The upper half of a person at a table whose edge is the base."""
    looks = {"hair": 0, **looks}
    standing(pen, x, base + 0.42 * h, h, **looks)


def embracing(pen, x, base, h):
    body(pen, x - 0.1 * h, base, h, lean=0.02)
    at = body(pen, x + 0.13 * h, base, h * 0.93, dress=True, hair=1, lean=-0.03)
    pen.limb(
        [(x - 0.2 * h, base - 0.75 * h), (x - 0.12 * h, base - 0.6 * h), (x + 0.14 * h, base - 0.58 * h)], 0.066 * h, 0.045 * h)
    pen.limb([at(-0.1, 0.77), at(-0.2, 0.86), at(-0.3, 0.84)], 0.058 * h, 0.04 * h)


def holding_hands(pen, x, base, h):
    standing(pen, x - 0.2 * h, base, h)
    standing(pen, x + 0.17 * h, base, h * 0.92, dress=True, hair=2)
    pen.limb([(x - 0.07 * h, base - 0.45 * h), (x + 0.05 * h, base - 0.41 * h)], 0.05 * h, 0.05 * h)


def crowd(scene, base, height, spacing, poses=(standing, cheering, dancing)):
    figures, x = [], -spacing * 0.3
    while x < scene.ratio + spacing:
        pose, looks = scene.random.choice(poses), {
            "dress": scene.random.random() < 0.3, "hair": scene.random.choice((0, 0, 1, 2))}
        size, place = height * scene.random.uniform(0.88, 1.1), x + scene.random.uniform(-0.25, 0.25) * spacing
        figures.append((lambda pen, px, b, h, pose=pose, looks=looks: pose(pen, px, b, h, **looks), place, base, size))
        x += spacing
    return figures
