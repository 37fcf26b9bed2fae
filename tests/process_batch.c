/* process_batch.c - claim: in a study of any process of the list, made from its row, each member
   has beside others the bits that it has alone. */
#include "conformance.h"
#include "study_alone.h"

static char base[sizeof file_path];
static const char *place; /* the backend */

/* Appends an axis to a study. */
static int vary(char *text, const char *address, const char *values)
{
    return sprintf(text, "  %s: {values: [%s]}\n", address, values);
}

/* Members with two levels of the sea, and with the first strength of the process that may be halved
   as it is and halved. */
static void write_study(const trial *t, char *text)
{
    int varied = 0;
    text += sprintf(text, "study: 1\nscenario: base.yaml\ndesign: {kind: grid}\nmonitor: {every: "
                          "2}\nvary:\n  sea.level: {values: [6, 5.5]}\n");
    for (int m = 0; m < t->nmore; m++) {
        char address[WORDS / 4];
        strcpy(address, t->more[m]);
        char *value = strchr(address, '=');
        *value = 0;
        text += vary(text, address, value + 1);
    }
    for (int i = 0; i < t->process->nparameters && !varied; i++) {
        const otok_parameter *p = &t->process->parameters[i];
        char address[80], values[80], number[2][32];
        trial half = *t;
        if (p->kind != OTOK_REAL || strcmp(p->key, "dt") == 0 || !(p->standard > 0)) continue;
        trial_number(&half, p->key, p->standard / 2);
        otok_scenario *s = trial_scenario(&half);
        if (!s) continue;
        otok_scenario_destroy(s);
        snprintf(address, sizeof address, "phases.only.%s.%s", p->group, p->key);
        snprintf(values, sizeof values, "%s, %s", otok_number_text(p->standard, number[0]),
                 otok_number_text(p->standard / 2, number[1]));
        text += vary(text, address, values);
        varied = 1;
    }
}

static void check_batch(const trial *of)
{
    char text[8 * WORDS], folder[96];
    trial t = *of;
    otok_study *study;
    snprintf(t.walls, sizeof t.walls,
             "base: [{cone: {height: 8, radius: 20}}, {simplex: "
             "{wavelength: 9, amplitude: 2, combine: add}}]");
    trial_text(&t, text);
    FILE *file = fopen(base, "w");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0) exit(1);
    write_study(&t, text);
    file_write(text, strlen(text));
    MUST(otok_study_load(&study, file_path));
    snprintf(folder, sizeof folder, "%s/run", file_folder);
    const otok_study_options o = {.directory = folder, .backend = place, .shard = 1, .shards = 1};
    MUST(otok_study_run(study, &o, NULL));
    against_alone(trial_name(&t), study, folder, place);
    otok_study_destroy(study);
    study_clear(folder);
}

int main(int argc, char **argv)
{
    static trial trials[TRIALS];
    int nsetups;
    place = CHECK_BACKEND(argc, argv)->name;
    trials_begin(place);
    file_create();
    snprintf(base, sizeof base, "%s/base.yaml", file_folder);
    for (int p = 0; p < OTOK_PROCESSES; p++) {
        const int n = trials_of(otok_processes[p], trials, &nsetups);
        for (int i = 0; i < n && (i < nsetups || trials[i].layered); i++)
            check_batch(&trials[i]);
    }
    unlink(base);
    file_remove();
    return check_failures > 0;
}
