/* view_interop.c - claim: fields that go from the simulation to OpenGL within the GPU arrive as
   those that pass through the host, bit for bit, with the same ends of their range; where the two
   share no device, the call says so and the simulation goes on. */
#include "drawing.h"
#include "scenario_file.h"
#include "viz/scene.h"

#include <epoxy/gl.h>

#include <math.h>

enum { NX = 75, NY = 46 };

static const char text[] =
    "otok: 1\n"
    "grid: {nx: 75, ny: 46, spacing: 2}\n"
    "base:\n"
    "  - simplex: {octaves: 4, wavelength: 50, amplitude: 20}\n"
    "phases:\n"
    "  - {name: rain, iterations: 40, rain: {rate: 0.01}, hydraulic: {dt: 0.05}}\n";

static float uploaded[NX * NY], shown[NX * NY], map[NX * NY];

static void compare(otok_sim *sim, otok_scene *scene, otok_field field)
{
    const unsigned texture = otok_scene_texture(scene, OTOK_SLOT_TERRAIN);
    float ends[2], low = INFINITY, high = -INFINITY;
    MUST(otok_sim_get(sim, field, map));
    otok_scene_upload(scene, OTOK_SLOT_TERRAIN, map);
    glGetTextureImage(texture, 0, GL_RED, GL_FLOAT, sizeof uploaded, uploaded);
    CHECK(memcmp(uploaded, map, sizeof map) == 0, "%s: the upload", otok_field_at(field)->name);
    glClearTexImage(texture, 0, GL_RED, GL_FLOAT, NULL);
    MUST(otok_sim_show(sim, field, texture, ends));
    glGetTextureImage(texture, 0, GL_RED, GL_FLOAT, sizeof shown, shown);
    CHECK(memcmp(shown, uploaded, sizeof shown) == 0, "%s differs", otok_field_at(field)->name);
    for (int n = 0; n < NX * NY; n++) {
        low = map[n] < low ? map[n] : low;
        high = map[n] > high ? map[n] : high;
    }
    CHECK(low == ends[0] && high == ends[1], "%s: %g..%g, not %g..%g", otok_field_at(field)->name,
          ends[0], ends[1], low, high);
}

/* Two textures that are filled between show_together(1) and (0). */
static void compare_together(otok_sim *sim, otok_scene *scene)
{
    static const struct {
        otok_field field;
        otok_slot slot;
    } both[] = {{OTOK_WATER, OTOK_SLOT_WATER}, {OTOK_TERRAIN, OTOK_SLOT_TERRAIN}};
    MUST(otok_sim_show_together(sim, 1));
    for (int i = 0; i < 2; i++)
        MUST(otok_sim_show(sim, both[i].field, otok_scene_texture(scene, both[i].slot), NULL));
    MUST(otok_sim_show_together(sim, 0));
    for (int i = 0; i < 2; i++) {
        MUST(otok_sim_get(sim, both[i].field, map));
        glGetTextureImage(otok_scene_texture(scene, both[i].slot), 0, GL_RED, GL_FLOAT,
                          sizeof shown, shown);
        CHECK(memcmp(shown, map, sizeof map) == 0, "%s differs, together",
              otok_field_at(both[i].field)->name);
    }
}

/* Were they compared? */
static int simulate(const otok_scenario *scenario, const char *backend)
{
    otok_scene *scene;
    otok_sim *sim;
    float ends[2];
    if (otok_sim_create(&sim, scenario, backend) != OTOK_OK) return 0;
    MUST(otok_scene_create(&scene, (otok_grid){NX, NY, 2}, OTOK_SHADING_BEST));
    MUST(otok_sim_run(sim, 20));
    const otok_status status =
        otok_sim_show(sim, OTOK_TERRAIN, otok_scene_texture(scene, OTOK_SLOT_TERRAIN), ends);
    if (status == OTOK_OK) {
        const otok_field fields[] = {OTOK_TERRAIN, OTOK_WATER, OTOK_VELOCITY_X, OTOK_WETNESS};
        for (int turn = 0; turn < 2; turn++) { /* the second time with pointers that changed places,
                                                  and a texture that is known */
            for (int i = 0; i < 4; i++)
                compare(sim, scene, fields[i]);
            compare_together(sim, scene);
            MUST(otok_sim_run(sim, 1));
        }
    } else {
        CHECK(status == OTOK_USAGE && strstr(otok_why(), "OpenGL"), "%s", otok_why());
        CHECK(otok_sim_show(sim, OTOK_WATER, 0, NULL) == OTOK_USAGE && strstr(otok_why(), "OpenGL"),
              "without ends: %s", otok_why());
        MUST(otok_sim_run(sim, 1));
    }
    otok_sim_destroy(sim);
    otok_scene_destroy(scene);
    return status == OTOK_OK;
}

/* With argument "cuda" nothing less than a comparison passes. */
int main(int argc, char **argv)
{
    otok_gl *gl = drawing_begin();
    const char *first;
    otok_scenario *scenario;
    file_create();
    MUST(file_load(&scenario, text, NULL));
    file_remove();
    CHECK(!simulate(scenario, "cpu"), "a CPU shares nothing with OpenGL");
    const int compared = simulate(scenario, "cuda");
    CHECK(compared || argc < 2 || strcmp(argv[1], "cuda") != 0, "not compared: %s", otok_why());
    CHECK(otok_gl_log_count(gl, &first) == 0, "%s", first);
    otok_scenario_destroy(scenario);
    otok_gl_destroy(gl);
    return check_failures != 0;
}
