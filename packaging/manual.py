#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes manual pages from the command line's own help: `disposable --experimental-dump-help | manual.py FOLDER VERSION`.

One page for the program, and one for each command with its subcommands: disposable.1, disposable-host.1, ...
"""

import json
import re
import sys
from pathlib import Path

PROGRAM = "disposable"


def escaped(text):
    """Text as roff takes it: no line of it is a request."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^(?=[.'])", r"\\&", text, flags=re.MULTILINE)


def prose(text):
    """Paragraphs; indented lines stay lines. Words in back quotes are bold."""
    lines, is_literal = [], False
    for line in (text or "").splitlines():
        literal = line.startswith("  ")
        if literal != is_literal:
            lines.append(".nf" if literal else ".fi")
            is_literal = literal
        if not line.strip():
            lines.append(".PP")
            continue
        line = escaped(line if literal else line.strip())
        lines.append(re.sub(r"`([^`]+)`", r"\\fB\1\\fR", line))
    return lines + [".fi"] * is_literal


def spelled(name):
    return ("--" if name["kind"] == "long" else "-") + name["name"]


def shown(command):
    return [argument for argument in command.get("arguments", []) if argument.get("shouldDisplay", True)]


def children(command):
    return [child for child in command.get("subcommands", [])
            if child.get("shouldDisplay", True) and child["commandName"] != "help"]


def synopsis(path, command):
    """One line: the command, what it needs, and a place for options."""
    words = [f"\\fB{escaped(' '.join(path))}\\fR"]
    if children(command):
        return " ".join([*words, "\\fIcommand\\fR", "[\\fIoption\\fR...]"])
    for argument in shown(command):
        if argument["kind"] == "positional":
            word = f"\\fI{escaped(argument['valueName'])}\\fR" + ("..." if argument["isRepeating"] else "")
            words.append(f"[{word}]" if argument["isOptional"] else word)
    return " ".join([*words, "[\\fIoption\\fR...]"])


def described(argument):
    """An argument with its help: a tagged paragraph."""
    value = f"\\fI{escaped(argument['valueName'])}\\fR" if argument.get("valueName") else ""
    if argument["kind"] == "positional":
        tag = value
    else:
        tag = ", ".join(f"\\fB{escaped(spelled(name))}\\fR" for name in argument["names"])
        if argument["kind"] == "option":
            tag += " " + value
    text = [argument.get("abstract") or ""]
    values = argument.get("allValues")
    if values and not all(one in text[0] for one in values):
        text.append("(values: " + ", ".join(values) + ")")
    if argument.get("defaultValue"):
        text.append(f"(default: {argument['defaultValue']})")
    help_text = prose(" ".join(filter(None, text))) + prose(argument.get("discussion"))
    return [".TP", tag, *(help_text or ["\\&"])]


def options(command, heading):
    """The arguments and options, each group under its title."""
    lines, groups = [], {}
    for argument in shown(command):
        kind = argument.get("sectionTitle") or ("arguments" if argument["kind"] == "positional" else "options")
        groups.setdefault(kind, []).append(argument)
    for title, arguments in groups.items():
        lines.append(f"{heading} {escaped(title).upper() if heading == '.SH' else escaped(title)}")
        for argument in arguments:
            lines += described(argument)
    return lines


def described_command(path, command, level=".SS"):
    """A subcommand inside the page of its parent, and its own subcommands after it."""
    lines = [f"{level} \"{escaped(' '.join(path[1:]))}\"", synopsis(path, command), ".PP"]
    lines += prose(command.get("abstract")) + ([".PP"] + prose(command["discussion"]) if command.get("discussion") else [])
    for argument in shown(command):
        if argument.get("valueName") not in ("help", "version"):
            lines += described(argument)
    for child in children(command):
        lines += described_command([*path, child["commandName"]], child)
    return lines


def page(path, command, version, others):
    name = "-".join(path)
    lines = [
        f'.TH {name.upper()} 1 "" "Disposable {version}" "Disposable"', ".SH NAME",
        f"{escaped(name)} \\- {escaped((command.get('abstract') or '').rstrip('.'))}",
        ".SH SYNOPSIS", synopsis(path, command),
    ]
    if command.get("discussion"):
        lines += [".SH DESCRIPTION", *prose(command["discussion"])]
    below = children(command)
    if below and len(path) == 1:
        lines.append(".SH COMMANDS")
        for child in below:
            lines += [".TP", f"\\fB{escaped('-'.join([*path, child['commandName']]))}\\fR(1)", *prose(child.get("abstract"))]
    elif below:
        lines.append(".SH COMMANDS")
        for child in below:
            lines += described_command([*path, child["commandName"]], child)
    lines += options(command, ".SH")
    if len(path) == 1:
        lines += [
            ".SH ENVIRONMENT", ".TP", "\\fBDISPOSABLE_DATA\\fR", "The data folder, where \\fB\\-\\-data\\fR is not given.",
            ".TP", "\\fBXDG_DATA_HOME\\fR", "The parent of the standard data folder, \\fIdisposable\\fR.",
            ".SH FILES", ".TP", "\\fI~/.local/share/disposable\\fR", "The standard data folder.",
            ".TP", "\\fI/var/lib/disposable\\fR", "The data folder of the system service."]
    lines += [".SH SEE ALSO", ", ".join(f"\\fB{escaped(other)}\\fR(1)" for other in others)]
    return "\n".join(lines) + "\n"


def pages(command, version):
    """By file name."""
    names = [child["commandName"] for child in children(command)]
    made = {f"{PROGRAM}.1": page([PROGRAM], command, version, [f"{PROGRAM}-{name}" for name in names])}
    for child in children(command):
        path = [PROGRAM, child["commandName"]]
        made["-".join(path) + ".1"] = page(path, child, version, [PROGRAM])
    return made


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for file, text in pages(json.load(sys.stdin)["command"], sys.argv[2]).items():
        (folder / file).write_text(text)
