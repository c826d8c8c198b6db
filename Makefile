# make run    builds Sortie and opens the demo            make test   everything that CI runs
# make check  format, build, tests without processes      make test-long   more sessions, larger crash tests, a package of a user
# make build  leaves the release program at .build/release/sortie
# make install PREFIX=/usr/local DESTDIR=     make deb, make dist: a Debian package, a tarball
#                                             make wheel, rpm: packages for pip, and for Fedora, RHEL and SUSE; make check-dist tries all
# make check-arm64                            the archive for 64-bit ARM, built and tried in Debian under QEMU, as root
# make source                                 an archive of the sources that builds without git and a network
# make fuzz [TARGET=NAME SECONDS=60]          fuzzes what reads foreign bytes
# make soak [MINUTES=60 SEED=N]               the workbench under random input, changes and kills
# make sanitize [KIND=address FILTER=REGEX]   the tests under AddressSanitizer or ThreadSanitizer; make bench: one table beside other programs
# Each installs what it needs on Debian and Ubuntu; Swift itself has to be there.

SHELL := /bin/bash
# Without --disable-local-rpath a program looks for libcurl and libsqlite3 in its own directory first, so that a planted library is loaded.
SWIFT_BUILD := swift build --explicit-target-dependency-import-check error --disable-local-rpath
# The program loads libcurl and its 32 libraries at the first request (CLibraries); FoundationNetworking, which FlyingFox imports, would link it.
WITHOUT_LIBCURL := -Xswiftc -Xfrontend -Xswiftc -disable-autolink-library -Xswiftc -Xfrontend -Xswiftc curl
# 3 MB less, with a glibc that can read them.
PACKED_RELOCATIONS := $(if $(shell printf '2.36\n%s\n' "$$(getconf GNU_LIBC_VERSION | cut -d' ' -f2)" | sort -VC && echo yes),\
  -Xlinker -z -Xlinker pack-relative-relocs)
# Without these the program can contain the names of C files (assert), with the path of this folder.
WITHOUT_PATHS := -Xcc -ffile-prefix-map=$(CURDIR)=. -Xcxx -ffile-prefix-map=$(CURDIR)=.
# The linker leaves out functions that nothing calls where each has a section: some megabytes less.
WITHOUT_UNUSED := -Xswiftc -Xfrontend -Xswiftc -function-sections
# The runtime finds a type such as Dictionary<Name, Value> by its name otherwise, and then searches all conformances of the program for Name: Hashable,
# 0.7 million instructions; half of those of sortie send were such searches.
WITHOUT_NAMES_OF_TYPES := -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors
# 7 MB less without tables that nothing reads.
WITHOUT_UNWINDING := -Xlinker --no-eh-frame-hdr -Xlinker -T -Xlinker .ci/without-unwinding.ld
LINK_INPUTS = $$(.ci/link-inputs | xargs)
RELEASE_BUILD = SORTIE_LINK_INPUTS="$(LINK_INPUTS)" $(SWIFT_BUILD) -c release --static-swift-stdlib -Xcc -fstack-protector-strong \
  $(WITHOUT_PATHS) $(WITHOUT_LIBCURL) $(WITHOUT_UNUSED) $(WITHOUT_NAMES_OF_TYPES) $(WITHOUT_UNWINDING) $(PACKED_RELOCATIONS)

# What sortie --version names; one file is compiled again when it changes.
export SORTIE_COMMIT := $(shell .ci/commit)

PREFIX ?= /usr/local
# Where archives and packages are written.
DIST ?= .
ARCHIVE = $$(ls -t $(DIST)/sortie-*-linux-$$(uname -m).tar.gz | head -n 1)
# sudo make install installs what make build has built before: Swift is rarely on root's path, and files of root would stay in .build.
BUILT := $(if $(SUDO_USER),,build)

.PHONY: run check test test-long fuzz soak build install uninstall deb dist source wheel rpm check-dist check-arm64 check-release setup setup-test setup-bench setup-deb setup-dist lint bench docs references pictures order clean sanitize

run: setup
	@echo "== Building Sortie (the first time takes some minutes)"
	@$(SWIFT_BUILD) --product sortie
	@.ci/hardening "$$(swift build --show-bin-path)/sortie"
	@"$$(swift build --show-bin-path)/sortie" demo

build: setup
	@echo "== Building the release program"
	@$(RELEASE_BUILD) --product sortie
	@.ci/hardening .build/release/sortie
	@echo "== .build/release/sortie"

# The program without debug information, its manual, and completions for bash, zsh and fish.
install: $(BUILT)
	@.ci/install .build/release/sortie "$(DESTDIR)$(PREFIX)"
	@echo "== $(DESTDIR)$(PREFIX)/bin/sortie"

uninstall:
	@.ci/install --remove "$(DESTDIR)$(PREFIX)"

# sortie_VERSION_ARCHITECTURE.deb, which apt installs (apt install ./sortie_*.deb), and sortie-bundled_…, which needs no other package
deb: dist setup-deb
	@echo "== $$(.ci/deb .build/release/sortie $(DIST))"
	@echo "== $$(.ci/deb $(ARCHIVE) $(DIST))"

# sortie-VERSION-linux-ARCHITECTURE.tar.gz, .tar.xz and .run, which run on any Linux, and their checksums
dist: $(BUILT) setup-dist
	@.ci/dist .build/release/sortie $(DIST) | sed 's/^/== /'

# sortie-VERSION.tar.xz with the sources and the Swift packages, which builds without git and a network
source: setup
	@swift package resolve
	@echo "== $$(.ci/source $(DIST))"

