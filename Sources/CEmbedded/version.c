#include "embedded.h"

// Package.swift defines it from the environment variable SORTIE_COMMIT, which the Makefile sets. Only this file is compiled again when it changes.
#ifndef SORTIE_COMMIT
#define SORTIE_COMMIT ""
#endif

const char *version_commit(void) { return SORTIE_COMMIT; }
