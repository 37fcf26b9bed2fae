/* vti.c: writes a state as VTK's XML image data, for programs that do not read VTKHDF: a point for
   each cell, in coordinates of the map if these are metres; cells without data are hidden; time and
   units are field data (vtk.org, "VTK XML Formats"). */
#include "mesh.h"

#include "../core/status.h"
#include "file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct vti {
    const otok_snapshot *state;
    int field; /* the only one; -1: all that are stored */
    const float *map;
    FILE *file;
} vti;

static int has(const vti *v, int field)
{
    return v->field < 0 ? field < OTOK_FIELDS && v->state->has >> field & 1 : field == v->field;
}

/* Text as VTK has it in XML: the codes of the letters. */
static void put_text(const vti *v, const char *text)
{
    for (; *text; text++)
        fprintf(v->file, "%d ", (unsigned char)*text);
}

static void put_fields(const vti *v)
{
    char name[OTOK_NAME_SIZE];
    int n = 0;
    for (int f = 0; f <= v->field || f < OTOK_FIELDS; f++)
        n += has(v, f);
    fprintf(v->file,
            "<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
            "format=\"ascii\">%.17g</DataArray>\n<DataArray type=\"String\" Name=\"units\" "
            "NumberOfTuples=\"%d\" format=\"ascii\">\n",
            v->state->time, n);
    for (int f = 0; f <= v->field || f < OTOK_FIELDS; f++)
        if (has(v, f)) {
            put_text(v, otok_snapshot_name(v->state, f, name));
            put_text(v, " [");
            put_text(v, otok_snapshot_info(v->state, f)->unit);
            put_text(v, "]");
            fputs("0\n", v->file);
        }
    fputs("</DataArray>\n</FieldData>\n", v->file);
}

/* ---- arrays as base64: behind raw data no XML parser of some older VTKs finds its way ---- */

typedef struct base64 {
    FILE *file;
    uint32_t bits;
    int n; /* bytes in it */
} base64;

/* The first n letters of three bytes; '=' for the others. */
static void put_letters(base64 *b, int n)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int i = 0; i < 4; i++)
        putc(i < n ? letters[b->bits >> (18 - 6 * i) & 63] : '=', b->file);
    b->bits = 0, b->n = 0;
}

static void put_byte(base64 *b, unsigned char byte)
{
    b->bits |= (uint32_t)byte << (16 - 8 * b->n);
    if (++b->n == 3) put_letters(b, 4);
}

/* A number of `size` bytes, the least one first. */
static void put_number(base64 *b, uint64_t number, int size)
{
    for (int i = 0; i < size; i++)
        put_byte(b, (unsigned char)(number >> 8 * i));
}

static void put_end(base64 *b)
{
    if (b->n) put_letters(b, b->n + 1);
    fputs("\n</DataArray>\n", b->file);
}

static void put_map(const vti *v, const char *name, const float *map, int64_t cells)
{
    base64 b = {.file = v->file};
    fprintf(v->file, "<DataArray type=\"Float32\" Name=\"%s\" format=\"binary\">\n", name);
    put_number(&b, 4 * (uint64_t)cells, 8);
    for (int64_t i = 0; i < cells; i++) {
        uint32_t word;
        memcpy(&word, &map[i], sizeof word);
        put_number(&b, word, 4);
    }
    put_end(&b);
}

static void put_mask(const vti *v, const unsigned char *mask, int64_t cells)
{
    enum { HIDDEN_POINT = 2 };
    base64 b = {.file = v->file};
    fputs("<DataArray type=\"UInt8\" Name=\"vtkGhostType\" format=\"binary\">\n", v->file);
    put_number(&b, (uint64_t)cells, 8);
    for (int64_t i = 0; i < cells; i++)
        put_byte(&b, mask[i] ? HIDDEN_POINT : 0);
    put_end(&b);
}

static void put_header(vti *v)
{
    const otok_snapshot *s = v->state;
    const otok_grid g = s->grid;
    double origin[3];
    char extent[96], name[OTOK_NAME_SIZE];
    otok_snapshot_origin(s, origin);
    snprintf(extent, sizeof extent, "0 %lld 0 %lld 0 0", (long long)g.nx - 1, (long long)g.ny - 1);
    fprintf(v->file,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\""
            "LittleEndian\" header_type=\"UInt64\">\n<ImageData WholeExtent=\"%s\" "
            "Origin=\"%.17g %.17g %.17g\" Spacing=\"%.17g %.17g %.17g\">\n",
            extent, origin[0], origin[1], origin[2], g.spacing, g.spacing, g.spacing);
    put_fields(v);
    fprintf(v->file, "<Piece Extent=\"%s\">\n<PointData Scalars=\"%s\">\n", extent,
            otok_snapshot_name(s, v->field < 0 ? OTOK_TERRAIN : v->field, name));
}

static otok_status put_file(vti *v, const char *path)
{
    const otok_snapshot *s = v->state;
    const int64_t cells = s->grid.nx * s->grid.ny;
    char name[OTOK_NAME_SIZE];
    unsigned char *mask = s->holes.n ? calloc((size_t)cells, 1) : NULL;
    if (s->holes.n && !mask) return OTOK_FAIL(OTOK_NOMEM, "%s: no memory for a mask", path);
    put_header(v);
    for (int f = 0; f < OTOK_FIELDS && v->field < 0; f++)
        if (has(v, f)) put_map(v, otok_snapshot_name(s, f, name), s->maps[f], cells);
    if (v->field >= 0) put_map(v, otok_snapshot_name(s, v->field, name), v->map, cells);
    if (mask) {
        otok_holes_mark(&s->holes, mask);
        put_mask(v, mask, cells);
    }
    fputs("</PointData>\n</Piece>\n</ImageData>\n</VTKFile>\n", v->file);
    free(mask);
    return OTOK_OK;
}

otok_status otok_vti_write(const char *path, const otok_snapshot *snapshot, int field,
                           const float *map)
{
    otok_draft *draft;
    vti v = {.state = snapshot, .field = field, .map = map};
    OTOK_TRY(otok_file_begin(&draft, path));
    v.file = otok_draft_stream(draft);
    int error = v.file ? 0 : errno;
    otok_status status = v.file ? put_file(&v, path) : OTOK_OK;
    if (v.file && ferror(v.file)) error = errno ? errno : EIO;
    if (v.file && fclose(v.file) != 0 && !error) error = errno;
    if (status == OTOK_OK && !error) return otok_file_commit(draft, path);
    otok_file_abandon(draft);
    return status != OTOK_OK ? status : otok_file_failed(path, "write", error);
}
