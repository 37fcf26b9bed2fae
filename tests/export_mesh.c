/* export_mesh.c - claim: a sheet has a vertex a cell at its centre and height; a sphere is closed,
   faces outward and has the volume of its radius; PLY carries every field; what cannot be a
   mesh is refused. */
#include "checkpoint_sample.h"
#include "io/mesh.h"

#include <math.h>

enum { NX = 96, NY = 48, MOST = NX * NY + 2 };

static char path[160];
static double at[MOST][3];
static int face[2 * MOST][3], vertices, faces;
static float fields[MOST][OTOK_FIELDS];

static uint32_t number(FILE *file)
{
    unsigned char b[4] = {0};
    if (fread(b, 1, 4, file) != 4) check_failures++;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static float real(FILE *file)
{
    const uint32_t bits = number(file);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void read_ply(int properties)
{
    char line[256];
    FILE *file = fopen(path, "rb");
    int found = 0;
    vertices = faces = 0;
    while (file && fgets(line, sizeof line, file) && strcmp(line, "end_header\n") != 0) {
        found += strncmp(line, "property float ", 15) == 0;
        sscanf(line, "element vertex %d", &vertices);
        sscanf(line, "element face %d", &faces);
    }
    CHECK(file && found == 3 + properties && vertices <= MOST, "%d properties, %d vertices", found,
          vertices);
    for (int v = 0; v < vertices; v++) {
        for (int k = 0; k < 3; k++)
            at[v][k] = real(file);
        for (int k = 0; k < properties; k++)
            fields[v][k] = real(file);
    }
    for (int f = 0; f < faces; f++) {
        CHECK(getc(file) == 3, "face %d is no triangle", f);
        for (int k = 0; k < 3; k++)
            face[f][k] = (int)number(file);
    }
    CHECK(getc(file) == EOF, "more than the faces");
    fclose(file);
}

/* Volume between the surface and the origin; counts edges that no other triangle runs the other
 * way. */
static double volume(int *borders)
{
    static int next[MOST][16], degree[MOST];
    double sum = 0;
    memset(degree, 0, sizeof degree);
    *borders = 0;
    for (int f = 0; f < faces; f++) {
        const double *a = at[face[f][0]], *b = at[face[f][1]], *c = at[face[f][2]];
        sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
               a[2] * (b[0] * c[1] - b[1] * c[0]);
        for (int k = 0; k < 3; k++)
            if (face[f][k] < NX * NY && degree[face[f][k]] < 16)
                next[face[f][k]][degree[face[f][k]]++] = face[f][(k + 1) % 3];
    }
    for (int v = 0; v < NX * NY; v++)
        for (int k = 0; k < degree[v]; k++) {
            int back = 0;
            for (int j = 0; next[v][k] < NX * NY && j < degree[next[v][k]]; j++)
                back += next[next[v][k]][j] == v;
            *borders += next[v][k] < NX * NY && back != 1;
        }
    return sum / 6;
}

static void sheet(const otok_snapshot *s)
{
    const otok_mesh_options options = {0, 2};
    int count = 0, borders, wrong = 0;
    for (int f = 0; f < OTOK_FIELDS; f++)
        count += s->maps[f] != NULL;
    MUST(otok_ply_write(path, s, &options));
    read_ply(count);
    CHECK(vertices == NX * NY && faces == 2 * (NX - 1) * (NY - 1), "%d vertices, %d faces",
          vertices, faces);
    for (int v = 0; v < vertices; v++) {
        wrong += at[v][0] != (float)((v % NX + 0.5) * 4) ||
                 at[v][1] != (float)((v / NX + 0.5) * 4) ||
                 at[v][2] != (float)(2.0 * (double)s->maps[OTOK_TERRAIN][v]);
        for (int f = 0, k = 0; f < OTOK_FIELDS; f++)
            if (s->maps[f]) wrong += memcmp(&fields[v][k++], &s->maps[f][v], sizeof(float)) != 0;
    }
    CHECK(wrong == 0, "%d values of vertices differ", wrong);
    volume(&borders);
    CHECK(borders == 2 * (NX - 1) + 2 * (NY - 1), "%d edges on the border", borders);
    double area = 0;
    for (int f = 0; f < faces; f++) {
        const double *a = at[face[f][0]], *b = at[face[f][1]], *c = at[face[f][2]];
        const double twice = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        CHECK(twice > 0, "face %d looks down", f);
        area += twice / 2;
    }
    CHECK(fabs(area - 16.0 * (NX - 1) * (NY - 1)) < 1e-6, "area %g", area);
}

static void sphere(otok_snapshot *s)
{
    const double radius = 1000, pi = 3.14159265358979323846;
    int borders, count = 0;
    for (int n = 0; n < NX * NY; n++)
        s->maps[OTOK_TERRAIN][n] = 0;
    for (int f = 0; f < OTOK_FIELDS; f++)
        count += s->maps[f] != NULL;
    MUST(otok_ply_write(path, s, &(otok_mesh_options){radius, 1}));
    read_ply(count);
    CHECK(vertices == NX * NY + 2 && faces == 2 * NX * NY && vertices - 3 * faces / 2 + faces == 2,
          "%d vertices, %d faces", vertices, faces);
    const double found = volume(&borders), expected = 4.0 / 3 * pi * radius * radius * radius;
    CHECK(borders == 0, "%d open edges", borders);
    CHECK(found > 0.99 * expected && found < expected, "volume %.6g of %.6g", found, expected);
    for (int v = 0; v < vertices; v++)
        CHECK(fabs(hypot(hypot(at[v][0], at[v][1]), at[v][2]) - radius) < 1e-3,
              "vertex %d off the sphere", v);
    for (int n = 0; n < NX * NY; n++)
        s->maps[OTOK_TERRAIN][n] = n < NX ? (float)(n % 2 * 20) : 10;
    MUST(otok_ply_write(path, s, &(otok_mesh_options){radius, 3}));
    read_ply(count);
    CHECK(at[NX * NY][2] == -1030 && at[NX * NY + 1][2] == 1030, "poles at %g and %g",
          at[NX * NY][2], at[NX * NY + 1][2]);
}

int main(void)
{
    const char *directory = sample_directory();
    otok_snapshot s;
    snprintf(path, sizeof path, "%s/a.ply", directory);
    sample_make(&s, NX, NY, ALL_FIELDS | UINT64_C(1) << OTOK_TERRAIN, 7);
    s.grid.spacing = 4;
    sheet(&s);
    sphere(&s);
    s.grid.nx = 1;
    CHECK(otok_ply_write(path, &s, &(otok_mesh_options){0, 1}) == OTOK_USAGE &&
              strstr(otok_why(), "too few"),
          "'%s'", otok_why());
    s.grid.nx = NX;
    CHECK(otok_ply_write("/none/a.ply", &s, &(otok_mesh_options){0, 1}) == OTOK_IO, "'%s'",
          otok_why());
    CHECK(otok_ply_write("/dev/full", &s, &(otok_mesh_options){0, 1}) == OTOK_IO, "'%s'",
          otok_why());
    otok_snapshot_destroy(&s);
    sample_clean(directory);
    return check_failures != 0;
}
