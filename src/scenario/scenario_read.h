/* scenario_read.h: what the parts of the scenario reader share. Private to them. */
#ifndef OTOK_SCENARIO_READ_H
#define OTOK_SCENARIO_READ_H

#include "../core/status.h"
#include "../core/words.h"
#include "scenario.h"
#include "yaml_node.h"

/* ---- words.c ---- */
void otok_words_add_keys(otok_words *words,
                         const char *group); /* the keys of a group in the table */

/* The node must be a list of at least and at most so many items; without a node *n is 0. */
otok_status otok_list_check(int *n, const otok_node *list, int least, int most, const char *what);

/* The node, if there is one, must be a map whose keys are all known. */
otok_status otok_words_check(const otok_words *words, const otok_node *map);

/* ---- scenario_value.c: values by the parameter table. A number may have a unit; the node then
   becomes the plain number in the unit of the parameter. ---- */
otok_status otok_value_real(double *out, const otok_node *node, const otok_parameter *range);
otok_status otok_value_int(int64_t *out, const otok_node *node, const otok_parameter *range);

/* Reads a number of iterations (*seconds is then NAN), or a time with its unit (*n stays, and the
   node becomes seconds, "9 s"). */
otok_status otok_value_when(int64_t *n, double *seconds, const otok_node *node,
                            const otok_parameter *range);

/* scenario_given.c: keeps the texts of a tree that was read, for otok_scenario_given. */
otok_status otok_given_keep(otok_scenario *scenario, const otok_node *root);

/* For messages: a value in the unit that a scalar was given in, such as "10 yr"; in `unit`, which
   it has, if the scalar has none or is NULL, or if the number would be tiny. */
const char *otok_as_given(const otok_node *scalar, double value, int digits, const char *unit,
                          char out[64]);

otok_status otok_value_text(char *out, size_t size, const otok_node *node);

/* Reads a value of the kind of a parameter. */
otok_status otok_value_read(void *at, const otok_parameter *parameter, const otok_node *node);

/* The values that a parameter allows, for a message. */
const char *otok_range_text(const otok_parameter *parameter, char out[128]);

/* The default of a parameter. It may depend on the group's law, whose row comes before its own. */
double otok_law_standard(const otok_parameter *p, const void *group);

/* The only law that has this key; `law` if all have it. */
int otok_law_of_key(const char *group, const char *key, int law);

/* Removes the keys of a process that laws have defaults of or that one law alone has, for another
   law. */
void otok_law_forget(otok_node *map);

/* Sets the defaults of all keys of a group, then the values in the map (NULL: none). Lists are left
   to their readers. */
otok_status otok_group_read(void *at, const char *group, const otok_node *map);

/* ---- scenario_items.c ---- */

/* otok_group_read for a map that has no other keys; then the series of the group, and their files,
   whose relative names count from the directory. */
otok_status otok_group_take(void *at, const char *group, const otok_node *map,
                            const char *directory);

/* What the table does not tell of item i of a list, after it was read. */
typedef otok_status otok_item_check(otok_scenario *scenario, otok_phase *phase, int i,
                                    const otok_node *item);

/* Reads a list of kind OTOK_STRUCTS from the map of its owner (NULL: no items) into the owner's
   struct, and hands each item to the check, if there is one. The phase is for the check. */
otok_status otok_items_read(otok_scenario *scenario, otok_phase *phase, void *owner,
                            const otok_parameter *list, const otok_node *map,
                            otok_item_check *check);

/* Refuses ends x, y, to_x, to_y of a line (to_x, to_y NAN: a point) outside the domain; `open`: its
   right and top sides are outside. */
otok_status otok_line_check(const otok_scenario *scenario, const double ends[4], int open,
                            const otok_node *item);

/* ---- series.c, series_read.c ---- */

/* Checks that a list holds pairs, at most `most` of them. *n is 0 if there is no list. */
otok_status otok_pairs_check(int *n, const otok_node *list, int most, const char *form);

/* Turns the file of a series, if it has one, into the list of its points. A relative name counts
   from the directory. Sets `assumed` and `bare` of the series alone. */
otok_status otok_series_load(otok_series *out, const otok_node *node, const char *directory,
                             const otok_parameter *p);

/* series_shapes.c: turns the name of a shape of the sea's level, if there is one, into its points;
   the words of the shapes that a parameter may have. */
otok_status otok_series_shape(otok_node *node, const otok_parameter *p);
void otok_series_shape_words(otok_words *words, const otok_parameter *p);

/* Reads a series, after its file was loaded, and writes it as a key of a group; nothing if it was
   not given. */
otok_status otok_series_read(otok_series *out, const otok_node *node, const otok_parameter *p);
void otok_series_write(FILE *out, const otok_parameter *p, const otok_series *series, int depth);

