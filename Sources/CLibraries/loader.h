// Functions of shared libraries that are loaded when the first of them is called.
//
// libcurl brings 32 libraries, whose loading takes longer than everything else that the program does at its start. A C file defines a function of the
// library with a hidden symbol of the same name, which calls the function of the loaded library.
#ifndef CLOADER_LOADER_H
#define CLOADER_LOADER_H

#include <pthread.h>
#include <stddef.h>

// A library and the functions that are used of it.
typedef struct {
    // The file name, as in libcurl.so.4, and the Debian package that contains it.
    const char *file;
    const char *package;
    // The names of the functions, and their addresses once they are loaded.
    const char *const *names;
    void **functions;
    size_t count;
    pthread_once_t once;
    // Why the library cannot be used; empty where it can.
    char problem[512];
} cloader_library;

// Loads a library; called once.
void cloader_open(cloader_library *library);

// Ends the process after the call of a function whose library cannot be loaded. Callers check the result of `load` before.
_Noreturn void cloader_fail(const cloader_library *library);

#define CLOADER_INDEX(name) index_##name,
#define CLOADER_NAME(name) #name,

// Defines `load`, which returns NULL or why the library cannot be used, for a library and a list of its functions (FUNCTIONS(F) is F(a) F(b) …).
#define CLOADER_LIBRARY(file_name, package_name, load, FUNCTIONS) \
    enum { FUNCTIONS(CLOADER_INDEX) function_count }; \
    static const char *const function_names[] = {FUNCTIONS(CLOADER_NAME)}; \
    static void *functions[function_count]; \
    static cloader_library library = { \
        .file = file_name, .package = package_name, .names = function_names, .functions = functions, .count = function_count, \
        .once = PTHREAD_ONCE_INIT}; \
    static void open_library(void) { cloader_open(&library); } \
    const char *load(void) { \
        pthread_once(&library.once, open_library); \
        return library.problem[0] == '\0' ? NULL : library.problem; \
    } \
    static void *loaded_function(int index) { \
        if (load() != NULL) cloader_fail(&library); \
        return functions[index]; \
    }

// The loaded function of this name, with the type of its declaration.
#define CALL(name) ((__typeof__(&name))loaded_function(index_##name))

#endif
