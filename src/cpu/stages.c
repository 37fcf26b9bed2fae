/* stages.c: the functions of the stages, from core/stages.def. */
#include "cpu.h"

cpu_stage *const cpu_stages[OTOK_STAGES] = {
#define STAGE(NAME, name, ...) cpu_##name,
#include "../core/stages.def"
};