/* series_span.c: refuses series none of whose times is in the phase. */
otok_status otok_series_check(const otok_phase *phase, const otok_node *map);

/* ---- scenario_base.c, scenario_phase.c, scenario_check.c, scenario_set.c ---- */
extern const char *const otok_generator_names[OTOK_GENERATORS];

/* "a/island.yaml" -> copies of it, of "a" and of "island". The caller frees them, after a failure
   too. */
otok_status otok_path_split(char **whole, char **directory, char **stem, const char *path);

/* Makes a relative file name (OTOK_TEXT_SIZE) absolute, from `directory`. A resolved text then
   means the same anywhere. */
otok_status otok_path_resolve(char *file, const char *directory, const otok_node *node);
otok_status otok_scenario_resolve(const otok_scenario *scenario, char *file, const otok_node *node);

otok_status otok_base_read(otok_scenario *scenario, const otok_node *list);
void otok_base_destroy(otok_generator *list, int n);

/* Reads a pipeline: a list of generators, one generator, or a number in `range`. Its random streams
   begin with number `streams`. Generators of a thickness draw the same random numbers as the base,
   so that they can repeat its map and strata can be flat. */
otok_status otok_pipeline_read(otok_generator **out, int *n, const otok_scenario *scenario,
                               int streams, const otok_node *node, const otok_parameter *range);

/* scenario_layers.c: reads all maps of a phase's parameters. */
otok_status otok_maps_read(otok_scenario *scenario, int phase, const otok_node *phase_node);

/* scenario_layers.c: the erodibility and the kinds of rock of the ground. */
otok_status otok_ground_read(otok_scenario *scenario, const otok_node *root);
/* The initial values of some fields; NULL: not given. The second function checks that the phases
   have these fields. */
otok_status otok_initial_read(otok_scenario *scenario, const otok_node *initial);
otok_status otok_initial_check(const otok_scenario *scenario, const otok_node *initial);
void otok_ground_destroy(otok_scenario *scenario);

/* scenario_generator.c: lists of numbers, defaults that depend on the grid, and values that
   contradict each other. */
otok_status otok_generator_finish(otok_generator *generator, const otok_node *map,
                                  const otok_grid *domain, const otok_grid *grid);
int otok_sown_side(
    const otok_generator *generator); /* the number of sown heights in a row; 0: none */
otok_status otok_phases_read(otok_scenario *scenario, const otok_node *root);
void otok_phases_destroy(otok_scenario *scenario); /* the series of their processes */

/* scenario_rivers.c: the rivers of a phase. */
otok_status otok_rivers_read(otok_scenario *scenario, otok_phase *phase, const otok_node *map);

/* scenario_dams.c: the thin dams of a phase. */
otok_status otok_dams_read(otok_scenario *scenario, otok_phase *phase, const otok_node *map);

/* scenario_gauges.c, after the phases. */
otok_status otok_gauges_read(otok_scenario *scenario, const otok_node *root);

/* scenario_responses.c: the map `responses`; NULL: not given. The caller frees *out, after a
   failure too. */
otok_status otok_responses_read(otok_response **out, int *n, const otok_node *map);

/* Refuses values that contradict each other. */
otok_status otok_scenario_check(const otok_scenario *scenario, const otok_node *root);

/* Applies "path=value" to the tree. OTOK_USAGE: the words do not have this form, or the path does
   not exist. */
otok_status otok_scenario_set(otok_node *root, const char *words);

/* The same. It also returns the node of the new value, and the value that it replaces, in one line
   of YAML (malloc). */
otok_status otok_scenario_replace(otok_node **at, otok_node *root, const char *words,
                                  char **before);

/* Reads and checks a tree, but for its list `changes`; `path` is the path of its file. */
otok_status otok_scenario_from_tree(otok_scenario **out, otok_node *root, const char *path);

/* Writes the text of a scenario again. */
otok_status otok_scenario_rewrite(otok_scenario *scenario);

/* Counts a user of a scenario, who calls otok_scenario_destroy, too. */
const otok_scenario *otok_scenario_use(const otok_scenario *scenario);

/* Reads and checks a text: otok_scenario_load without the file. */
otok_status otok_scenario_parse(otok_scenario **out, const char *path, const char *bytes,
                                size_t size, const char *const *sets, int nsets);

/* text_read.c: a whole file followed by a 0 (malloc); NULL on failure. */
enum { OTOK_MOST_TEXT = 16 << 20 }; /* bytes */
otok_status otok_text_too_long(const char *path);
otok_status otok_text_read(char **bytes, size_t *size, const char *path);

/* The shortest decimal form that reads back as the same double; ".inf" for infinity. */
const char *otok_number_text(double value, char out[32]);

#endif
