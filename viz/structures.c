/* structures.c: see structures.h. A deck is where cells of bridges are. Its outline runs half-way
   between cells of a road and other cells, so that it is straight along a diagonal road. */
#include "structures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PARAPET 0.9 /* above a deck, and a slab below it [m]                                */
#define SLAB 1.1
#define PIER 0.5 /* half of its side                                                        */
#define MOUTH 4.2
#define LINTEL 1.3
#define POST 1.2
#define BEFORE 0.5 /* of a cell: how far a mouth stands before the last cell of the bed      */

enum { NEAR = 8 }; /* cells about a mouth that tell where the road goes */

typedef struct corner {
    double x, y, z;
    int outline; /* half-way to a cell that is no road */
} corner;

typedef struct list {
    float *xyz;
    size_t n, room;
} list;

typedef struct builder {
    otok_grid grid;
    const float *terrain, *road, *height;
    list lists[OTOK_STRUCTURE_END];
    int failed;
} builder;

static void add_vertex(builder *b, int kind, double x, double y, double z)
{
    list *l = &b->lists[kind];
    if (l->n == l->room) {
        const size_t room = l->room ? 2 * l->room : 256;
        float *more = realloc(l->xyz, room * sizeof(float[3]));
        if (!more) {
            b->failed = 1;
            return;
        }
        l->xyz = more;
        l->room = room;
    }
    float *to = l->xyz + 3 * l->n++;
    to[0] = (float)x, to[1] = (float)y, to[2] = (float)z;
}

static void add_triangle(builder *b, int kind, corner p, corner q, corner r)
{
    add_vertex(b, kind, p.x, p.y, p.z);
    add_vertex(b, kind, q.x, q.y, q.z);
    add_vertex(b, kind, r.x, r.y, r.z);
}

/* A wall above the line from p to q, from `low` to `high` above their heights. */
static void add_wall(builder *b, int kind, corner p, corner q, double low, double high)
{
    corner p2 = p, q2 = q;
    p.z += low, q.z += low, p2.z += high, q2.z += high;
    add_triangle(b, kind, p, q, q2);
    add_triangle(b, kind, p, q2, p2);
}

static int wall_kind(corner p, corner q)
{
    return fabs(q.y - p.y) > fabs(q.x - p.x) ? OTOK_STRUCTURE_WALL_X : OTOK_STRUCTURE_WALL_Y;
}

static float road_at(const builder *b, int64_t i, int64_t j)
{
    return i < 0 || j < 0 || i >= b->grid.nx || j >= b->grid.ny ? 0 : b->road[j * b->grid.nx + i];
}

static int is_deck(float road)
{
    return road >= OTOK_ROAD_BED && road < OTOK_ROAD_TUNNEL;
}

static corner middle_of(const builder *b, int64_t i, int64_t j)
{
    const double l = b->grid.spacing;
    return (corner){((double)i + 0.5) * l, ((double)j + 0.5) * l,
                    (double)b->height[j * b->grid.nx + i] + 0.05, 0};
}

/* The deck between the middles of four cells, and parapets where it ends. */
static void add_deck(builder *b, int64_t i, int64_t j)
{
    static const int8_t dx[4] = {0, 1, 1, 0}, dy[4] = {0, 0, 1, 1};
    corner ring[8];
    int n = 0, bridge = 0;
    for (int k = 0; k < 4; k++)
        bridge |= road_at(b, i + dx[k], j + dy[k]) == OTOK_ROAD_BRIDGE;
    if (!bridge) return;
    for (int k = 0; k < 4; k++) {
        const int m = (k + 1) % 4;
        const int64_t x = i + dx[k], y = j + dy[k], x2 = i + dx[m], y2 = j + dy[m];
        const int here = is_deck(road_at(b, x, y)), next = is_deck(road_at(b, x2, y2));
        if (here) ring[n++] = middle_of(b, x, y);
        if (here == next) continue;
        corner half = here ? middle_of(b, x, y) : middle_of(b, x2, y2);
        half.x = ((double)(x + x2) + 1) / 2 * b->grid.spacing;
        half.y = ((double)(y + y2) + 1) / 2 * b->grid.spacing;
        half.outline = 1;
        ring[n++] = half;
    }
    for (int k = 2; k < n; k++)
        add_triangle(b, OTOK_STRUCTURE_DECK, ring[0], ring[k - 1], ring[k]);
    for (int k = 0; k < n; k++) {
        const corner p = ring[k], q = ring[(k + 1) % n];
        if (p.outline && q.outline) add_wall(b, wall_kind(p, q), p, q, -SLAB, PARAPET);
    }
}

