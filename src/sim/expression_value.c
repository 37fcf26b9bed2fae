/* expression_value.c: evaluates an expression, a block of a row at a time; see expressions.h. A
   cell without a value is NaN. NaN stays NaN in every operation, so that it is left out. */
#include "../core/directions.h"
#include "../core/rounding.h"
#include "../core/status.h"
#include "../model/math.h"
#include "expressions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 256, PARALLEL = 1 << 16 /* cells */, WHOLE = 16 /* largest exact exponent */ };

typedef struct work {
    const otok_expression *e;
    const otok_cells *cells;
    double found[OTOK_EXPRESSION_OPS]; /* values of the reducers so far, by their position */
} work;

/* What the sums need of a row. */
typedef struct row_sum {
    double sum, low, high;
    int64_t n, true_ones;
    otok_arrow arrow;
} row_sum;
static const row_sum empty = {0, INFINITY, -INFINITY, 0, 0, {0, 0}};

/* ---- cells ---- */

static double power(double a, double b)
{
    double product = 1;
    if (!(b == floor(b) && fabs(b) <= WHOLE)) return (double)otok_powf((float)a, (float)b);
    for (int i = 0; i < (int)fabs(b); i++)
        product *= a;
    return isnan(a) ? NAN : b < 0 ? 1 / product : product;
}

/* A loop for each kind, so that compilers make vectors of it. */
static void apply_two(int kind, double *restrict a, const double *restrict b, int n)
{
#define EACH(value)                                                                                \
    for (int i = 0; i < n; i++)                                                                    \
        a[i] = value;                                                                              \
    break
#define KNOWN(value) EACH(isunordered(a[i], b[i]) ? NAN : (double)(value))
    switch (kind) {
    case OTOK_OP_ADD: EACH(a[i] + b[i]);
    case OTOK_OP_SUBTRACT: EACH(a[i] - b[i]);
    case OTOK_OP_MULTIPLY: EACH(a[i] * b[i]);
    case OTOK_OP_DIVIDE: EACH(a[i] / b[i]);
    case OTOK_OP_OR: KNOWN((a[i] != 0) | (b[i] != 0));
    case OTOK_OP_AND: KNOWN((a[i] != 0) & (b[i] != 0));
    case OTOK_OP_LESS: KNOWN(a[i] < b[i]);
    case OTOK_OP_AT_MOST: KNOWN(a[i] <= b[i]);
    case OTOK_OP_MORE: KNOWN(a[i] > b[i]);
    case OTOK_OP_AT_LEAST: KNOWN(a[i] >= b[i]);
    case OTOK_OP_EQUAL: KNOWN(a[i] == b[i]);
    case OTOK_OP_UNEQUAL: KNOWN(a[i] != b[i]);
    case OTOK_OP_SMALLER: KNOWN(a[i] < b[i] ? a[i] : b[i]);
    case OTOK_OP_LARGER: KNOWN(a[i] > b[i] ? a[i] : b[i]);
    default: KNOWN(power(a[i], b[i]));
    }
#undef KNOWN
#undef EACH
}

static void apply_one(int kind, double *a, int n)
{
    for (int i = 0; i < n; i++)
        switch (kind) {
        case OTOK_OP_NEGATE: a[i] = -a[i]; break;
        case OTOK_OP_NOT: a[i] = isnan(a[i]) ? NAN : a[i] == 0; break;
        case OTOK_OP_ABS: a[i] = fabs(a[i]); break;
        case OTOK_OP_SQRT: a[i] = sqrt(a[i]); break;
        case OTOK_OP_EXP: a[i] = (double)otok_expf((float)a[i]); break;
        default: a[i] = (double)otok_logf((float)a[i]); break;
        }
}

/* The values of an operation without operands, of n cells from (x, y) on. */
static void load(const work *w, const otok_operation *op, double *out, int64_t x, int64_t y, int n)
{
    const otok_grid g = w->cells->grid;
    if (op->kind == OTOK_OP_FIELD) {
        const float *map = w->cells->maps[op->arg] + y * g.nx + x;
        for (int i = 0; i < n; i++)
            out[i] = (double)map[i];
        return;
    }
    const int along = op->kind == OTOK_OP_X;
    const double value = op->kind == OTOK_OP_NUMBER ? op->number
                         : op->kind == OTOK_OP_Y    ? ((double)y + 0.5) * g.spacing
                         : op->kind == OTOK_OP_L    ? g.spacing
                                                    : w->found[op->arg];
    for (int i = 0; i < n; i++)
        out[i] = along ? ((double)(x + i) + 0.5) * g.spacing : value;
}

