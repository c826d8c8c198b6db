// host.so of a bundle, which is loaded before its program: keeps the files of the host that belong to another C library out of this one.
//
// Modules for names of hosts and users, for charsets, and locales are made for the C library of the host. This one uses its own; what its functions read
// from variables is set during the call only, so that programs that Sortie starts do not get it.
#define _GNU_SOURCE
#include <ctype.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <iconv.h>
#include <limits.h>
#include <locale.h>
#include <nss.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>
#include <unistd.h>

// The folder of this library. A path with a colon would be two elements of the variables below; it is one through a descriptor.
static char folder[PATH_MAX];

// The next definition of a function, with the type of its declaration.
#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

// MARK: Variables

static pthread_mutex_t variables = PTHREAD_MUTEX_INITIALIZER;

// Gives the list of variables a free place, so that another thread can read the list while one is added. Not at the start: Swift finds the arguments of the
// program from the address of the first list.
static void reserve_place(void) {
    static char **list;
    if (environ != NULL && environ == list) return;
    size_t count = 0;
    while (environ != NULL && environ[count] != NULL) count++;
    list = calloc(count + 2, sizeof *list);
    if (list == NULL) _exit(71);
    if (count > 0) memcpy(list, environ, count * sizeof *list);
    environ = list;
}

// Sets a variable (`NAME=value`) until `end_variable`; the place of it and what was there. To be called with the mutex.
static char **begin_variable(char *text, char **former) {
    // setenv(3) makes another list.
    reserve_place();
    size_t length = (size_t)(strchr(text, '=') - text) + 1;
    char **place = environ;
    while (*place != NULL && strncmp(*place, text, length) != 0) place++;
    *former = *place;
    __atomic_store_n(place, text, __ATOMIC_RELEASE);
    return place;
}

static void end_variable(char **place, char *former) { __atomic_store_n(place, former, __ATOMIC_RELEASE); }

// MARK: Names

// Writes the services of a line of nsswitch.conf that are part of the C library (`files` and `dns`), with the actions after them.
static void select_services(const char *line, char *result, size_t size) {
    bool kept = false;
    result[0] = '\0';
    while (*line != '\0' && *line != '#' && *line != '\n') {
        size_t length = *line == '[' ? strcspn(line, "]\n") + 1 : strcspn(line, " \t\n[#");
        if (length > strlen(line) || (*line == '[' && line[length - 1] != ']')) break;
        if (isspace((unsigned char)*line)) {
            line++;
            continue;
        }
        if (*line != '[') kept = (length == 5 && strncmp(line, "files", 5) == 0) || (length == 3 && strncmp(line, "dns", 3) == 0);
        size_t used = strlen(result);
        if (kept && used + length + 2 < size) snprintf(result + used, size - used, "%s%.*s", used == 0 ? "" : " ", (int)length, line);
        line += length;
    }
}

static void configure_names(void) {
    static const char *const databases[] = {
        "aliases", "ethers", "group", "gshadow", "initgroups", "netgroup", "networks", "passwd", "protocols", "publickey", "rpc", "services", "shadow"};
    char hosts[256] = "", line[1024];
    FILE *file = fopen("/etc/nsswitch.conf", "re");
    if (file != NULL) {
        while (fgets(line, sizeof line, file) != NULL) {
            if (strncmp(line, "hosts:", 6) == 0) select_services(line + 6, hosts, sizeof hosts);
        }
        fclose(file);
    }
    __nss_configure_lookup("hosts", hosts[0] == '\0' ? "files dns" : hosts);
    for (size_t index = 0; index < sizeof databases / sizeof *databases; index++) __nss_configure_lookup(databases[index], "files");
}

// MARK: Charsets and locales

static pthread_once_t charsets = PTHREAD_ONCE_INIT;

// The C library reads GCONV_PATH when it needs the list of its charsets, which is once.
static void load_charsets(void) {
    static char text[PATH_MAX + 32];
    snprintf(text, sizeof text, "GCONV_PATH=%s/gconv", folder);
    pthread_mutex_lock(&variables);
    char *former, **place = begin_variable(text, &former);
    iconv_t descriptor = NEXT(iconv_open)("UTF-8", "UCS-4");
    end_variable(place, former);
    pthread_mutex_unlock(&variables);
    if (descriptor != (iconv_t)-1) iconv_close(descriptor);
}

iconv_t iconv_open(const char *to, const char *from) {
    pthread_once(&charsets, load_charsets);
    return NEXT(iconv_open)(to, from);
}

// The locale of the user only decides whether text is UTF-8; files of the system's locales are not read.
char *setlocale(int category, const char *name) {
    // ncurses asks for the locale while `newterm` holds the mutex.
    if (name == NULL) return NEXT(setlocale)(category, NULL);
    pthread_once(&charsets, load_charsets);
    if (name[0] == '\0') {
        static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
        const char *own = NULL;
        for (int index = 0; index < 3 && (own == NULL || own[0] == '\0'); index++) own = getenv(names[index]);
        const char *charset = own == NULL ? NULL : strchr(own, '.');
        bool isUTF8 = charset != NULL && (strncasecmp(charset, ".UTF-8", 6) == 0 || strncasecmp(charset, ".utf8", 5) == 0);
        name = isUTF8 ? "C.UTF-8" : "C";
    }
    char text[PATH_MAX + 32];
    snprintf(text, sizeof text, "LOCPATH=%s/locale", folder);
    pthread_mutex_lock(&variables);
    char *former, **place = begin_variable(text, &former);
    char *result = NEXT(setlocale)(category, name);
    end_variable(place, former);
    pthread_mutex_unlock(&variables);
    return result;
}

// MARK: Terminals

// An empty element of TERMINFO_DIRS stands for the folders of the host.
#define WITH_TERMINALS(call) \
    char text[2 * PATH_MAX]; \
    pthread_mutex_lock(&variables); \
    const char *own = getenv("TERMINFO_DIRS"); \
    snprintf(text, sizeof text, "TERMINFO_DIRS=%s:%s/terminfo", own == NULL ? "" : own, folder); \
    char *former, **place = begin_variable(text, &former); \
    __typeof__(call) result = call; \
    end_variable(place, former); \
    pthread_mutex_unlock(&variables); \
    return result

void *newterm(const char *type, FILE *output, FILE *input);
int setupterm(const char *type, int descriptor, int *error);

void *newterm(const char *type, FILE *output, FILE *input) { WITH_TERMINALS(NEXT(newterm)(type, output, input)); }
int setupterm(const char *type, int descriptor, int *error) { WITH_TERMINALS(NEXT(setupterm)(type, descriptor, error)); }

__attribute__((constructor)) static void prepare(void) {
    Dl_info own;
    if (dladdr(folder, &own) != 0) {
        const char *name = strrchr(own.dli_fname, '/');
        if (name != NULL) snprintf(folder, sizeof folder, "%.*s", (int)(name - own.dli_fname), own.dli_fname);
        int descriptor = strchr(folder, ':') == NULL ? -1 : open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (descriptor >= 0) snprintf(folder, sizeof folder, "/proc/self/fd/%d", descriptor);
    }
    // Otherwise it is the name of the loader.
    prctl(PR_SET_NAME, "sortie");
    configure_names();
}