/* A pier under every fifth cell along a deck, whichever way the deck runs. */
static void add_pier(builder *b, int64_t i, int64_t j)
{
    static const int8_t dx[4] = {1, 0, -1, 0}, dy[4] = {0, 1, 0, -1};
    if (road_at(b, i, j) != OTOK_ROAD_BRIDGE || (i + 2 * j) % 5 != 0) return;
    for (int k = 0; k < 4; k++)
        if (!is_deck(road_at(b, i + dx[k], j + dy[k]))) return;
    const corner top = middle_of(b, i, j);
    const double foot = (double)b->terrain[j * b->grid.nx + i] - 1 - top.z;
    for (int k = 0; k < 4; k++) {
        corner p = top, q = top;
        p.x += PIER * (dx[k] - dy[k]), p.y += PIER * (dy[k] + dx[k]);
        q.x += PIER * (dx[k] + dy[k]), q.y += PIER * (dy[k] - dx[k]);
        add_wall(b, wall_kind(p, q), p, q, foot, 0);
    }
}

/* ---- mouths of tunnels ---- */

/* A cell of a bed beside a tunnel. */
typedef struct gate {
    int64_t i, j;
} gate;

static size_t find_gates(const builder *b, gate *out)
{
    static const int8_t dx[4] = {1, 0, -1, 0}, dy[4] = {0, 1, 0, -1};
    size_t n = 0;
    for (int64_t j = 0; j < b->grid.ny; j++)
        for (int64_t i = 0; i < b->grid.nx; i++) {
            int beside = 0;
            for (int k = 0; k < 4; k++)
                beside |= road_at(b, i + dx[k], j + dy[k]) >= OTOK_ROAD_TUNNEL;
            if (!beside || !is_deck(road_at(b, i, j))) continue;
            if (out) out[n] = (gate){i, j};
            n++;
        }
    return n;
}

/* Moves the gates that belong to the first one, each at most two cells from another, to the front.
   Returns how many there are. */
static size_t gather_neighbours(gate *g, size_t n)
{
    size_t found = 1;
    for (size_t k = 0; k < found; k++)
        for (size_t m = found; m < n; m++)
            if (llabs(g[m].i - g[k].i) <= 2 && llabs(g[m].j - g[k].j) <= 2) {
                const gate keep = g[found];
                g[found++] = g[m];
                g[m] = keep;
            }
    return found;
}

/* The direction into a tunnel: from the middle of the cells of the deck near a gate to that of the
   cells of the tunnel. 0: they coincide. */
static int tunnel_direction(const builder *b, gate g, double way[2])
{
    double sum[2][3] = {{0}};
    for (int64_t j = g.j - NEAR; j <= g.j + NEAR; j++)
        for (int64_t i = g.i - NEAR; i <= g.i + NEAR; i++) {
            const float road = road_at(b, i, j);
            if (road < OTOK_ROAD_BED) continue;
            double *of = sum[road >= OTOK_ROAD_TUNNEL];
            of[0] += (double)i, of[1] += (double)j, of[2] += 1;
        }
    for (int a = 0; a < 2; a++)
        way[a] = sum[1][a] / fmax(sum[1][2], 1) - sum[0][a] / fmax(sum[0][2], 1);
    const double size = hypot(way[0], way[1]);
    way[0] /= size, way[1] /= size;
    return size > 0;
}

