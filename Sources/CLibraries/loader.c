#include "loader.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

void cloader_open(cloader_library *library) {
    // RTLD_LAZY, as for the libraries of any program: to resolve all symbols of 32 libraries takes 4 ms. RTLD_NODELETE: they have exit handlers.
    void *handle = dlopen(library->file, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
    if (handle == NULL) {
        const char *reason = dlerror();
        snprintf(library->problem, sizeof library->problem, "%s cannot be loaded: %s", library->file, reason == NULL ? "unknown reason" : reason);
        return;
    }
    for (size_t index = 0; index < library->count; index++) {
        library->functions[index] = dlsym(handle, library->names[index]);
        if (library->functions[index] == NULL) {
            snprintf(library->problem, sizeof library->problem, "%s has no function %s", library->file, library->names[index]);
            return;
        }
    }
}

void cloader_fail(const cloader_library *library) {
    fprintf(stderr, "%s\nremedy: install the package %s\n", library->problem, library->package);
    abort();
}
