#pragma once

// Declarations that Swift cannot use directly: macros, C globals, `cchar_t`, and Linux calls that its Glibc module
// lacks.

// Enables only wide characters: _GNU_SOURCE and _XOPEN_SOURCE_EXTENDED would give system types another layout than in
// Swift's Glibc module.
#define NCURSES_WIDECHAR 1
#include <fcntl.h>
#include <ncurses.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/timerfd.h>
#include <term.h>
#include <unistd.h>
#include <wchar.h>

// The system headers declare these two only with _GNU_SOURCE.
extern int wcwidth(wchar_t character);
extern int pipe2(int ends[2], int flags);

// `stdin` and `stdout` are C globals, which Swift 6 does not permit to access.
static inline SCREEN *cncurses_open(const char *type) { return newterm((char *)type, stdout, stdin); }

// `stdscr`, `curscr`, `COLORS` and `COLOR_PAIRS` are C globals.
static inline WINDOW *cncurses_window(void) { return stdscr; }
static inline WINDOW *cncurses_shown(void) { return curscr; }
static inline int cncurses_colours(void) { return COLORS; }
static inline int cncurses_pairs(void) { return COLOR_PAIRS; }

// `COLOR_PAIR` and the `A_` constants are macros with casts.
static inline attr_t cncurses_bold(void) { return A_BOLD; }
static inline attr_t cncurses_dim(void) { return A_DIM; }
static inline attr_t cncurses_reverse(void) { return A_REVERSE; }
static inline attr_t cncurses_underline(void) { return A_UNDERLINE; }

// Builds a `cchar_t` and writes it. `text` is terminated by 0 and contains one spacing character and its marks, or an emoji sequence of several
// spacing characters, which `setcchar` refuses; the cell has the columns of the first character. Characters beyond `CCHARW_MAX` are left out.
static inline int cncurses_put(int row, int column, const wchar_t *text, attr_t attributes, short pair) {
    const wchar_t first[] = {text[0], 0};
    cchar_t cell;
    if (setcchar(&cell, first, attributes, pair, NULL) == ERR) return ERR;
    for (int index = 1; index < CCHARW_MAX && text[index - 1] != 0 && text[index] != 0; index++) cell.chars[index] = text[index];
    return mvwadd_wch(stdscr, row, column, &cell);
}

static inline int cncurses_rows(void) { return getmaxy(stdscr); }
static inline int cncurses_columns(void) { return getmaxx(stdscr); }

// Terminal capabilities. `tigetstr` takes `char *` and returns -1 for an unknown name.
static inline int cncurses_describe(const char *type, int descriptor, int *error) { return setupterm((char *)type, descriptor, error); }
static inline const char *cncurses_capability(const char *name) {
    const char *text = tigetstr((char *)name);
    return text == (const char *)-1 ? NULL : text;
}

// `ioctl` is variadic.
static inline int cncurses_window_size(int descriptor, struct winsize *size) { return ioctl(descriptor, TIOCGWINSZ, size); }

// `pipe2`, `epoll` and `timerfd` are missing in Swift's Glibc module.
static inline int cncurses_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC | O_NONBLOCK); }
static inline int cncurses_epoll(void) { return epoll_create1(EPOLL_CLOEXEC); }
static inline int cncurses_epoll_add(int epoll, int descriptor) {
    struct epoll_event event = {.events = EPOLLIN, .data = {.fd = descriptor}};
    return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
}
static inline int cncurses_epoll_remove(int epoll, int descriptor) {
    struct epoll_event event = {0};
    return epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, &event);
}
static inline int cncurses_timer(void) { return timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK); }
static inline int cncurses_timer_set(int timer, int milliseconds) {
    struct itimerspec spec = {.it_value = {.tv_sec = milliseconds / 1000, .tv_nsec = (milliseconds % 1000) * 1000000L}};
    return timerfd_settime(timer, 0, &spec, NULL);
}