# sortie_http-VERSION-….whl, which pip and pipx install
wheel: dist
	@echo "== $$(.ci/wheel $(ARCHIVE) $(DIST))"

rpm: dist
	@echo "== $$(.ci/rpm $(ARCHIVE) $(DIST))"

# Tries the archives and packages in Debian 11, 12 and 13 and in a system that has only busybox; as root.
check-dist: dist
	@.ci/setup check-dist
	@.ci/check-dist $(DIST)

# Makes the archives for 64-bit ARM, and tries them in Debian 13 under QEMU; as root.
check-arm64: setup
	@.ci/setup check-dist
	@swift package resolve
	@.ci/check-arm64 $(DIST)

# The optimizer can fail where the debug build succeeds, so this belongs before a release and into a scheduled run; it takes 5 to 10 minutes.
check-release: build
	@echo "== Trying the release program against its own server"
	@.ci/release .build/release/sortie
	@echo "== Installing and packing it"
	@.ci/packaging .build/release/sortie

# For every change: what needs no other program. The build of make test is the same, so nothing is built twice.
check: setup lint
	@echo "== Building the program and its tests"
	@$(SWIFT_BUILD) --build-tests
	@echo "== Testing without processes"
	@.ci/suite check

# Everything that proves the product.
test: setup setup-test lint
	@echo "== Building the program and its tests"
	@$(if $(CI),SORTIE_COMPILE_ONCE=1) $(SWIFT_BUILD) $(if $(CI),-debug-info-format none) --build-tests
	@echo "== Comparing the packages with .ci/dependencies.tsv"
	@.ci/dependencies check
	@echo "== Checking how the program is linked"
	@.ci/hardening "$$(swift build --show-bin-path)/sortie" "$$(swift build --show-bin-path)/Benchmarks"
	@echo "== Testing, and meanwhile building the documentation and a package of a user"
	@nice bash -c '.ci/docs && .ci/consumer' >.build/meanwhile.log 2>&1 & meanwhile=$$!; \
	  .ci/suite; tests=$$?; wait $$meanwhile; others=$$?; cat .build/meanwhile.log; exit $$((tests + others))

# The same with more random sessions and larger files (SORTIE_LONG), expressions that are slow to compile as errors, and some seconds of fuzzing.
test-long: export SORTIE_LONG := 1
test-long: test
	@echo "== Looking for expressions that are slow to compile"
	@.ci/slow-expressions
	@$(MAKE) --no-print-directory fuzz SECONDS=$(or $(SECONDS),5)

# Coverage-guided fuzzing with libFuzzer and AddressSanitizer, SECONDS for each target or for TARGET; INPUT=FILE runs one input of TARGET once. The program is
# not optimized, so that the standard library checks the bounds of unsafe buffers, and is built in a third of the time.
fuzz: setup
	@echo "== Building the fuzz targets (the first time takes some minutes)"
	@SORTIE_FUZZ=1 $(SWIFT_BUILD) --sanitize fuzzer -Xswiftc -sanitize=fuzzer,address --scratch-path .build-fuzz --product Fuzz
	@echo "== Fuzzing"
	@.ci/fuzz .build-fuzz/debug/Fuzz $(or $(INPUT),$(SECONDS),60) $(TARGET)

# The workbench on a terminal under random keys, sizes, sends, changes of files, restarts of the server and kills; see Tests/EndToEnd/Workbench/Soak.swift.
soak: setup setup-test
	@$(SWIFT_BUILD) --build-tests
	@SORTIE_SOAK="$(or $(MINUTES),60)" SORTIE_SOAK_SEED="$(SEED)" swift test --skip-build --filter SoakTests

lint:
	@echo "== Checking the format"
	@swift format lint --strict --parallel --recursive Sources Tests Package.swift

# One table of Sortie beside other programs. ROWS="start paint" measures some rows, QUICK=1 all of them in some minutes with less work.
bench: build setup-test setup-bench
	@$(RELEASE_BUILD) --product Benchmarks
	@Tests/Benchmarks/bench.py $(ROWS)

# The tests under a sanitizer: KIND=address (the default, with undefined behaviour of C), leak or thread; FILTER=REGEX for some of them. See .ci/sanitize.
sanitize: setup setup-test
	@.ci/sanitize $(or $(KIND),address) $(if $(FILTER),'$(FILTER)')

# The documentation as a web page, in .build/docs; the public interface of the library is added where it was built (make run, make test).
docs:
	@.ci/docs

# The files that are generated: the references of keys, of workspace keys and of --json, the list of the embedded demo, the screens of panes, and the
# figures of the last make bench.
references: setup setup-test
	@$(SWIFT_BUILD) --build-tests
	@UPDATE_DOCUMENTS=1 swift test --skip-build --filter 'KeysDocumentTests|WorkspaceKeysTests|JSONDocumentTests|DemoFilesTests|ScreenSnapshotTests|BenchmarkFiguresTests'

# The pictures of the README and the guide, taken from the program.
pictures: setup setup-test
	@$(SWIFT_BUILD) --build-tests
	@UPDATE_DOCUMENTS=1 swift test --skip-build --filter "PictureTests|TourTests|FilmTests"

# The order of the functions in the program, from runs of the last release program.
order: build
	@.ci/setup order
	@.ci/function-order .build/release/sortie

setup:
	@.ci/setup build

setup-test:
	@.ci/setup test

setup-bench:
	@.ci/setup bench

setup-deb:
	@.ci/setup deb

setup-dist:
	@.ci/setup dist

clean:
	@rm -rf .build .build-fuzz .build-sanitize-*
