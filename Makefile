# `make help` says what each target does. Two do everything on a fresh Debian 12 with Swift 6.3: run and test.

.PHONY: help run build install uninstall packaging systemd test proof bench lint format journeys clean
.DEFAULT_GOAL := help

help: ## Say what each target does
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 18

run: ## Install what is missing, build release, follow a journey with the example app, compare three settings
	@scripts/run-example

build: ## Build release; the command line is then .build/release/corelocation
	@scripts/install-dependencies
	@echo "Building release"
	@swift build -c release --product corelocation

install: ## Build release with Swift's libraries inside, then install programs and units (PREFIX, DESTDIR, BINARIES)
	@scripts/install

uninstall: ## Take away what install put there (PREFIX, DESTDIR); what people have allowed stays
	@scripts/install-files uninstall

packaging: ## Check the units and the installed files in a folder of its own, and print the units' exposure
	@scripts/check-packaging

systemd: ## Boot a systemd on a throw-away copy of this machine (root), and lead installed apps through their life there
	@scripts/check-systemd

test: ## Install what is missing, then everything a change has to pass: format, strict build, tests, benchmarks (tiny)
	@scripts/test

proof: ## Every proof in its full size, release build; takes long
	@scripts/proof

bench: ## The benchmarks in full size, release build
	@scripts/bench

lint: ## Tell where the format of the Swift sources is off
	@echo "Checking the format"
	@scripts/format --check

format: ## Format the Swift sources
	@echo "Formatting"
	@scripts/format

journeys: ## Draw the journeys of Examples/Journeys again
	@scripts/draw-journeys

clean: ## Remove what was built
	@echo "Removing .build and the build folders of the example and the benchmarks"
	@rm -rf .build Examples/*/.build Benchmarks/.build
