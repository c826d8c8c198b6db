#include "cimages.h"

#include "loader.h"

#include <sys/resource.h>

// Declared here, because only the library is needed to run the program, and its headers are not needed to build it (gd.h of libgd 2.3).
typedef struct gdImageStruct *gdImagePtr;
extern gdImagePtr gdImageCreateFromPngPtr(int size, void *data);
extern gdImagePtr gdImageCreateFromJpegPtr(int size, void *data);
extern gdImagePtr gdImageCreateFromGifPtr(int size, void *data);
extern gdImagePtr gdImageCreateFromWebpPtr(int size, void *data);
extern gdImagePtr gdImageCreateTrueColor(int width, int height);
extern void gdImageGetClip(gdImagePtr image, int *left, int *top, int *right, int *bottom);
extern void gdImageAlphaBlending(gdImagePtr image, int blends);
extern void gdImageCopyResampled(
    gdImagePtr target, gdImagePtr source, int x, int y, int sourceX, int sourceY, int width, int height, int sourceWidth, int sourceHeight);
extern int gdImageGetTrueColorPixel(gdImagePtr image, int x, int y);
extern void gdImageDestroy(gdImagePtr image);

#define FUNCTIONS(F) \
    F(gdImageAlphaBlending) F(gdImageCopyResampled) F(gdImageCreateFromGifPtr) F(gdImageCreateFromJpegPtr) F(gdImageCreateFromPngPtr) \
    F(gdImageCreateFromWebpPtr) F(gdImageCreateTrueColor) F(gdImageDestroy) F(gdImageGetClip) F(gdImageGetTrueColorPixel)

CLOADER_LIBRARY("libgd.so.3", "libgd3", cimages_load, FUNCTIONS)

void *cimages_decode(int format, const void *bytes, int count) {
    switch (format) {
    case CIMAGES_PNG: return CALL(gdImageCreateFromPngPtr)(count, (void *)bytes);
    case CIMAGES_JPEG: return CALL(gdImageCreateFromJpegPtr)(count, (void *)bytes);
    case CIMAGES_GIF: return CALL(gdImageCreateFromGifPtr)(count, (void *)bytes);
    case CIMAGES_WEBP: return CALL(gdImageCreateFromWebpPtr)(count, (void *)bytes);
    default: return NULL;
    }
}

void cimages_size(void *image, int *width, int *height) {
    int left = 0, top = 0;
    // The clipping rectangle of a new image is the whole image.
    CALL(gdImageGetClip)(image, &left, &top, width, height);
    *width += 1;
    *height += 1;
}

bool cimages_scale(void *image, int width, int height, uint8_t *pixels) {
    int sourceWidth = 0, sourceHeight = 0;
    cimages_size(image, &sourceWidth, &sourceHeight);
    gdImagePtr scaled = CALL(gdImageCreateTrueColor)(width, height);
    if (scaled == NULL) return false;
    CALL(gdImageAlphaBlending)(scaled, 0);
    CALL(gdImageCopyResampled)(scaled, image, 0, 0, 0, 0, width, height, sourceWidth, sourceHeight);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            int colour = CALL(gdImageGetTrueColorPixel)(scaled, x, y);
            *pixels++ = (uint8_t)(colour >> 16);
            *pixels++ = (uint8_t)(colour >> 8);
            *pixels++ = (uint8_t)colour;
            // libgd has 127 for transparent and 0 for opaque.
            *pixels++ = (uint8_t)(255 - 2 * ((colour >> 24) & 127));
        }
    }
    CALL(gdImageDestroy)(scaled);
    return true;
}

void cimages_free(void *image) { CALL(gdImageDestroy)(image); }

static bool limit(int resource, rlim_t value) {
    struct rlimit limits = {.rlim_cur = value, .rlim_max = value};
    return setrlimit(resource, &limits) == 0;
}

bool cimages_limit(size_t memory, unsigned seconds) {
    return limit(RLIMIT_CORE, 0) && limit(RLIMIT_CPU, seconds) && limit(RLIMIT_AS, memory);
}

bool cimages_isolate(void) { return limit(RLIMIT_NOFILE, 0) && limit(RLIMIT_NPROC, 0); }
