/* scenario_audit.c: the key `audit` of a scenario, and the windows of its audit (sim/audit.h). */
#include "scenario_audit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* From states at these shares of the iterations; most happens early. */
static const double moments[] = {0, 1.0 / 64, 1.0 / 16, 1.0 / 4, 1.0 / 2};

/* The iterations of a window: of a long run; the least; as a share of the run. */
enum { LONGEST = 24, SHORTEST = 6, SHARE = 320 };
/* A window of the longest costs 48 iterations of the twin. Of a short run there are fewer windows,
   one for each so many iterations, but the first and the last at least. */
enum { APART = 64, FEWEST = 2 };

/* ---- the key ---- */

static otok_status read_moments(otok_audit_moments *m, const otok_node *list)
{
    m->n = list->n;
    if (list->n < 1 || list->n > OTOK_AUDIT_WINDOWS)
        return otok_node_fail(list, "%d moments; allowed: 1 to %d", list->n, OTOK_AUDIT_WINDOWS);
    for (int i = 0; i < list->n; i++) {
        const otok_node *item = list->items[i];
        const char *text = item->kind == OTOK_NODE_SCALAR && item->text ? item->text : "";
        char *end, shown[64];
        m->at[i] = strtod(text, &end);
        if (!*text || *end || !(m->at[i] >= 0 && m->at[i] < 1) || (i && m->at[i] <= m->at[i - 1]))
            return otok_node_fail(item,
                                  "%s stands where a share of the run is needed; write increasing "
                                  "numbers from 0 to below 1, such as [0, 0.1, 0.5]",
                                  otok_node_show(item, shown));
    }
    return OTOK_OK;
}

otok_status otok_audit_read(otok_audit_moments *out, const otok_node *node)
{
    static const char *const on[] = {"on", "true", "yes"}, *const off[] = {"off", "false", "no"};
    char shown[64];
    out->n = sizeof moments / sizeof moments[0];
    memcpy(out->at, moments, sizeof moments);
    if (!node || otok_node_is_null(node)) return OTOK_OK;
    if (node->kind == OTOK_NODE_LIST) return read_moments(out, node);
    for (int i = 0; node->kind == OTOK_NODE_SCALAR && i < 3; i++) {
        if (strcmp(node->text, on[i]) == 0) return OTOK_OK;
        if (strcmp(node->text, off[i]) != 0) continue;
        out->n = 0;
        return OTOK_OK;
    }
    return otok_node_fail(node, "%s; write `on`, `off`, or moments such as [0, 0.1, 0.5]",
                          otok_node_show(node, shown));
}

void otok_audit_write(FILE *out, const otok_audit_moments *m)
{
    if (m->n == sizeof moments / sizeof moments[0] && memcmp(m->at, moments, sizeof moments) == 0)
        return;
    if (m->n == 0) fputs("audit: off\n", out);
    for (int i = 0; i < m->n; i++)
        fprintf(out, "%s%.17g%s", i ? ", " : "audit: [", m->at[i], i == m->n - 1 ? "]\n" : "");
}

/* ---- the windows ---- */

/* Can each iteration from `from` to `upto` be split in two? Sweeps of the seabed alone cannot, nor
   batches of an odd number of droplets. */
static int splits(const otok_scenario *s, int64_t from, int64_t upto)
{
    for (otok_visit v = {0}; v.phase < s->nphases && v.begin < upto; otok_visit_next(&v, s)) {
        const otok_phase *phase = &s->phases[v.phase];
        if (from >= v.begin + phase->iterations) continue;
        if (phase->processes & OTOK_DROPLETS && phase->droplets.batch % 2) return 0;
        if (!(phase->processes & ~OTOK_SEABED)) return 0;
    }
    return 1;
}

int otok_scenario_splits(const otok_scenario *s)
{
    for (int i = 0; i < s->nphases; i++) {
        const otok_phase *phase = &s->phases[i];
        if (phase->processes & OTOK_DROPLETS && phase->droplets.batch % 2) return 0;
        if (phase->processes & OTOK_SEABED && phase->seabed.sweeps % 2) return 0;
    }
    return 1;
}

/* The first iteration from `start` on such that no checkpoint falls within the window, since a run
   may be continued from there. */
static int64_t between_checkpoints(const otok_scenario *s, int64_t start, int64_t length)
{
    const int64_t every = s->output.every;
    if (every == 0 || start % every == 0) return start;
    const int64_t next = (start / every + 1) * every;
    return next < start + length ? next : start;
}

static int ascending(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* The wanted starts, ascending: those of the run, then the middle of each phase that has none. */
static int wanted_starts(const otok_scenario *s, int64_t end, int64_t *out)
{
    const otok_audit_moments *m = &s->audit;
    const int64_t most = end / APART < FEWEST ? FEWEST : end / APART;
    int n = 0;
    for (int i = m->n - 1; i > 0 && n < most - 1; i--) /* of a short run the late ones */
        out[n++] = (int64_t)floor(m->at[i] * (double)end);
    out[n++] = (int64_t)floor(m->at[0] * (double)end);
    for (otok_visit v = {0}; v.phase < s->nphases && n < OTOK_AUDIT_WINDOWS && n < most;
         otok_visit_next(&v, s)) {
        const int64_t all = s->phases[v.phase].iterations;
        int has = 0;
        for (int i = 0; i < n; i++)
            has |= out[i] >= v.begin && out[i] < v.begin + all;
        if (!has) out[n++] = v.begin + all / 2;
    }
    qsort(out, (size_t)n, sizeof *out, ascending);
    return n;
}

otok_audit_windows otok_scenario_audit(const otok_scenario *s)
{
    const int64_t end = otok_scenario_iterations(s), every = s->output.every;
    int64_t starts[OTOK_AUDIT_WINDOWS], length = end / SHARE, upto = 0;
    otok_audit_windows w = {.n = 0};
    length = length < SHORTEST ? SHORTEST : length > LONGEST ? LONGEST : length;
    length = every && every < length ? every : length;
    length = end / 4 < length ? end / 4 : length;
    w.length = length;
    if (s->audit.n == 0 || length < 1 || (every && every < SHORTEST && every < end)) return w;
    const int n = wanted_starts(s, end, starts);
    for (int i = 0; i < n; i++) {
        const int64_t start = between_checkpoints(s, starts[i] > upto ? starts[i] : upto, length);
        if (start + length > end || !splits(s, start, start + length)) continue;
        w.starts[w.n++] = start;
        upto = start + length;
    }
    return w;
}
