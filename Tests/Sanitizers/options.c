// Options of AddressSanitizer for all programs of `make sanitize`, also for those that tests start without variables; ASAN_OPTIONS takes precedence.
const char *__asan_default_options(void) { return "detect_leaks=0"; }
