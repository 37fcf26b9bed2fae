/* mesh.c: see mesh.h. Vertices and triangles are written one at a time; no mesh is held in
   memory. */
#include "mesh.h"

#include "../core/status.h"
#include "file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct mesh {
    const otok_snapshot *state;
    otok_mesh_options options;
    FILE *file;
    int64_t nx, ny, vertices, faces;
} mesh;

/* Mean of a row of a field. */
static double row_mean(const mesh *m, const float *map, int64_t j)
{
    double sum = 0;
    for (int64_t i = 0; i < m->nx; i++)
        sum += map[j * m->nx + i];
    return sum / (double)m->nx;
}

/* A field at a vertex: cells in order, then the south pole, then the north pole. */
static double value_at(const mesh *m, const float *map, int64_t vertex)
{
    if (vertex < m->nx * m->ny) return map[vertex];
    return row_mean(m, map, vertex == m->nx * m->ny ? 0 : m->ny - 1);
}

static void position_of(const mesh *m, int64_t vertex, double out[3])
{
    const double h = value_at(m, m->state->maps[OTOK_TERRAIN], vertex) * m->options.exaggerate;
    const int64_t cells = m->nx * m->ny, i = vertex % m->nx, j = vertex / m->nx;
    if (!(m->options.radius > 0)) {
        out[0] = ((double)i + 0.5) * m->state->grid.spacing;
        out[1] = ((double)j + 0.5) * m->state->grid.spacing;
        out[2] = h;
        return;
    }
    const double longitude = 2 * M_PI * ((double)i + 0.5) / (double)m->nx - M_PI,
                 latitude = M_PI * ((double)j + 0.5) / (double)m->ny - M_PI / 2;
    const double r = m->options.radius + h, flat = vertex < cells ? cos(latitude) : 0;
    out[0] = r * flat * cos(longitude);
    out[1] = r * flat * sin(longitude);
    out[2] = vertex < cells ? r * sin(latitude) : vertex == cells ? -r : r;
}

static void put_face(const mesh *m, int64_t a, int64_t b, int64_t c)
{
    unsigned char bytes[13] = {3};
    const int64_t corners[3] = {a, b, c};
    for (int k = 0; k < 12; k++)
        bytes[1 + k] = (unsigned char)(corners[k / 4] >> 8 * (k % 4));
    fwrite(bytes, 1, sizeof bytes, m->file);
}

static void put_faces(const mesh *m)
{
    const int closed = m->options.radius > 0;
    const int64_t nx = m->nx, cells = nx * m->ny, top = cells - nx;
    for (int64_t j = 0; j + 1 < m->ny; j++)
        for (int64_t i = 0; i < nx - !closed; i++) {
            const int64_t a = j * nx + i, b = j * nx + (i + 1) % nx;
            put_face(m, a, b, b + nx);
            put_face(m, a, b + nx, a + nx);
        }
    for (int64_t i = 0; closed && i < nx; i++) {
        put_face(m, cells, (i + 1) % nx, i);
        put_face(m, cells + 1, top + i, top + (i + 1) % nx);
    }
}

static void put_float(const mesh *m, double v)
{
    const float f = (float)v;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    const unsigned char b[4] = {(unsigned char)bits, (unsigned char)(bits >> 8),
                                (unsigned char)(bits >> 16), (unsigned char)(bits >> 24)};
    fwrite(b, 1, 4, m->file);
}

static void put_ply(const mesh *m)
{
    fprintf(m->file,
            "ply\nformat binary_little_endian 1.0\ncomment otok %s, heights times %g\ncomment x, "
            "y, z in m",
            otok_version(), m->options.exaggerate);
    char text[OTOK_NAME_SIZE];
    for (int f = 0; f < OTOK_FIELDS; f++)
        if (m->state->maps[f])
            fprintf(m->file, ", %s in %s", otok_snapshot_name(m->state, f, text),
                    otok_snapshot_info(m->state, f)->unit);
    fprintf(m->file,
            "\nelement vertex %lld\nproperty float x\nproperty float y\nproperty float z\n",
            (long long)m->vertices);
    for (int f = 0; f < OTOK_FIELDS; f++)
        if (m->state->maps[f])
            fprintf(m->file, "property float %s\n", otok_snapshot_name(m->state, f, text));
    fprintf(m->file, "element face %lld\nproperty list uchar int vertex_indices\nend_header\n",
            (long long)m->faces);
    for (int64_t v = 0; v < m->vertices; v++) {
        double at[3];
        position_of(m, v, at);
        for (int k = 0; k < 3; k++)
            put_float(m, at[k]);
        for (int f = 0; f < OTOK_FIELDS; f++)
            if (m->state->maps[f]) put_float(m, value_at(m, m->state->maps[f], v));
    }
    put_faces(m);
}

static otok_status count_parts(mesh *m, const char *path)
{
    const int closed = m->options.radius > 0;
    if (m->nx < (closed ? 3 : 2) || m->ny < 2)
        return OTOK_FAIL(OTOK_USAGE,
                         "%s: %lld x %lld cells are too few for a %s; use a larger grid", path,
                         (long long)m->nx, (long long)m->ny, closed ? "sphere" : "mesh");
    m->vertices = m->nx * m->ny + (closed ? 2 : 0);
    m->faces = closed ? 2 * m->nx * m->ny : 2 * (m->nx - 1) * (m->ny - 1);
    if (m->faces <= INT32_MAX) return OTOK_OK;
    return OTOK_FAIL(
        OTOK_USAGE,
        "%s: %lld triangles are more than the format can count; use a coarser grid, or .tif", path,
        (long long)m->faces);
}

/* Readers hold coordinates as floats. */
static otok_status check_finite(const mesh *m, const char *path)
{
    for (int64_t v = 0; v < m->vertices; v++) {
        double at[3];
        position_of(m, v, at);
        if (isfinite((float)at[0]) && isfinite((float)at[1]) && isfinite((float)at[2])) continue;
        return OTOK_FAIL(OTOK_USAGE,
                         "%s: a height of %g m times %g is not a finite coordinate; give a smaller "
                         "--exaggerate or --sphere",
                         path, value_at(m, m->state->maps[OTOK_TERRAIN], v), m->options.exaggerate);
    }
    return OTOK_OK;
}

otok_status otok_ply_write(const char *path, const otok_snapshot *snapshot,
                           const otok_mesh_options *options)
{
    mesh m = {
        .state = snapshot, .options = *options, .nx = snapshot->grid.nx, .ny = snapshot->grid.ny};
    otok_draft *draft;
    OTOK_TRY(count_parts(&m, path));
    OTOK_TRY(check_finite(&m, path));
    OTOK_TRY(otok_file_begin(&draft, path));
    m.file = otok_draft_stream(draft);
    int error = m.file ? 0 : errno;
    errno = 0;
    if (m.file) put_ply(&m);
    if (m.file && ferror(m.file)) error = errno ? errno : EIO;
    if (m.file && fclose(m.file) != 0 && !error) error = errno;
    if (!error) return otok_file_commit(draft, path);
    otok_file_abandon(draft);
    return otok_file_failed(path, "write", error);
}
