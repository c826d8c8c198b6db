// bin/sortie of a bundle: starts lib/sortie/sortie with the dynamic loader and the libraries beside it, and with no others.
//
// The loader gets the path of the libraries as an argument, because a variable would also apply to the programs that Sortie starts. $ORIGIN is the folder
// of the program, whose path may have colons and spaces, which separate the elements of the arguments. The program gets the path of this file as argv[0]:
// /proc/self/exe is the loader there.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#ifndef LOADER
#error "LOADER is the file name of the dynamic loader"
#endif

static char *joined(const char *folder, const char *name) {
    char *path = malloc(strlen(folder) + strlen(name) + 1);
    return path == NULL ? NULL : strcat(strcpy(path, folder), name);
}

int main(int count, char **arguments) {
    char own[PATH_MAX + 1] = "", root[PATH_MAX + 1];
    ssize_t length = readlink("/proc/self/exe", own, PATH_MAX);
    // Without /proc, the path with which the file was started is enough.
    if (length <= 0 && realpath((const char *)getauxval(AT_EXECFN), own) == NULL) own[0] = '\0';
    strcpy(root, own);
    for (int step = 0; step < 2; step++) {
        char *separator = strrchr(root, '/');
        if (separator != NULL) *separator = '\0';
    }
    char *loader = joined(root, "/lib/sortie/" LOADER), *program = joined(root, "/lib/sortie/sortie");
    char **all = calloc((size_t)count + 10, sizeof *all);
    if (loader == NULL || program == NULL || all == NULL) return 71;
    char *const first[] = {loader, "--argv0", own, "--inhibit-cache", "--library-path", "$ORIGIN", "--preload", "host.so", program};
    memcpy(all, first, sizeof first);
    if (count > 1) memcpy(all + sizeof first / sizeof *first, arguments + 1, (size_t)(count - 1) * sizeof *all);
    execv(loader, all);
    fprintf(stderr, "sortie: %s cannot be started: %s\nremedy: bin/sortie belongs beside lib/sortie; unpack the complete archive, and link %s\n",
        loader, strerror(errno), own[0] == '\0' ? "bin/sortie" : own);
    return 126;
}