/* Evaluates the operations from `first` to before `end` in n <= BLOCK cells. */
static void evaluate(const work *w, int first, int end, int64_t x, int64_t y, int n, double *out)
{
    double values[OTOK_EXPRESSION_DEPTH][BLOCK];
    int top = -1;
    for (int at = first; at < end; at++) {
        const otok_operation *op = &w->e->ops[at];
        if (op->kind == OTOK_OP_BEGIN && op->arg < 0) continue;
        if (op->kind <= OTOK_OP_L || op->kind == OTOK_OP_BEGIN)
            load(w, op, values[++top], x, y, n);
        else if (op->kind < OTOK_OP_OR)
            apply_one(op->kind, values[top], n);
        else if (op->kind < OTOK_OP_IF)
            top--, apply_two(op->kind, values[top], values[top + 1], n);
        else {
            double *a = values[top -= 2];
            for (int i = 0; i < n; i++)
                a[i] = isnan(a[i]) ? NAN : a[i] != 0 ? values[top + 1][i] : values[top + 2][i];
        }
        if (op->kind == OTOK_OP_BEGIN) at = op->arg;
    }
    memcpy(out, values[0], (size_t)n * sizeof *out);
}

/* ---- reducers ---- */

enum { LANES = 8 }; /* for values whose order does not matter */

/* The smallest value, or the largest one of `sign` -1; INFINITY if there is none. */
static double extreme(const double *v, double sign, int n)
{
    double lanes[LANES], found = INFINITY;
    for (int k = 0; k < LANES; k++)
        lanes[k] = INFINITY;
    for (int i = 0; i + LANES <= n; i += LANES)
        for (int k = 0; k < LANES; k++) {
            const double value = sign * v[i + k];
            lanes[k] = value < lanes[k] ? value : lanes[k];
        }
    for (int k = 0; k < LANES; k++)
        found = lanes[k] < found ? lanes[k] : found;
    for (int i = n / LANES * LANES; i < n; i++)
        found = sign * v[i] < found ? sign * v[i] : found;
    return found;
}

static void add_arrow(otok_arrow *to, otok_arrow more)
{
    to->east += more.east;
    to->north += more.north;
}

/* Adds values in their order. */
static void add_values(row_sum *r, int kind, const double *v, int n)
{
    int known = 0, true_ones = 0;
    for (int i = 0; i < n && kind != OTOK_OP_SUM; i++)
        known += !isnan(v[i]);
    r->n += known;
    switch (kind) {
    case OTOK_OP_AREA:
        for (int i = 0; i < n; i++)
            true_ones += (v[i] < 0) | (v[i] > 0);
        r->true_ones += true_ones;
        break;
    case OTOK_OP_DIRECTION:
        for (int i = 0; i < n; i++)
            if (!isnan(v[i])) add_arrow(&r->arrow, otok_arrow_of(v[i]));
        break;
    case OTOK_OP_MIN: r->low = fmin(r->low, extreme(v, 1, n)); break;
    case OTOK_OP_MAX: r->high = fmax(r->high, -extreme(v, -1, n)); break;
    default:
        for (int i = 0; i < n; i++)
            r->sum += isnan(v[i]) ? 0 : v[i];
    }
}

/* A row of the operand of a reducer, NaN in walls; `all`: room for the values of all cells, or
   NULL. */
static row_sum evaluate_row(const work *w, int reducer, int64_t y, double *all)
{
    const int64_t nx = w->cells->grid.nx;
    const unsigned char *walls = w->cells->walls;
    row_sum sum = empty;
    double block[BLOCK];
    for (int64_t x = 0; x < nx; x += BLOCK) {
        const int n = (int)(nx - x < BLOCK ? nx - x : BLOCK);
        evaluate(w, w->e->ops[reducer].arg + 1, reducer, x, y, n, block);
        for (int i = 0; walls && i < n; i++)
            if (walls[y * nx + x + i]) block[i] = NAN;
        if (all)
            memcpy(all + y * nx + x, block, (size_t)n * sizeof *all);
        else
            add_values(&sum, w->e->ops[reducer].kind, block, n);
    }
    return sum;
}

static double conclude(const work *w, int kind, const row_sum *rows)
{
    row_sum all = empty;
    const otok_grid g = w->cells->grid;
    for (int64_t y = 0; y < g.ny; y++) {
        all.n += rows[y].n;
        all.true_ones += rows[y].true_ones;
        all.sum += rows[y].sum;
        add_arrow(&all.arrow, rows[y].arrow);
        if (rows[y].low < all.low) all.low = rows[y].low;
        if (rows[y].high > all.high) all.high = rows[y].high;
    }
    switch (kind) {
    case OTOK_OP_AREA: return (double)all.true_ones * g.spacing * g.spacing;
    case OTOK_OP_SUM: return all.sum;
    case OTOK_OP_MEAN: return all.n ? all.sum / (double)all.n : NAN;
    case OTOK_OP_DIRECTION: return otok_direction_of(all.arrow, all.n);
    case OTOK_OP_MIN: return all.n ? all.low : NAN;
    default: return all.n ? all.high : NAN;
    }
}

