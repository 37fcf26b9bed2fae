/* study_alone.h: the members of a study against the same ones alone. */
#ifndef OTOK_STUDY_ALONE_H
#define OTOK_STUDY_ALONE_H

#include "scenario_file.h"
#include "study/table.h"

/* Checks each member of a study that has run in a folder against the same one alone. Returns the
   sum of cells that chatter in samples. */
static double against_alone(const char *name, const otok_study *study, const char *folder,
                            const char *backend)
{
    otok_table table;
    double chatter = 0;
    MUST(otok_table_read(&table, folder));
    for (int64_t row = 0; row < table.nrows; row++) {
        otok_result alone;
        otok_sample *samples;
        const otok_result *found = table.rows[row].result;
        MUST(otok_member_run(&alone, &samples, study, row, backend));
        CHECK(found && memcmp(found, &alone, sizeof alone) == 0,
              "%s, member %lld: %s after %lld iterations, alone %s after %lld", name,
              (long long)row, found ? otok_verdict_name((otok_verdict)found->verdict) : "nothing",
              found ? (long long)found->iterations : -1,
              otok_verdict_name((otok_verdict)alone.verdict), (long long)alone.iterations);
        if (found && alone.nsamples > 0 && found->nsamples == alone.nsamples)
            CHECK(memcmp(table.rows[row].samples, samples,
                         (size_t)alone.nsamples * sizeof *samples) == 0,
                  "%s, member %lld: other samples", name, (long long)row);
        for (int64_t s = 0; s < alone.nsamples; s++)
            chatter += samples[s].chatter;
        free(samples);
    }
    otok_table_destroy(&table);
    return chatter;
}

/* Removes what a study of one part left in a folder, and the folder. */
static void study_clear(const char *folder)
{
    static const char *const files[] = {"study.h5", "1-of-1.journal"};
    for (int f = 0; f < 2; f++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", folder, files[f]);
        unlink(path);
    }
    rmdir(folder);
}

#endif
