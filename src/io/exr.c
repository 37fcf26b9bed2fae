/* exr.c: writes a map to an OpenEXR picture of one channel, by OpenEXR's C core, which makes the
   file in memory; file.c writes it, so a full disk gives the system's error and the earlier file
   stays. Compiled only with OpenEXR; image.h has the function. */
#include "../core/status.h"
#include "file.h"
#include "image.h"

#include <OpenEXR/openexr.h>

#include <stdlib.h>
#include <string.h>

typedef struct memory {
    char *bytes;
    size_t size, room;
} memory;

/* A part of the file at `offset`; -1 without memory. */
static int64_t write_bytes(exr_const_context_t context, void *user, const void *buffer,
                           uint64_t size, uint64_t offset, exr_stream_error_func_ptr_t failed)
{
    memory *m = user;
    if (offset + size > m->room) {
        const size_t room = 2 * (offset + size);
        char *bytes = realloc(m->bytes, room);
        if (!bytes) return failed(context, EXR_ERR_OUT_OF_MEMORY, "no memory"), -1;
        m->bytes = bytes;
        m->room = room;
    }
    memcpy(m->bytes + offset, buffer, size);
    if (offset + size > m->size) m->size = offset + size;
    return (int64_t)size;
}

static void ignore_message(exr_const_context_t context, exr_result_t code, const char *text)
{
    (void)context, (void)code, (void)text; /* the code is returned too */
}

#define EXR_TRY(call)                                                                              \
    do {                                                                                           \
        const exr_result_t result = (call);                                                        \
        if (result != EXR_ERR_SUCCESS) return result;                                              \
    } while (0)

static exr_result_t write_head(exr_context_t file, otok_grid grid, const char *name,
                               const otok_field_info *about)
{
    char software[64];
    int part;
    snprintf(software, sizeof software, "otok %s", otok_version());
    EXR_TRY(exr_add_part(file, name, EXR_STORAGE_SCANLINE, &part));
    EXR_TRY(exr_initialize_required_attr_simple(file, part, (int32_t)grid.nx, (int32_t)grid.ny,
                                                EXR_COMPRESSION_ZIP));
    EXR_TRY(exr_add_channel(file, part, "Y", EXR_PIXEL_FLOAT, EXR_PERCEPTUALLY_LINEAR, 1, 1));
    EXR_TRY(exr_attr_set_double(file, part, "cellSize", grid.spacing));
    EXR_TRY(exr_attr_set_string(file, part, "field", name));
    EXR_TRY(exr_attr_set_string(file, part, "units", about->unit));
    EXR_TRY(exr_attr_set_string(file, part, "comments", about->long_name));
    EXR_TRY(exr_attr_set_string(file, part, "software", software));
    return exr_write_header(file);
}

/* rows: from the top. */
static exr_result_t write_pixels(exr_context_t file, const float *rows, otok_grid grid,
                                 exr_encode_pipeline_t *pipe)
{
    int32_t lines;
    EXR_TRY(exr_get_scanlines_per_chunk(file, 0, &lines));
    for (int64_t y = 0; y < grid.ny; y += lines) {
        exr_chunk_info_t chunk;
        EXR_TRY(exr_write_scanline_chunk_info(file, 0, (int)y, &chunk));
        EXR_TRY(y ? exr_encoding_update(file, 0, &chunk, pipe)
                  : exr_encoding_initialize(file, 0, &chunk, pipe));
        pipe->channels[0].encode_from_ptr = (const uint8_t *)(rows + y * grid.nx);
        pipe->channels[0].user_pixel_stride = (int32_t)sizeof *rows;
        pipe->channels[0].user_line_stride = (int32_t)(sizeof *rows * (size_t)grid.nx);
        if (!y) EXR_TRY(exr_encoding_choose_default_routines(file, 0, pipe));
        EXR_TRY(exr_encoding_run(file, 0, pipe));
    }
    return EXR_ERR_SUCCESS;
}

static otok_status encode(memory *out, const char *path, const float *rows, otok_grid grid,
                          const char *name, const otok_field_info *about)
{
    exr_context_t file = NULL;
    exr_context_initializer_t with = EXR_DEFAULT_CONTEXT_INITIALIZER;
    exr_encode_pipeline_t pipe = EXR_ENCODE_PIPELINE_INITIALIZER;
    with.error_handler_fn = ignore_message;
    with.user_data = out;
    with.write_fn = write_bytes;
    exr_result_t result = exr_start_write(&file, path, EXR_WRITE_FILE_DIRECTLY, &with);
    if (result == EXR_ERR_SUCCESS) result = write_head(file, grid, name, about);
    if (result == EXR_ERR_SUCCESS) result = write_pixels(file, rows, grid, &pipe);
    if (file) exr_encoding_destroy(file, &pipe);
    const exr_result_t finished = file ? exr_finish(&file) : result;
    if (result == EXR_ERR_SUCCESS) result = finished;
    if (result == EXR_ERR_OUT_OF_MEMORY)
        return OTOK_FAIL(OTOK_NOMEM, "%s: no memory for an OpenEXR picture", path);
    return result == EXR_ERR_SUCCESS
               ? OTOK_OK
               : OTOK_FAIL(OTOK_INTERNAL, "%s: cannot make an OpenEXR picture: %s", path,
                           exr_get_default_error_message(result));
}

otok_status otok_exr_write(const char *path, const float *map, otok_grid grid, const char *name,
                           const otok_field_info *about)
{
    const size_t nx = (size_t)grid.nx, ny = (size_t)grid.ny;
    float *rows = malloc(nx * ny * sizeof *rows);
    if (!rows) return OTOK_FAIL(OTOK_NOMEM, "%s: no memory for an OpenEXR picture", path);
    for (size_t j = 0; j < ny; j++)
        memcpy(rows + j * nx, map + (ny - 1 - j) * nx, nx * sizeof *rows);
    memory made = {0};
    otok_status status = encode(&made, path, rows, grid, name, about);
    if (status == OTOK_OK) status = otok_file_put(path, made.bytes, made.size);
    free(made.bytes);
    free(rows);
    return status;
}
