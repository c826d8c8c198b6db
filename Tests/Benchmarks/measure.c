/* Runs a command and writes its wall time, CPU time and peak memory: measure FILE COMMAND…
   The peak memory of a process contains that of the process that started it, which therefore has to be small. */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static double milliseconds(struct timeval time) { return (double)time.tv_sec * 1e3 + (double)time.tv_usec / 1e3; }

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    double start = now();
    pid_t process = fork();
    if (process == 0) {
        execvp(argv[2], argv + 2);
        _exit(127);
    }
    int status = 0;
    struct rusage usage;
    if (process < 0 || wait4(process, &status, 0, &usage) < 0) return 126;
    double wall = now() - start;
    FILE *file = fopen(argv[1], "w");
    if (file == NULL) return 125;
    fprintf(file, "%f %f %f\n", wall, milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime), (double)usage.ru_maxrss / 1024);
    fclose(file);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 124;
}