/* The k-th smallest of n values (Hoare); smaller ones come before it then, larger ones after it. */
static double select_value(double *v, int64_t n, int64_t k)
{
    for (int64_t low = 0, high = n - 1; low < high;) {
        const double pivot = v[low + (high - low) / 2];
        int64_t i = low, j = high;
        while (i <= j) {
            while (v[i] < pivot)
                i++;
            while (pivot < v[j])
                j--;
            if (i > j) break;
            const double other = v[i];
            v[i++] = v[j];
            v[j--] = other;
        }
        if (k <= j)
            high = j;
        else if (k >= i)
            low = i;
        else
            break;
    }
    return v[k];
}

double otok_quantile(double *v, int64_t cells, double share)
{
    int64_t n = 0;
    for (int64_t i = 0; i < cells; i++)
        if (!isnan(v[i])) v[n++] = v[i];
    if (!n) return NAN;
    const double place = share * (double)(n - 1);
    const int64_t k = (int64_t)place;
    const double low = select_value(v, n, k);
    double high = INFINITY;
    for (int64_t i = k + 1; i < n; i++)
        if (v[i] < high) high = v[i];
    return place > (double)k ? low + (place - (double)k) * (high - low) : low;
}

static int64_t root_of(int64_t *parents, int64_t i)
{
    while (parents[i] != i)
        i = parents[i] = parents[parents[i]];
    return i;
}

#define IS(i) (v[i] < 0 || v[i] > 0)
/* Joins the patch of a cell with that of another before it. Returns 1 if there is one, and it was
   another patch. */
static int join(const double *v, int64_t *parents, int64_t i, int64_t before)
{
    if (!IS(before)) return 0;
    const int64_t a = root_of(parents, i), b = root_of(parents, before);
    parents[a] = b;
    return a != b;
}

/* The number of patches of cells that share sides: of cells, less one for each union. */
static double count_components(const double *v, int64_t *parents, const otok_cells *c)
{
    const int64_t nx = c->grid.nx, ny = c->grid.ny;
    int64_t count = 0;
    for (int64_t y = 0; y < ny; y++)
        for (int64_t x = 0; x < nx; x++) {
            const int64_t i = y * nx + x;
            if (!IS(i)) continue;
            parents[i] = i;
            count++;
            if (x > 0) count -= join(v, parents, i, i - 1);
            if (y > 0) count -= join(v, parents, i, i - nx);
            if (x == nx - 1 && c->wraps_x) count -= join(v, parents, i, i - x);
            if (y == ny - 1 && c->wraps_y) count -= join(v, parents, i, x);
        }
#undef IS
    return (double)count;
}

/* Quantiles and components need all values at once. */
static otok_status reduce_map(work *w, int reducer, double *values)
{
    const otok_cells *c = w->cells;
    const int64_t cells = c->grid.nx * c->grid.ny;
    if (w->e->ops[reducer].kind == OTOK_OP_QUANTILE) {
        w->found[reducer] = otok_quantile(values, cells, w->e->ops[reducer].number);
        return OTOK_OK;
    }
    int64_t *parents = malloc((size_t)cells * sizeof *parents);
    if (!parents)
        return OTOK_FAIL(OTOK_NOMEM, "no memory to count components of %lld cells",
                         (long long)cells);
    w->found[reducer] = count_components(values, parents, c);
    free(parents);
    return OTOK_OK;
}

static otok_status reduce(work *w, int reducer)
{
    const otok_grid g = w->cells->grid;
    const int kind = w->e->ops[reducer].kind, whole = kind >= OTOK_OP_QUANTILE;
    double *values = whole ? malloc((size_t)(g.nx * g.ny) * sizeof *values) : NULL;
    row_sum *rows = malloc((size_t)g.ny * sizeof *rows);
    otok_status status = (values || !whole) && rows
                             ? OTOK_OK
                             : OTOK_FAIL(OTOK_NOMEM, "no memory for the values of a response");
#pragma omp parallel if (g.nx * g.ny > PARALLEL && status == OTOK_OK)
    {
        OTOK_ROUNDING;
#pragma omp for
        for (int64_t y = 0; y < (status == OTOK_OK ? g.ny : 0); y++)
            rows[y] = evaluate_row(w, reducer, y, values);
    }
    if (status == OTOK_OK && whole)
        status = reduce_map(w, reducer, values);
    else if (status == OTOK_OK)
        w->found[reducer] = conclude(w, kind, rows);
    free(values);
    free(rows);
    return status;
}

otok_status otok_expression_value(double *out, const otok_expression *e, const otok_cells *cells)
{
    work w = {.e = e, .cells = cells};
    for (int at = 0; at < e->n; at++)
        if (e->ops[at].kind == OTOK_OP_DISCHARGE || e->ops[at].kind == OTOK_OP_HEAD)
            OTOK_TRY(otok_expression_section(&w.found[at], e, &e->ops[at], cells));
    for (int at = 0; at < e->n; at++)
        if (e->ops[at].kind >= OTOK_OP_AREA) OTOK_TRY(reduce(&w, at));
    evaluate(&w, 0, e->n, 0, 0, 1, out);
    return OTOK_OK;
}
