// SPDX-License-Identifier: Apache-2.0
// Swift cannot call C variadic functions: each wrapper below is one call of the function it names, without logic.
#include <vips/vips.h>
#include <vips/vector.h>

/// vips_image_new_from_source() for sequential access, with loader options like "[shrink=2]": reads the header, and
/// decodes when pixels are asked for. NULL on failure.
static inline VipsImage *cvips_image_new_from_source(VipsSource *source, const char *options, VipsFailOn fail_on) {
    return vips_image_new_from_source(source, options, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", fail_on, NULL);
}

/// vips_image_new_from_buffer(), which does not copy the bytes. NULL on failure.
static inline VipsImage *cvips_image_new_from_buffer(const void *bytes, size_t count) {
    return vips_image_new_from_buffer(bytes, count, "", NULL);
}

/// vips_image_new_from_file(); `name` may end in [options]. NULL on failure.
static inline VipsImage *cvips_image_new_from_file(const char *name) {
    return vips_image_new_from_file(name, NULL);
}

/// vips_image_write_to_file(); the end of `name` chooses the format and may hold [options].
static inline int cvips_image_write_to_file(VipsImage *image, const char *name) {
    return vips_image_write_to_file(image, name, NULL);
}

/// vips_thumbnail_image() into a square of `side` pixels, upright, never enlarging.
static inline int cvips_thumbnail_image(VipsImage *in, VipsImage **out, int side) {
    return vips_thumbnail_image(in, out, side, "height", side, "size", VIPS_SIZE_DOWN, NULL);
}

/// The same, by way of the colour profile of the image into sRGB.
static inline int cvips_thumbnail_image_srgb(VipsImage *in, VipsImage **out, int side) {
    return vips_thumbnail_image(
        in, out, side, "height", side, "size", VIPS_SIZE_DOWN, "export_profile", "srgb", NULL);
}

/// vips_resize() that averages whole blocks of pixels as far as possible.
static inline int cvips_resize_by_blocks(VipsImage *in, VipsImage **out, double scale) {
    return vips_resize(in, out, scale, "gap", 1.0, NULL);
}

/// vips_flatten() onto a background of one level for all bands.
static inline int cvips_flatten(VipsImage *in, VipsImage **out, double level) {
    VipsArrayDouble *background = vips_array_double_new(&level, 1);
    int result = vips_flatten(in, out, "background", background, NULL);
    vips_area_unref(VIPS_AREA(background));
    return result;
}

/// vips_colourspace()
static inline int cvips_colourspace(VipsImage *in, VipsImage **out, VipsInterpretation space) {
    return vips_colourspace(in, out, space, NULL);
}

/// vips_icc_transform() to a profile by name.
static inline int cvips_icc_transform(VipsImage *in, VipsImage **out, const char *profile) {
    return vips_icc_transform(in, out, profile, NULL);
}

/// vips_icc_transform() from sRGB to sRGB.
static inline int cvips_icc_transform_srgb(VipsImage *in, VipsImage **out) {
    return vips_icc_transform(in, out, "srgb", "input_profile", "srgb", NULL);
}

/// vips_cast()
static inline int cvips_cast(VipsImage *in, VipsImage **out, VipsBandFormat format) {
    return vips_cast(in, out, format, NULL);
}

/// vips_jpegsave_buffer(); `strip` leaves all metadata out. The buffer is the caller's to g_free().
static inline int cvips_jpegsave_buffer(VipsImage *in, void **bytes, size_t *count, int quality, int strip) {
    return vips_jpegsave_buffer(
        in, bytes, count, "Q", quality, "optimize_coding", TRUE, "strip", (gboolean)strip, NULL);
}

/// vips_copy() with another interpretation of the same pixels.
static inline int cvips_copy(VipsImage *in, VipsImage **out, VipsInterpretation interpretation) {
    return vips_copy(in, out, "interpretation", interpretation, NULL);
}

/// vips_replicate()
static inline int cvips_replicate(VipsImage *in, VipsImage **out, int across, int down) {
    return vips_replicate(in, out, across, down, NULL);
}

/// vips_crop()
static inline int cvips_crop(VipsImage *in, VipsImage **out, int left, int top, int width, int height) {
    return vips_crop(in, out, left, top, width, height, NULL);
}

/// vips_gaussnoise()
static inline int cvips_gaussnoise(VipsImage **out, int width, int height, double mean, double sigma, int seed) {
    return vips_gaussnoise(out, width, height, "mean", mean, "sigma", sigma, "seed", seed, NULL);
}

/// vips_add()
static inline int cvips_add(VipsImage *left, VipsImage *right, VipsImage **out) {
    return vips_add(left, right, out, NULL);
}