/* One dark opening under a lintel, across the road, before the first gate. */
static void add_mouth(builder *b, const gate *g, size_t n)
{
    const double l = b->grid.spacing;
    double way[2], first = INFINITY, low = 0, high = 0;
    corner p = middle_of(b, g[0].i, g[0].j);
    if (!tunnel_direction(b, g[0], way)) return;
    for (size_t k = 0; k < n; k++)
        first = fmin(first,
                     l * ((double)(g[k].i - g[0].i) * way[0] + (double)(g[k].j - g[0].j) * way[1]));
    first -= BEFORE * l;
    for (int64_t j = -NEAR; j <= NEAR; j++)
        for (int64_t i = -NEAR; i <= NEAR; i++) {
            const double along = l * ((double)i * way[0] + (double)j * way[1]),
                         across = l * ((double)j * way[0] - (double)i * way[1]);
            if (fabs(along - first) > l || !is_deck(road_at(b, g[0].i + i, g[0].j + j))) continue;
            low = fmin(low, across - 0.5 * l);
            high = fmax(high, across + 0.5 * l);
        }
    p.x += first * way[0], p.y += first * way[1];
    const double sides[4] = {low - POST, low, high, high + POST};
    corner at[4];
    for (int k = 0; k < 4; k++) {
        at[k] = p;
        at[k].x -= sides[k] * way[1], at[k].y += sides[k] * way[0];
    }
    add_wall(b, OTOK_STRUCTURE_MOUTH, at[1], at[2], -1, MOUTH);
    add_wall(b, wall_kind(at[0], at[3]), at[0], at[3], MOUTH, MOUTH + LINTEL);
    add_wall(b, wall_kind(at[0], at[1]), at[0], at[1], -1, MOUTH);
    add_wall(b, wall_kind(at[2], at[3]), at[2], at[3], -1, MOUTH);
}

static void add_mouths(builder *b)
{
    const size_t n = find_gates(b, NULL);
    gate *gates = malloc((n ? n : 1) * sizeof *gates);
    b->failed |= !gates;
    if (!gates) return;
    find_gates(b, gates);
    for (size_t first = 0, found; first < n; first += found) {
        found = gather_neighbours(gates + first, n - first);
        add_mouth(b, gates + first, found);
    }
    free(gates);
}

void otok_structures_destroy(otok_structures *s)
{
    glDeleteVertexArrays(1, &s->array);
    glDeleteBuffers(1, &s->buffer);
}

/* Copies all triangles to the device, kind by kind. */
static int fill_buffer(otok_structures *s, const builder *b)
{
    size_t all = 0, at = 0;
    for (int k = OTOK_STRUCTURE_DECK; k < OTOK_STRUCTURE_END; k++)
        all += b->lists[k].n;
    float *xyz = malloc((all + 1) * sizeof(float[3]));
    if (!xyz) return 0;
    for (int k = OTOK_STRUCTURE_DECK; k < OTOK_STRUCTURE_END; k++) {
        s->first[k] = (GLint)at;
        if (b->lists[k].n) memcpy(xyz + 3 * at, b->lists[k].xyz, b->lists[k].n * sizeof(float[3]));
        at += b->lists[k].n;
    }
    s->first[OTOK_STRUCTURE_END] = (GLint)at;
    glNamedBufferData(s->buffer, (GLsizeiptr)(all * sizeof(float[3])), xyz, GL_STATIC_DRAW);
    free(xyz);
    return 1;
}

otok_status otok_structures_build(otok_structures *s, otok_grid grid, const float *terrain,
                                  const float *road, const float *road_height)
{
    builder b = {.grid = grid, .terrain = terrain, .road = road, .height = road_height};
    for (int64_t j = 0; road && road_height && j < grid.ny; j++)
        for (int64_t i = 0; i < grid.nx; i++) {
            if (i + 1 < grid.nx && j + 1 < grid.ny) add_deck(&b, i, j);
            add_pier(&b, i, j);
        }
    if (road && road_height) add_mouths(&b);
    b.failed = b.failed || !fill_buffer(s, &b);
    for (int k = 0; k < OTOK_STRUCTURE_END; k++)
        free(b.lists[k].xyz);
    return b.failed ? OTOK_FAIL(OTOK_NOMEM, "no memory for bridges and tunnels") : OTOK_OK;
}

void otok_structures_draw(const otok_structures *s)
{
    glBindVertexArray(s->array);
    for (int k = OTOK_STRUCTURE_DECK; k < OTOK_STRUCTURE_END; k++) {
        glUniform1i(0, k);
        if (s->first[k + 1] > s->first[k])
            glDrawArrays(GL_TRIANGLES, s->first[k], s->first[k + 1] - s->first[k]);
    }
}
