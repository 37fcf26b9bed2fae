/* materials.h: the file of --materials: colours and pictures of the island's materials. */
#ifndef OTOK_CLI_MATERIALS_H
#define OTOK_CLI_MATERIALS_H

#include "../otok.h"
#include "viz/materials.h"

extern const char cli_materials_help[]; /* of the option */

/* Reads the file and its pictures, whose paths start from its folder. *out is for
   otok_materials_destroy. OTOK_IO: a file cannot be read. OTOK_DATA: its text or a picture is
   wrong. */
otok_status cli_materials_load(otok_materials **out, const char *path);

#endif
