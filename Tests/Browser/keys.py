# SPDX-License-Identifier: Apache-2.0
"""A guest without a pointer: Tab, arrows, Enter and letters, in each of the engines."""

# The names of Chromium's driver, and the code points of WebDriver.
WEBDRIVER = {
    "Shift": "\ue008", "Backspace": "\ue003", "Tab": "\ue004", "Enter": "\ue007", "Escape": "\ue00c", "Space": " ",
    "ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015",
}
# No view has as many stops.
STOPS = 60


def is_focused(guest, selector):
    return guest.script("return Boolean(document.activeElement && document.activeElement.matches(arguments[0]))", selector)


def reach(guest, selector, back=False):
    """Presses Tab until an element has the focus."""
    passed = []
    for _ in range(STOPS):
        if is_focused(guest, selector):
            return
        guest.press("Shift+Tab" if back else "Tab")
        passed.append(guest.script(
            "const at = document.activeElement; return at && (at.id || at.className || at.tagName)"))
    raise AssertionError(f"no key reaches {selector}: {passed}")


def use(guest, selector, back=False):
    """Reaches a control, and presses Enter on it."""
    reach(guest, selector, back)
    guest.press("Enter")


def write(guest, selector, words, back=False):
    reach(guest, selector, back)
    guest.type(words)
