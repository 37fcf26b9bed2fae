/* keep.h: maps of members that study.h5 has: which fields, after which iterations, how coarse. A
   map is packed as study.h5 stores it, and its bytes are part of the member's record in the
   journal. */
#ifndef OTOK_STUDY_KEEP_H
#define OTOK_STUDY_KEEP_H

#include "../scenario/yaml_node.h"
#include "../sim/expressions.h"
#include "member.h"

/* Reads the group `keep` of a study; NULL: not given. */
otok_status otok_keep_read(otok_keep *out, int64_t every, const otok_node *map);

/* Do the members, of which this is the first, have the fields, the cells and the iterations? */
otok_status otok_keep_check(otok_study *study, const otok_scenario *scenario, const otok_node *map);

/* The table's row of field i. */
const otok_field_info *otok_keep_field(const otok_keep *keep, int i);

/* Packed maps of a member that runs. */
typedef struct otok_kept {
    unsigned char *bytes; /* malloc */
    size_t size;          /* each map at a multiple of 8 */
} otok_kept;

/* Keeps the maps that are due after the present iteration, or at the end (`last`), from the present
   state of a simulation. OTOK_DATA: the grid is not that of the other members. */
otok_status otok_keep_maps(otok_kept *kept, otok_result *result, const otok_study *study,
                           otok_sim *sim, otok_state *state, int last);

/* The number of maps of a simulation that responses and kept maps are made of. */
int otok_keep_room(const otok_study *study);

/* Are maps due after the present iteration? Keeps these. `room`: see otok_member_conclude. */
int otok_keep_due(const otok_study *study, const otok_sim *sim);
otok_status otok_keep_now(otok_kept *kept, otok_result *result, const otok_study *study,
                          otok_sim *sim, float *room);

/* Puts the maps behind the samples, as a record has them. */
otok_status otok_kept_join(const otok_kept *kept, const otok_result *result, otok_sample **samples);

/* The bytes of the maps of a result, with padding, before map i; i = OTOK_MAX_KEPT: of all. */
size_t otok_kept_before(const otok_result *result, int i);

/* Can the study have these sizes of packed maps? */
int otok_kept_is_valid(const otok_result *result, const otok_keep *keep);

/* The most that the maps of a member need, packed [bytes]. */
double otok_keep_bytes(const otok_keep *keep);

/* Refuses a study whose maps exceed the disk of the directory, or the memory that study.h5 needs to
   be written: of `left` members to run, of all together. */
otok_status otok_keep_fits(const otok_study *study, const char *directory, int64_t left);

#endif
