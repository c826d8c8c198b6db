/* Sends many GETs through bare libcurl, the floor that bench.py compares with: one thread, one multi handle, one reused easy handle for each
   request in flight. Usage: multi URL COUNT IN-FLIGHT TRUSTED-CERTIFICATE */
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static size_t discard(char *bytes, size_t size, size_t count, void *context) {
    (void)bytes;
    *(long *)context += (long)(size * count);
    return size * count;
}

static double seconds(struct timeval time) { return (double)time.tv_sec + (double)time.tv_usec / 1e6; }

static double cpu(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int argc, char **argv) {
    if (argc != 5) return 2;
    long count = atol(argv[2]), flying = atol(argv[3]), started = 0, ended = 0, failed = 0, bytes = 0;
    curl_global_init(CURL_GLOBAL_ALL);
    CURLM *multi = curl_multi_init();
    double start = now(), used = cpu();
    for (; started < flying && started < count; started++) {
        CURL *easy = curl_easy_init();
        curl_easy_setopt(easy, CURLOPT_URL, argv[1]);
        curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, discard);
        curl_easy_setopt(easy, CURLOPT_WRITEDATA, &bytes);
        curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
        curl_easy_setopt(easy, CURLOPT_CAPATH, NULL);
        curl_easy_setopt(easy, CURLOPT_CAINFO, argv[4]);
        curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
        if (strncmp(argv[1], "https", 5) == 0) curl_easy_setopt(easy, CURLOPT_PIPEWAIT, 1L);
        curl_multi_add_handle(multi, easy);
    }
    while (ended < count) {
        int running, left;
        curl_multi_perform(multi, &running);
        for (CURLMsg *message; (message = curl_multi_info_read(multi, &left)) != NULL;) {
            if (message->msg != CURLMSG_DONE) continue;
            CURL *easy = message->easy_handle;
            long status = 0;
            curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
            if (message->data.result != CURLE_OK || status != 200) failed++;
            ended++;
            curl_multi_remove_handle(multi, easy);
            if (started < count) {
                curl_multi_add_handle(multi, easy);
                started++;
            }
        }
        if (ended < count) curl_multi_poll(multi, NULL, 0, 1000, NULL);
    }
    double duration = now() - start;
    printf("%.0f requests/s, %.1f µs CPU/request, %ld failed\n", (double)count / duration, (cpu() - used) / (double)count * 1e6, failed);
    curl_multi_cleanup(multi);
    return failed > 0;
}
