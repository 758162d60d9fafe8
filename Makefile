# SPDX-License-Identifier: Apache-2.0
# make run    install what is missing, build, and try it: three nodes on this machine
# make test   install what tests need, build, and run every test
SHELL := /bin/bash
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)
SWIFT := swift

RUN_PACKAGES := pkg-config libavahi-client-dev libavahi-core-dev libsodium-dev libsqlite3-dev libvips-dev libqrencode-dev \
    zlib1g-dev node-tweetnacl node-qrcode-generator librsvg2-bin poppler-utils zbar-tools
TEST_PACKAGES := iproute2 nftables gcc libc6-dev procps util-linux dbus avahi-daemon libimage-exiftool-perl imagemagick ffmpeg \
    unzip chromium webkit2gtk-driver xvfb python3-venv
PYTHON := .build/browser-tests/bin
INTEROP := .build/interop-tests/bin
# Tests that compute and wait for nothing.
COMPUTING := ^(ConformanceTests|Disposable(Crypto|Model|Noise|Simulation|Store|Sync|Wire)Tests|FuzzTests|LayeringTests)\.

.PHONY: run build test test-browser test-interop test-long fuzz fuzz-all screenshots packages test-packages check-swift protobuf format clean

run: build
	.build/release/disposable demo

build: check-swift packages
	$(SWIFT) build -c release --product disposable-image-worker
	$(SWIFT) build -c release --product disposable

# One release build serves: tests use package access, not @testable. The product by name, because --build-tests builds
# every tool of every dependency as well, a protobuf compiler in C++ among them. All tests of a process begin at once and
# share as many threads as there are cores: among tests that compute for minutes, one that waits for something gets its
# turn when they are done, long after what it waits for. So they run apart.
test: check-swift packages test-packages
	$(SWIFT) build -c release --product disposablePackageTests
	@$(call swift-test,--skip '$(COMPUTING)')
	@$(call swift-test,--filter '$(COMPUTING)')
	@$(MAKE) --no-print-directory test-browser
	@$(MAKE) --no-print-directory test-interop

# The guests' page, as guests see it: Chromium and WebKit against nodes of the release build, all on loopback.
test-browser: build test-packages $(PYTHON)/ready
	$(PYTHON)/pytest -q -p no:cacheprovider --durations=10 Tests/Browser

# The protocol in the words of its text alone: a peer in Python against every vector, against nodes of the release build on
# loopback and in network namespaces (for root), and the guests' API against its description.
test-interop: build test-packages $(INTEROP)/ready
	$(INTEROP)/pytest -q -rs -p no:cacheprovider --durations=10 Tests/Interop

# Coverage-guided fuzzing with libFuzzer: of one decoder, `make fuzz TARGET=message SECONDS=60`, or of all, each as long.
# Tests/Fuzz/Targets has their names.
fuzz: check-swift packages
	Tests/Fuzz/run.sh $(or $(SECONDS),60) $(TARGET)

fuzz-all: TARGET :=
fuzz-all: fuzz

# Every page at the size of a phone, light and dark, into examples/screenshots.
screenshots: build test-packages $(PYTHON)/ready
	$(PYTHON)/python Tests/Browser/screenshots.py examples/screenshots

$(PYTHON)/ready: Tests/Browser/requirements.txt | test-packages
	/usr/bin/python3 -m venv .build/browser-tests
	$(PYTHON)/pip install -q --disable-pip-version-check -r $<
	@touch $@

$(INTEROP)/ready: Tests/Interop/requirements.txt examples/python-peer/requirements.txt | test-packages
	/usr/bin/python3 -m venv .build/interop-tests
	$(INTEROP)/pip install -q --disable-pip-version-check -r $<
	@touch $@

# What takes more than the CI's time; results with their dates stand in Tests/README.md.
test-long: test
	@export DISPOSABLE_LONG=1; $(call swift-test,--filter 'RandomPartyTests|FuzzTests')
	@export DISPOSABLE_LONG=1; $(call swift-test,--filter 'InterruptionTests|CrashTests')
	.build/release/disposable simulate --peers 40 --photos 60 --seed 500000 --runs 20 --faults all
	@$(MAKE) --no-print-directory fuzz-all SECONDS=300

check-swift:
	@command -v $(SWIFT) >/dev/null || { echo "There is no Swift toolchain: install Swift 6.3 or later from swift.org" >&2; exit 1; }

packages:
	@$(call install,$(RUN_PACKAGES))

test-packages:
	@$(call install,$(TEST_PACKAGES))

# Says once more at the end what failed: among the lines of a thousand tests nobody finds it.
define swift-test
set -o pipefail; $(SWIFT) test -c release --skip-build $(1) 2>&1 | tee .build/tests.log || \
{ echo "What failed:"; grep -F -A 8 'recorded an issue' .build/tests.log; false; }
endef

# Says what is missing, installs it, and starts no service that a package brings.
define install
missing=$$(for package in $(1); do \
    dpkg-query -W -f='$${Status}' $$package 2>/dev/null | grep -q 'ok installed' || echo $$package; done); \
if [ -n "$$missing" ]; then \
    echo "Installing Debian packages:" $$missing; \
    $(SUDO) apt-get update -qq && \
    $(SUDO) env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get install -y -qq --no-install-recommends $$missing >/dev/null; \
fi
endef

# After a change of protocol/disposable.proto; needs protobuf-compiler and swift-protobuf's protoc-gen-swift on the path.
protobuf:
	protoc --swift_out=Sources/DisposableWire/Generated --swift_opt=Visibility=Internal \
	    --swift_opt=UseAccessLevelOnImports=true --proto_path=protocol protocol/disposable.proto

format:
	git ls-files '*.swift' | grep -v /Generated/ | xargs $(SWIFT) format format --in-place

clean:
	rm -rf .build
