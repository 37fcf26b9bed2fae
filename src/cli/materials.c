/* materials.c: see materials.h. */
#include "materials.h"

#include "../core/status.h"
#include "../io/image.h"
#include "../scenario/scenario_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char cli_materials_help[] =
    "YAML file of custom colours and textures, one line per material, such as rock: {colour: "
    "[0.6, 0.3, 0.2], texture: rock.png, tiling: 2}; materials:"
#define OTOK_MATERIAL(NAME, word, ...) " " #word
#include "viz/materials.def"
#undef OTOK_MATERIAL
    ;

/* "#rrggbb", as pickers of colours write it. */
static int read_hex(double rgb[3], const char *text)
{
    if (text[0] != '#' || strlen(text) != 7 || strspn(text + 1, "0123456789abcdefABCDEF") != 6)
        return 0;
    const unsigned long all = strtoul(text + 1, NULL, 16);
    for (int k = 0; k < 3; k++)
        rgb[k] = (double)(all >> (16 - 8 * k) & 255) / 255;
    return 1;
}

static otok_status read_colour(otok_material *out, const otok_node *node)
{
    static const otok_parameter share = {.key = "colour", .unit = "1", .low = 0, .high = 1};
    char shown[64];
    double rgb[3];
    if (!node) return OTOK_OK;
    const int hex = node->kind == OTOK_NODE_SCALAR && node->text && read_hex(rgb, node->text);
    if (!hex && (node->kind != OTOK_NODE_LIST || node->n != 3))
        return otok_node_fail(node,
                              "%s stands where a colour is needed: red, green and blue as a screen "
                              "shows them, [0.6, 0.2, 0.1] with numbers from 0 to 1, or "
                              "\"#99331a\" in quotes",
                              otok_node_show(node, shown));
    for (int k = 0; k < 3 && !hex; k++)
        OTOK_TRY(otok_value_real(&rgb[k], node->items[k], &share));
    for (int k = 0; k < 3; k++)
        out->colour[k] = otok_light_of(rgb[k]);
    out->has_colour = 1;
    return OTOK_OK;
}

static otok_status read_picture(otok_material *out, const otok_node *node, const char *folder)
{
    char file[OTOK_TEXT_SIZE], shown[64], at[OTOK_NODE_PATH];
    otok_picture picture;
    if (!node) return OTOK_OK;
    if (node->kind != OTOK_NODE_SCALAR || otok_node_is_null(node) || !node->text[0] ||
        strlen(node->text) >= sizeof file)
        return otok_node_fail(node, "%s stands where the name of a picture is needed, rock.png",
                              otok_node_show(node, shown));
    strcpy(file, node->text);
    OTOK_TRY(otok_path_resolve(file, folder, node));
    const otok_status status = otok_picture_read(&picture, file);
    if (status != OTOK_OK)
        return otok_fail_in(status, "%s:%d: %s", node->source, node->line,
                            otok_node_path(node, at));
    out->picture = picture.pixels;
    out->width = (int)picture.width;
    out->height = (int)picture.height;
    return OTOK_OK;
}

static otok_status read_row(otok_material *out, const otok_node *row, const char *folder)
{
    static const otok_words keys = {3, {"colour", "texture", "tiling"}};
    static const otok_parameter times = {.key = "tiling", .unit = "1", .low = 0.02, .high = 50};
    const otok_node *colour = otok_node_find(row, "colour"),
                    *texture = otok_node_find(row, "texture"),
                    *tiling = otok_node_find(row, "tiling");
    OTOK_TRY(otok_words_check(&keys, row));
    if (!colour && !texture)
        return otok_node_fail(row, "has neither a `colour` nor a `texture`; give one, or leave the "
                                   "material out");
    if (tiling && !texture)
        return otok_node_fail(tiling, "is how often a `texture` repeats, and there is none; leave "
                                      "it out");
    OTOK_TRY(read_colour(out, colour));
    if (tiling) OTOK_TRY(otok_value_real(&out->tiling, tiling, &times));
    return read_picture(out, texture, folder);
}

static otok_status read_tree(otok_materials *out, const otok_node *root, const char *folder)
{
    otok_words names = {0};
    for (int i = 0; i < OTOK_MATERIALS; i++)
        otok_words_add(&names, otok_material_name(i));
    if (otok_node_is_null(root) || (root->kind == OTOK_NODE_MAP && root->n == 0))
        return otok_node_fail(root, "holds no material; a row is `rock: {texture: rock.png}`");
    OTOK_TRY(otok_words_check(&names, root));
    for (int i = 0; i < OTOK_MATERIALS; i++) {
        const otok_node *row = otok_node_find(root, otok_material_name(i));
        if (row) OTOK_TRY(read_row(&out->at[i], row, folder));
    }
    return OTOK_OK;
}

static otok_status parse(otok_materials *out, const char *path, const char *folder)
{
    otok_node *root = NULL;
    char *bytes;
    size_t size;
    OTOK_TRY(otok_text_read(&bytes, &size, path));
    otok_status status = otok_node_parse(&root, path, 1, bytes, size);
    if (status == OTOK_OK) status = read_tree(out, root, folder);
    otok_node_destroy(root);
    free(bytes);
    return status;
}

otok_status cli_materials_load(otok_materials **out, const char *path)
{
    char *whole = NULL, *folder = NULL, *stem = NULL;
    otok_materials *m = otok_materials_create();
    otok_status status = m ? otok_path_split(&whole, &folder, &stem, path)
                           : OTOK_FAIL(OTOK_NOMEM, "no memory to read %s", path);
    if (status == OTOK_OK) status = parse(m, path, folder);
    free(whole);
    free(folder);
    free(stem);
    if (status != OTOK_OK) otok_materials_destroy(m);
    *out = status == OTOK_OK ? m : NULL;
    return status;
}
