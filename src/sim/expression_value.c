/* expression_value.c: evaluates an expression, a block of a row at a time; see expressions.h. A
   cell without a value is NaN. NaN stays NaN in every operation, so that it is left out. */
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
} row_sum;
static const row_sum empty = {0, INFINITY, -INFINITY, 0, 0};

/* ---- cells ---- */

static double power(double a, double b)
{
    double product = 1;
    if (!(b == floor(b) && fabs(b) <= WHOLE)) return (double)otok_powf((float)a, (float)b);
    for (int i = 0; i < (int)fabs(b); i++)
        product *= a;
    return isnan(a) ? NAN : b < 0 ? 1 / product : product;
}

/* Two values of which none is NaN. */
static double combine(int kind, double a, double b)
{
    switch (kind) {
    case OTOK_OP_OR: return a != 0 || b != 0;
    case OTOK_OP_AND: return a != 0 && b != 0;
    case OTOK_OP_LESS: return a < b;
    case OTOK_OP_AT_MOST: return a <= b;
    case OTOK_OP_MORE: return a > b;
    case OTOK_OP_AT_LEAST: return a >= b;
    case OTOK_OP_EQUAL: return a == b;
    case OTOK_OP_UNEQUAL: return a != b;
    case OTOK_OP_SMALLER: return a < b ? a : b;
    case OTOK_OP_LARGER: return a > b ? a : b;
    default: return power(a, b);
    }
}

static void apply_two(int kind, double *restrict a, const double *restrict b, int n)
{
    switch (kind) {
    case OTOK_OP_ADD:
        for (int i = 0; i < n; i++)
            a[i] += b[i];
        break;
    case OTOK_OP_SUBTRACT:
        for (int i = 0; i < n; i++)
            a[i] -= b[i];
        break;
    case OTOK_OP_MULTIPLY:
        for (int i = 0; i < n; i++)
            a[i] *= b[i];
        break;
    case OTOK_OP_DIVIDE:
        for (int i = 0; i < n; i++)
            a[i] /= b[i];
        break;
    default:
        for (int i = 0; i < n; i++)
            a[i] = isunordered(a[i], b[i]) ? NAN : combine(kind, a[i], b[i]);
    }
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

static void add_value(row_sum *r, double value)
{
    if (isnan(value)) return;
    r->n++;
    r->true_ones += value != 0;
    r->sum += value;
    if (value < r->low) r->low = value;
    if (value > r->high) r->high = value;
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
        for (int i = 0; i < n; i++) {
            if (walls && walls[y * nx + x + i]) block[i] = NAN;
            if (all)
                all[y * nx + x + i] = block[i];
            else
                add_value(&sum, block[i]);
        }
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
        if (rows[y].low < all.low) all.low = rows[y].low;
        if (rows[y].high > all.high) all.high = rows[y].high;
    }
    switch (kind) {
    case OTOK_OP_AREA: return (double)all.true_ones * g.spacing * g.spacing;
    case OTOK_OP_SUM: return all.sum;
    case OTOK_OP_MEAN: return all.n ? all.sum / (double)all.n : NAN;
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

/* Linear between the values next to it, as numpy.quantile. */
static double quantile(double *v, int64_t cells, double share)
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

/* The number of patches of cells that share sides: of cells, less than one for each union. */
static double count_components(const double *v, int64_t *parents, const otok_cells *c)
{
    const int64_t nx = c->grid.nx, ny = c->grid.ny;
    int64_t count = 0;
#define IS(i) (!isnan(v[i]) && v[i] != 0)
    for (int64_t i = 0; i < nx * ny; i++)
        parents[i] = i;
    for (int64_t y = 0; y < ny; y++)
        for (int64_t x = 0; x < nx; x++) {
            const int64_t i = y * nx + x, left = x || c->wraps_x ? y * nx + (x + nx - 1) % nx : i,
                          below = y || c->wraps_y ? (y + ny - 1) % ny * nx + x : i;
            if (!IS(i)) continue;
            count++;
            for (int k = 0; k < 2; k++) {
                const int64_t other = k ? below : left;
                const int64_t a = root_of(parents, i), b = IS(other) ? root_of(parents, other) : a;
                count -= a != b;
                parents[a] = b;
            }
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
        w->found[reducer] = quantile(values, cells, w->e->ops[reducer].number);
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
        if (e->ops[at].kind >= OTOK_OP_AREA) OTOK_TRY(reduce(&w, at));
    evaluate(&w, 0, e->n, 0, 0, 1, out);
    return OTOK_OK;
}
