# SPDX-License-Identifier: Apache-2.0
# make run    install what is missing, build, and try it: three nodes on this machine
# make lab    build the testers' program: simulate, bench, conformance
# make tls    build the program with HTTPS for the pages (disposable run --tls), in .build-tls; BoringSSL takes minutes
# make test   install what tests need, build, and run every test
# make docs   write the documentation of the libraries into .build/docs/site
# make deb    build a Debian package with all that it needs; make tarball: one for other distributions
# make api    list what has changed in the libraries since the last release
SHELL := /bin/bash
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)
SWIFT := swift
# Without line tables: nobody debugs this build, they are most of its size, and they take a twentieth of its time. With a
# section for each function, so that the linker leaves out what nobody calls. Not with -Osize, which would make it a quarter
# smaller: Swift 6.3.1 then leaves an actor's function on another executor after an await (EventNode.addPhoto).
RELEASE := -c release -debug-info-format none -Xswiftc -Xfrontend -Xswiftc -function-sections

RUN_PACKAGES := pkg-config libavahi-client-dev libsodium-dev libsqlite3-dev libvips-dev libqrencode-dev \
    zlib1g-dev node-tweetnacl node-qrcode-generator librsvg2-bin poppler-utils zbar-tools
TEST_PACKAGES := iproute2 nftables gcc libc6-dev procps util-linux dbus avahi-daemon libimage-exiftool-perl imagemagick ffmpeg \
    unzip xz-utils curl openssl dnsmasq-base chromium chromium-headless-shell firefox-esr webkit2gtk-driver xvfb \
    python3-venv
PACKAGE_TOOLS := binutils chrpath dpkg-dev git xz-utils
PACKAGE_TEST_TOOLS := appstream debootstrap desktop-file-utils iproute2 lintian man-db systemd util-linux
SCREENSHOT_TOOLS := fonts-noto-color-emoji
RADIO_TOOLS := debootstrap e2fsprogs iproute2 qemu-system-x86 util-linux
PYTHON := .build/browser-tests/bin
# A folder of its own: a build with another set of traits would replace the programs.
TLS := --scratch-path .build-tls --traits TLS
INTEROP := .build/interop-tests/bin

.PHONY: run build lab tls deb tarball docs test test-browser test-interop test-tls test-deb test-radio test-long test-sanitize fuzz \
    fuzz-all api screenshots icon packages test-packages package-tools python-packages check-swift protobuf outline \
    format clean

run: build
	.build/release/disposable demo

build: check-swift packages
	$(SWIFT) build $(RELEASE) --product disposable-image-worker
	$(SWIFT) build $(RELEASE) --product disposable

# The testers' program: simulate, bench, conformance.
lab: build
	$(SWIFT) build $(RELEASE) --product disposable-lab
	.build/release/disposable-lab --help

# With HTTPS for the pages.
tls: check-swift packages
	$(SWIFT) build $(RELEASE) $(TLS) --product disposable-image-worker
	$(SWIFT) build $(RELEASE) $(TLS) --product disposable

# Packages of the release build, in .build/packages.
deb tarball: build package-tools
	@packaging/build.py $@

# The documentation of the libraries, as a static site: without network, and a warning is an error.
docs: check-swift packages
	$(SWIFT) build $(RELEASE) --target DisposableKit
	packaging/docs.py .build/release .build/docs

test: check-swift packages test-packages python-packages
	@Tests/lanes.py

# The guests' page as guests see it: Chromium, Firefox and WebKit against nodes of the release build, all on loopback.
test-browser: check-swift packages test-packages python-packages
	@Tests/lanes.py browser

# The protocol as its text describes it: a peer in Python against every vector, against nodes of the release build on
# loopback and in network namespaces (for root), and the guests' API against its description.
test-interop: check-swift packages test-packages python-packages
	@Tests/lanes.py interop

# The pages over HTTPS: Chromium with a camera, and clients that mean harm, in network namespaces. Needs root.
test-tls: tls test-packages python-packages
	DISPOSABLE_BUILD=.build-tls/release $(PYTHON)/pytest -q -p no:cacheprovider Tests/TLS

# The package and the tarball in minimal systems, from installation to purge. Needs root and, once, Debian's mirror.
test-deb: deb test-packages python-packages
	@$(call install,$(PACKAGE_TEST_TOOLS))
	$(INTEROP)/pytest -q -s Tests/Packages

# The tests that need no browser, with programs that have the sanitizer of threads (races), then that of addresses (bytes
# outside, or after their release), each in a build of its own, .build-thread and .build-address. It takes hours. Tests that
# compute in one thread run with the second alone.
test-sanitize: build test-packages python-packages
	$(SWIFT) build $(RELEASE) --product confinement-probe
	@Tests/lanes.py --sanitize thread waiting scenarios interop
	@Tests/lanes.py --sanitize address computing waiting scenarios interop

# What changes of the libraries break programs that use them: compared with the last release.
api: check-swift packages
	@tag=$$(git describe --tags --abbrev=0 --match '[0-9]*' 2>/dev/null); \
	if [ -z "$$tag" ]; then \
	    echo "There is no release yet, so there is nothing to compare the libraries with: a release has a tag, such as 1.0.0."; \
	else \
	    $(SWIFT) package diagnose-api-breaking-changes "$$tag" --products Disposable DisposableCore; \
	fi

