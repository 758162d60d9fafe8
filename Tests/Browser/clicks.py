# SPDX-License-Identifier: Apache-2.0
"""A click on an element, in the engines that are driven over Marionette and WebDriver."""

from party import eventually

# An element that the bar at the bottom covers is moved to the middle: both engines count it as visible.
MOVE_INTO_VIEW = """const [element] = arguments;
    const { x, y, width, height } = element.getBoundingClientRect();
    if (!element.contains(document.elementFromPoint(x + width / 2, y + height / 2))) {
      element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    }"""


def click(guest, selector, number, refusals):
    """Clicks as soon as the element is there and nothing covers it.

    `refusals`: the exceptions by which the engine's driver says that it cannot click now."""
    def did():
        try:
            element = guest.driver.find_elements("css selector", selector)[number]
            guest.script(MOVE_INTO_VIEW, element)
            element.click()
            return True
        except (IndexError, *refusals):
            return False
    eventually(f"a click on {selector}", did)
