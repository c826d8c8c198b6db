// Decoding of images by libgd, which is loaded at the first call. Only the process of `sortie decode-image` decodes images.
#ifndef CIMAGES_IMAGES_H
#define CIMAGES_IMAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The formats, in the order of ImageHeader.Format.
enum { CIMAGES_PNG, CIMAGES_JPEG, CIMAGES_GIF, CIMAGES_WEBP };

// Loads libgd; returns NULL, or why it cannot be used.
const char *_Nullable cimages_load(void);

// Decodes an image, of an animation the first picture; NULL where it is damaged. Freed with cimages_free.
void *_Nullable cimages_decode(int format, const void *_Nonnull bytes, int count);

// The size of an image in pixels.
void cimages_size(void *_Nonnull image, int *_Nonnull width, int *_Nonnull height);

// Writes the image, scaled to a size, as four bytes for each pixel: red, green, blue, opacity; false without memory.
bool cimages_scale(void *_Nonnull image, int width, int height, uint8_t *_Nonnull pixels);

void cimages_free(void *_Nonnull image);

// Limits this process: the address space in bytes, the processor time in seconds, no core file.
bool cimages_limit(size_t memory, unsigned seconds);

// Forbids this process to open files and to start processes from now on.
bool cimages_isolate(void);

#endif