# Eight simulated phones on the Wi-Fi of `disposable hotspot` for half an hour (DISPOSABLE_RADIO_MINUTES), in a virtual machine
# with Debian's kernel, by KVM or, many times slower, emulated. Needs root and, once, Debian's mirror; skipped with a reason
# elsewhere.
test-radio: deb test-packages python-packages
	@$(call install,$(RADIO_TOOLS))
	$(PYTHON)/pytest -q -rs -p no:cacheprovider Tests/Radio

# Coverage-guided fuzzing with libFuzzer: of one decoder, `make fuzz TARGET=message SECONDS=60`, or of all, each as long.
# Tests/Fuzz/Targets has their names.
fuzz: check-swift packages
	Tests/Fuzz/run.sh $(or $(SECONDS),60) $(TARGET)

fuzz-all: TARGET :=
fuzz-all: fuzz

# The pictures of journeys that are kept.
JOURNEYS := board-en-phone-favourite board-fr-desktop-map board-en-phone-month board-fr-phone-month \
    moment-en-desktop-side-by-side moment-fr-phone-side-by-side days-en-phone-card days-fr-phone-card

# Pictures of every page and view, in both languages and themes, into .build/screenshots, for a person who looks at them;
# and a choice of them, with the picture of the README, into examples/screenshots.
screenshots: build test-packages python-packages
	@$(call install,$(SCREENSHOT_TOOLS))
	$(PYTHON)/python Tests/Browser/screenshots.py examples/screenshots --all .build/screenshots
	DISPOSABLE_SHOTS=.build/screenshots/journeys $(PYTHON)/pytest -q Tests/Browser/test_journeys.py
	cp $(foreach way,$(JOURNEYS),.build/screenshots/journeys/$(way).*) examples/screenshots/journeys/

# The icon for the home screen of an iPhone, after a change of icon.svg. It must not be transparent.
icon: packages
	rsvg-convert -w 180 -h 180 --background-color '#fff8ec' Sources/DisposablePortal/Public/icon.svg \
	    -o Sources/DisposablePortal/Public/apple-touch-icon.png

python-packages: $(PYTHON)/ready $(INTEROP)/ready

$(PYTHON)/ready: Tests/Browser/requirements.txt | test-packages
	/usr/bin/python3 -m venv .build/browser-tests
	$(PYTHON)/pip install -q --disable-pip-version-check -r $<
	@touch $@

$(INTEROP)/ready: Tests/Interop/requirements.txt examples/python-peer/requirements.txt | test-packages
	/usr/bin/python3 -m venv .build/interop-tests
	$(INTEROP)/pip install -q --disable-pip-version-check -r $<
	@touch $@

# What takes longer than continuous integration may; Tests/LOG.md has results with their dates.
test-long: test
	@export DISPOSABLE_LONG=1; $(call swift-test,--filter 'RandomPartyTests|FuzzTests|crossingDials|LargeEventStoryTests|ConformanceTests')
	@export DISPOSABLE_LONG=1; $(call swift-test,--filter 'InterruptionTests|CrashTests')
	@# All variants of the tests that run in shares, and the larger forms.
	DISPOSABLE_LONG=1 $(PYTHON)/pytest -q -m "share or long" Tests/Browser
	@# The example as a package by itself, which compiles every dependency once more.
	$(SWIFT) build $(RELEASE) --package-path examples/embed --scratch-path $(CURDIR)/.build-embed --product embed
	DISPOSABLE_EMBED=.build-embed/release/embed $(INTEROP)/pytest -q Tests/Interop/test_embed.py
	DISPOSABLE_LONG=1 $(INTEROP)/pytest -q -m "share or long" Tests/Interop
	@# Two hours; DISPOSABLE_ENDURANCE_SECONDS=300 is the shortest form.
	DISPOSABLE_LONG=1 $(INTEROP)/pytest -q -s Tests/Interop/test_endurance.py
	.build/release/disposable-lab simulate --peers 40 --photos 60 --seed 500000 --runs 20 --faults all
	@# A day of five machines that come and go.
	.build/release/disposable-lab simulate --peers 5 --photos 300 --minutes 1440 --seed 510000 --faults churn
	@$(MAKE) --no-print-directory test-tls
	@$(MAKE) --no-print-directory test-deb
	@$(MAKE) --no-print-directory test-radio
	@$(MAKE) --no-print-directory fuzz-all SECONDS=300

check-swift:
	@command -v $(SWIFT) >/dev/null || { echo "There is no Swift toolchain: install Swift 6.3 or later from swift.org" >&2; exit 1; }

packages:
	@$(call install,$(RUN_PACKAGES))

test-packages:
	@$(call install,$(TEST_PACKAGES))

package-tools:
	@$(call install,$(PACKAGE_TOOLS))

# Says once more at the end what failed: among the lines of a thousand tests nobody finds it.
define swift-test
set -o pipefail; $(SWIFT) test $(RELEASE) --skip-build $(1) 2>&1 | tee .build/tests.log || \
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

# Makes the outline of the world for the board from a wheel of PyPI.
outline:
	pip download --quiet --no-deps --dest .build/outline geopandas==0.14.4
	python3 packaging/outline.py .build/outline/geopandas-0.14.4-py3-none-any.whl

format:
	git ls-files '*.swift' | grep -v /Generated/ | xargs $(SWIFT) format format --in-place

clean:
	rm -rf .build .build-tls .build-embed .build-thread .build-address
