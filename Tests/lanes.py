#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the project and runs every test, as lanes side by side on all cores: `make test`.

Most tests wait for something (a timer, a peer, a browser), others compute for minutes. In one process they would share
its threads, and a test that waits would get its turn late. So each lane is a process of its own, those that compute at
a low priority, and each scenario, which has its own network, is one, too. At the end there is a report: lanes,
slowest tests, processor seconds, failures. Random tests begin at a seed that differs from run to run and is printed;
DISPOSABLE_SEED repeats a run. It also chooses the variants of tests that run in shares (Tests/README.md). Logs are in
.build/test-logs.

A test that fails beside all the others runs once more when they have ended, with the same seed. Where it passes then,
the report says so: it depends on the speed of the machine, and has to be rewritten, but the run counts as passed.

    Tests/lanes.py                  everything
    Tests/lanes.py browser interop  some lanes, with the builds they need
    Tests/lanes.py --sanitize thread waiting scenarios
                                    lanes with programs that have a sanitizer (thread or address), in a build of their own
"""

import ctypes
import json
import os
import queue
import re
import secrets
import shutil
import signal
import subprocess
import sys
import threading
import time
import xml.etree.ElementTree as XML
from collections import namedtuple
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SANITIZER = sys.argv[2] if sys.argv[1:2] == ["--sanitize"] and len(sys.argv) > 2 else None
ORDINARY = ROOT / ".build/release"
BUILD = ROOT / f".build-{SANITIZER}/release" if SANITIZER else ORDINARY
# The same as in the Makefile: other options would build everything again. With a sanitizer, line tables are for its reports.
RELEASE = ["-c", "release", "--sanitize", SANITIZER, "--scratch-path", ROOT / f".build-{SANITIZER}"] if SANITIZER else [
    "-c", "release", "-debug-info-format", "none", "-Xswiftc", "-Xfrontend", "-Xswiftc", "-function-sections"]
LOGS = ROOT / (f".build/{SANITIZER}-logs" if SANITIZER else ".build/test-logs")
TESTS = BUILD / "disposablePackageTests.xctest"
# These limit their memory, and a sanitizer reserves terabytes of addresses: they are taken from the ordinary build.
CONFINED = ["disposable-image-worker", "confinement-probe"]
# Tests of how much memory programs need: a sanitizer takes several times as much.
MEASURING = ["Tests/Interop/test_load.py"]
# Sanitizers write one file for each process with a finding: tests end most processes by a signal, and lose their exit code.
FINDINGS = "finding"

# Targets whose tests compute and wait for nothing.
COMPUTING = r"^(ConformanceTests|Disposable(Crypto|MDNS|Model|Noise|Simulation|Store|Sync|Values|Wire)Tests|FuzzTests|LayeringTests)\."
SCENARIOS = r"^ScenarioTests\.Scenarios/"
# A scenario waits most of its time.
SCENARIO_WORKERS = 2 * (os.cpu_count() or 2)
# A browser test waits a third of its time, an interop test most of it.
BROWSER_WORKERS = max(3, os.cpu_count() or 2)
INTEROP_WORKERS = max(2, os.cpu_count() or 2)
# At most this many waiting tests run at once. If all 600 did, each would last as long as all of them together, and exceed
# its time limit on a busy machine.
WAITING_WIDTH = 6 * (os.cpu_count() or 2)
# Applies where Linux does not group processes by session: waiting tests go first, and computing ones still get a share.
COMPUTING_NICE = 5
# A run that hangs ends with a report of what hangs, before the continuous integration gives up after 90 minutes.
LIMIT_SECONDS = (480 if SANITIZER else 86) * 60

# If more tests fail, the cause is not the speed of the machine.
REPEATS_MAX = 10

# `repeat` is the command that runs the test by itself.
Case = namedtuple("Case", "name seconds failure is_skipped repeat", defaults=[False, None])


class Lane:
    """One strand of the run. `work(lane)` runs when the lanes in `after` have succeeded, and when those in `behind` have
    ended, if they run at all."""

    def __init__(self, name, after, work, behind=()):
        self.name, self.after, self.work, self.behind = name, after, work, behind
        self.done = threading.Event()
        self.lock = threading.Lock()
        self.state = "not run"
        self.seconds = self.cpu = 0.0
        self.cases = []

    def execute(self, lanes):
        for name in [*self.after, *self.behind]:
            if name in lanes:
                lanes[name].done.wait()
        if all(lanes[name].state == "passed" for name in self.after) and not stopping.is_set():
            begin = time.monotonic()
            say(f"{self.name} begins")
            try:
                isFine = self.work(self)
            except OSError as error:
                isFine = False
                say(f"{self.name}: {error}")
            self.seconds = time.monotonic() - begin
            self.state = "passed" if isFine and not any(case.failure for case in self.cases) else "failed"
            say(f"{self.name} {self.state} after {clock(self.seconds)}")
        elif stopping.is_set():
            self.state = "stopped"
        self.done.set()

    def run(self, log, *command, nice=0):
        """Runs a program with its output in a log; returns its exit code. Its processor time counts for the lane."""
        with open(LOGS / f"{log}.log", "wb") as output:
            with children:
                process = subprocess.Popen(
                    [str(word) for word in command], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=output,
                    stderr=subprocess.STDOUT, env={**os.environ, "NO_COLOR": "1"},
                    # Linux gives every session the same share of the processors: so a lane with many threads does not slow
                    # down one with few.
                    start_new_session=True, preexec_fn=(lambda: os.nice(nice)) if nice else None)
                running.add(process.pid)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            with children:
                running.discard(process.pid)
                ended.add(process.pid)
            with self.lock:
                self.cpu += usage.ru_utime + usage.ru_stime
        return process.returncode


# Held while a program is started or its end is noted.
children = threading.Lock()
running = set()
ended = set()
stopping = threading.Event()
started = time.monotonic()


def say(text):
    # In one piece: several lanes speak.
    sys.stdout.write(f"{clock(time.monotonic() - started)}  {text}\n")
    sys.stdout.flush()


def clock(seconds):
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


# Builds. The release build serves the tests as well: they use package access, not @testable. Products by name, because
# --build-tests builds every tool of every dependency, a protobuf compiler in C++ among them.

def build(*products):
    def work(lane):
        return all(
            lane.run(f"build-{product}", "swift", "build", *RELEASE, "--product", product) == 0
            or show_end(f"build-{product}") for product in products) and (not SANITIZER or take_confined())
    return work


def take_confined():
    for program in CONFINED:
        if (ORDINARY / program).exists():
            shutil.copyfile(ORDINARY / program, BUILD / program)
            (BUILD / program).chmod(0o755)
    return True


def findings():
    """What the sanitizer has found, of each process as a failed case."""
    return [Case(f"{SANITIZER} sanitizer, {file.name}", 0, file.read_text(errors="replace"))
            for file in sorted(LOGS.glob(f"{FINDINGS}.*"))]


def show_end(log):
    """Prints the end of a log. Returns False, so that it can stand behind what has failed."""
    lines = (LOGS / f"{log}.log").read_text(errors="replace").splitlines()
    errors = [line for line in lines if "error:" in line]
    print("\n".join((errors or lines)[-40:]), flush=True)
    return False


# Swift tests

def swift_tests(lane, log, *options, nice=0):
    """Runs the test program itself: `swift test` holds a lock, so that only one of them could run."""
    report, events = LOGS / f"{log}.xml", LOGS / f"{log}.events"
    report.unlink(missing_ok=True)
    code = lane.run(
        log, TESTS, "--testing-library", "swift-testing", "--xunit-output", report, "--event-stream-output-path", events,
        "--event-stream-version", "0", *options, nice=nice)
    seconds = durations(events)
    cases = [case._replace(seconds=seconds.get(plain_name(case.name), 0))
             for case in read_report(report, again_in_swift, failures_of_swift(log))]
    if code != 0 and not any(case.failure for case in cases):
        cases.append(Case(f"{log}: the test program", 0, f"ended with {code}\n" + end_of(log)))
    with lane.lock:
        lane.cases += cases
    return cases


def durations(events):
    """From the begin of each test's first case to the end of its last. For a test that has no cases, the program tells
    only when it was queued: that is its begin if it was the only test."""
    tests, cases = {}, {}
    # Names may hold what Python takes for line ends.
    for line in events.read_text(errors="replace").split("\n") if events.exists() else []:
        try:
            event = json.loads(line)["payload"]
        except ValueError:
            continue  # the last, empty or not written to its end
        if not re.match("test(Case)?(Started|Ended)$", event["kind"]) or ".swift:" not in event["testID"]:
            continue
        name = plain_name(re.sub(r"/[^/]*\.swift:.*$", "", event["testID"]))
        times = (cases if "Case" in event["kind"] else tests).setdefault(name, [])
        times.append(event["instant"]["absolute"])
    return {name: times[-1] - times[0] for name, times in (tests if len(tests) == 1 else cases).items()}


def plain_name(name):
    """Reports and events write suites in suites differently."""
    return name.replace("/", ".")


def end_of(log, count=40):
    return "\n".join((LOGS / f"{log}.log").read_text(errors="replace").splitlines()[-count:])


def failures_of_swift(log):
    """What a log says about tests that failed, by their function or display name."""
    text = (LOGS / f"{log}.log").read_text(errors="replace").splitlines()
    found = [number for number, line in enumerate(text) if "recorded an issue" in line]
    return "\n".join("\n".join(text[number:number + 9]) for number in found[:20])


def again_in_swift(group, name):
    log = "again-" + re.sub(r"\W+", "-", f"{group}-{name}").strip("-")
    # A suite in a suite stands behind a dot in the report, and behind a slash in what a filter is compared with.
    suite = re.escape(group).replace(r"\.", "[./]")
    return lambda lane: swift_tests(lane, log, "--filter", f"^{suite}/{re.escape(name)}(/|$)")


def read_report(path, again, explanation=""):
    """The cases of a JUnit report. Nothing where there is none, or half of one: the program ended before it wrote it."""
    try:
        root = XML.parse(path).getroot()
    except (FileNotFoundError, XML.ParseError):
        return
    for case in root.iter("testcase"):
        failures = [element.get("message", "") + "\n" + (element.text or "") for element in case
                    if element.tag in ("failure", "error")]
        failure = ("\n".join(failures) + "\n" + explanation) if failures else None
        # An error of the run itself names no file, so it cannot be repeated.
        group, name = case.get("classname"), case.get("name")
        yield Case(f"{group}/{name}", float(case.get("time") or 0), failure, case.find("skipped") is not None,
                   again(group, name) if group else None)


def computing(lane):
    return swift_tests(lane, "computing", "--filter", COMPUTING, nice=COMPUTING_NICE)


def waiting(lane):
    return swift_tests(lane, "waiting", "--experimental-maximum-parallelization-width", str(WAITING_WIDTH),
                       "--skip", COMPUTING, "--skip", SCENARIOS)


def scenarios(lane):
    """One process each, some at a time: a scenario has network namespaces and folders of its own."""
    if lane.run("scenario-list", TESTS, "--testing-library", "swift-testing", "--list-tests") != 0:
        return show_end("scenario-list")
    names = sorted({re.sub(r"/[^/]*\.swift:.*$", "", line.strip())
                    for line in (LOGS / "scenario-list.log").read_text().splitlines() if re.match(SCENARIOS, line)})
    tasks = queue.SimpleQueue()
    for name in names:
        tasks.put(name)

    def work():
        while not stopping.is_set():
            try:
                name = tasks.get_nowait()
            except queue.Empty:
                return
            log = "scenario-" + re.sub(r"\W+", "-", name.split("/", 1)[1]).strip("-")
            for case in swift_tests(lane, log, "--filter", f"^{re.escape(name)}(/|$)"):
                if case.failure:
                    say(f"{case.name} failed")

    workers = [threading.Thread(target=work) for _ in range(SCENARIO_WORKERS)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return names


# Python tests

def pytest(folder, *options, log=None, cases=()):
    """Runs the tests of a folder, or some cases of it by their ids."""
    name = folder.name.lower()
    log = log or name
    if not cases:
        # Files are shared out in the order of `LONGEST` in conftest.py: the last ones to begin take seconds.
        options = (*options, "--dist", "loadfile", "--no-loadscope-reorder")
    if SANITIZER:
        options = (*options, *(f"--deselect={test}" for test in MEASURING))

    def again(group, case):
        identifier = f"{group.replace('.', '/')}.py::{case}"
        return pytest(folder, log="again-" + re.sub(r"\W+", "-", identifier).strip("-"), cases=[identifier])

    def work(lane):
        report = LOGS / f"{log}.xml"
        report.unlink(missing_ok=True)
        code = lane.run(
            log, ROOT / f".build/{name}-tests/bin/pytest", "-q", "-rs", "-p", "no:cacheprovider",
            f"--junitxml={report}", *options, *(cases or [folder]))
        lane.cases += read_report(report, again)
        return code == 0 or show_end(log)
    return work


LANES = {lane.name: lane for lane in [
    # Nothing runs beside a build: beside the browsers the test program takes four times as long, and the longest lane waits
    # for it.
    Lane("programs", [], build("disposable-image-worker", "disposable", "disposable-lab", "embed-example")),
    Lane("test program", ["programs"], build("disposablePackageTests")),
    Lane("browser", ["programs"], pytest(ROOT / "Tests/Browser", "-n", str(BROWSER_WORKERS)),
         behind=["test program"]),
    Lane("interop", ["programs"], pytest(ROOT / "Tests/Interop", "-n", str(INTEROP_WORKERS)), behind=["test program"]),
    Lane("scenarios", ["test program"], scenarios),
    Lane("waiting", ["test program"], waiting),
    Lane("computing", ["test program"], computing),
]}


def needed(names):
    """The lanes of these names and those they come after, in the order of the table."""
    wanted = set(names)
    for name in reversed(LANES):
        if name in wanted:
            wanted.update(LANES[name].after)
    return [lane for name, lane in LANES.items() if name in wanted]


def repeat_failures(lanes):
    """Runs each test that failed once more, by itself. Returns those that passed then."""
    failed = [(lane, case) for lane in lanes for case in lane.cases if case.failure]
    unsteady = []
    for lane, case in failed if len(failed) <= REPEATS_MAX else []:
        if not case.repeat or stopping.is_set():
            continue
        again = Lane(f"{case.name} by itself", [], case.repeat)
        again.execute({})
        lane.cpu += again.cpu
        if again.state == "passed" and again.cases:
            lane.cases[lane.cases.index(case)] = case._replace(failure=None)
            unsteady.append(case)
        if not any(case.failure for case in lane.cases):
            lane.state = "passed"
    return unsteady


def stop(*_):
    """Ends all that runs. The lanes then report what they had."""
    stopping.set()
    for process in list(running):
        try:
            os.killpg(process, signal.SIGTERM)
        except ProcessLookupError:
            pass


def adopt_orphans():
    """Makes this process the parent of what its programs leave behind when they end (prctl(2)), and reaps that."""
    PR_SET_CHILD_SUBREAPER = 36
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)

    def reap():
        while True:
            time.sleep(0.2)
            with children:
                for orphan in orphans():
                    os.waitpid(orphan, os.WNOHANG)

    threading.Thread(target=reap, daemon=True).start()


def orphans():
    own = os.getpid()
    adopted = [int(stat.parent.name) for stat in Path("/proc").glob("[0-9]*/stat") if parent(stat) == own]
    return [process for process in adopted if process not in running]


def clean_up():
    """Ends what an interrupted run has left: nodes, and the networks of scenarios, which are named after their process."""
    with children:
        while left := orphans():
            for orphan in left:
                os.kill(orphan, signal.SIGKILL)
                os.waitpid(orphan, 0)
        for space in Path("/run/netns").glob("t*_*"):
            if int(re.match(r"t(\d+)", space.name)[1]) in ended:
                subprocess.run(["ip", "netns", "delete", space.name], check=False)


def parent(stat):
    try:
        return int(stat.read_text().rpartition(")")[2].split()[1])
    except OSError:
        return None


def report(lanes, unsteady):
    cases = [case for lane in lanes for case in lane.cases] + findings()
    failed = [case for case in cases if case.failure]
    for case in failed + unsteady:
        print(f"\n--- {case.name}\n{case.failure.strip()[:6000]}")
    print("\nlane            result    tests    minutes   CPU s")
    for lane in lanes:
        print(f"{lane.name:<15} {lane.state:<8} {len(lane.cases) or '':>6} {clock(lane.seconds):>10} {lane.cpu:>7.0f}")
    print(f"{'all':<15} {'':<8} {len(cases):>6} {clock(time.monotonic() - started):>10} "
          f"{sum(lane.cpu for lane in lanes):>7.0f}")
    print("\nslowest tests")
    skipped = [case for case in cases if case.is_skipped]
    for case in sorted(cases, key=lambda case: -case.seconds)[:15]:
        print(f"{case.seconds:>8.1f} s  {case.name}")
    print(f"\nseed {os.environ['DISPOSABLE_SEED']} (DISPOSABLE_SEED repeats it)")
    broken = [lane for lane in lanes if lane.state != "passed"]
    for lane in broken:
        print(f"{lane.name}: {lane.state}; see .build/test-logs")
    for case in skipped:
        print(f"skipped: {case.name}")
    for case in unsteady:
        print(f"failed beside the others, passed by itself: {case.name}: {reason(case)}")
    for case in failed:
        print(f"failed: {case.name}: {reason(case)}")
    # The last line is read by programs.
    print(f"{len(cases) - len(failed) - len(skipped)} passed, {len(failed)} failed, {len(skipped)} skipped")
    return 1 if failed or broken or not cases else 0


def reason(case):
    """The line of a failure that says most, short enough for a list."""
    lines = [line.strip() for line in case.failure.splitlines() if line.strip()]
    telling = [line for line in lines if re.search(r"issue at|Error|error:|assert|ended with", line)]
    return (telling or lines or ["no reason given"])[0][:300]


def prepare_sanitizer():
    """Sanitizers go on after a finding, and write it to a file; what nobody frees at the end is no finding."""
    for file in LOGS.glob(f"{FINDINGS}.*"):
        file.unlink()
    options = f"log_path={LOGS / FINDINGS}:halt_on_error=0:detect_leaks=0"
    suppressions = ROOT / f"Tests/Sanitizers/{SANITIZER}.txt"
    if suppressions.exists():
        options += f":suppressions={suppressions}"
    os.environ.update({f"{SANITIZER[0].upper()}SAN_OPTIONS": options, "DISPOSABLE_BUILD": str(BUILD)})


def main():
    names = sys.argv[3 if SANITIZER else 1:] or list(LANES)
    unknown = [name for name in names if name not in LANES]
    if unknown:
        sys.exit(f"there is no lane {', '.join(unknown)}; there are {', '.join(LANES)}")
    if SANITIZER not in (None, "thread", "address"):
        sys.exit(f"there is no sanitizer {SANITIZER}; there are thread and address")
    LOGS.mkdir(parents=True, exist_ok=True)
    if SANITIZER:
        prepare_sanitizer()
    os.environ.setdefault("DISPOSABLE_SEED", str(secrets.randbelow(1_000_000_000)))
    say(f"seed {os.environ['DISPOSABLE_SEED']}")
    adopt_orphans()
    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)
    lanes = needed(names)
    run = {lane.name: lane for lane in lanes}
    threads = [threading.Thread(target=lane.execute, args=(run,)) for lane in lanes]
    for thread in threads:
        thread.start()
    limit = threading.Timer(LIMIT_SECONDS, lambda: (say("stopped: the run took too long"), stop()))
    limit.daemon = True
    limit.start()
    for thread in threads:
        # In steps, so that signals are handled meanwhile.
        while thread.is_alive():
            thread.join(1)
    unsteady = repeat_failures(lanes)
    clean_up()
    sys.exit(report(lanes, unsteady))


if __name__ == "__main__":
    main()
