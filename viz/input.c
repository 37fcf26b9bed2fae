/* input.c: what each key and button does. */
#include "input.h"
#include "arrange.h"
#include "core/clock.h"
#include "known.h"
#include "section.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <math.h>

static const double degree = M_PI / 180;
static const double TURN = 200; /* by keys [pixels of the mouse a second] */

static otok_input *input_of(GLFWwindow *window)
{
    otok_input *h = glfwGetWindowUserPointer(window);
    h->since = otok_clock();
    return h;
}

static int others_want_mouse(const otok_input *h)
{
    return h->other && h->others_want_mouse(h->other);
}

static int others_want_keyboard(const otok_input *h)
{
    return h->other && h->others_want_keyboard(h->other);
}

/* ---- the camera ---- */

static void eye_position(const otok_camera *c, double out[3])
{
    const double a = c->azimuth * degree, e = c->elevation * degree;
    out[0] = c->target[0] + c->distance * sin(a) * cos(e);
    out[1] = c->target[1] + c->distance * cos(a) * cos(e);
    out[2] = c->target[2] + c->distance * sin(e);
}

/* Turns around the target. In flight it turns the head, and the eye stays where it is. */
static void turn_camera(otok_live *live, double dx, double dy)
{
    otok_camera *c = &live->shot.camera;
    if (live->shot.globe > 0) { /* what is under the cursor stays there, nearly */
        const double step = 0.3 * fmin((live->shot.globe - 1) / (OTOK_GLOBE_DISTANCE - 1), 1);
        c->azimuth = fmod(c->azimuth + step * dx + 720, 360);
        c->elevation = otok_clamp(c->elevation + step * dy, -89.9, 89.9);
        return;
    }
    double before[3], after[3];
    eye_position(c, before);
    c->azimuth = fmod(c->azimuth + 0.3 * (live->fly ? -dx : dx) + 720, 360);
    c->elevation =
        otok_clamp(c->elevation + 0.3 * (live->fly ? -dy : dy), live->fly ? -85 : 1, 89.9);
    if (!live->fly) return;
    eye_position(c, after);
    for (int i = 0; i < 3; i++)
        c->target[i] += before[i] - after[i];
}

/* Moves along the ground and up, in metres. In flight, forward is along the view. */
static void move_camera(otok_live *live, double right, double forward, double up)
{
    otok_camera *c = &live->shot.camera;
    const double a = c->azimuth * degree, e = live->fly ? c->elevation * degree : 0;
    c->target[0] += -cos(a) * right - sin(a) * cos(e) * forward;
    c->target[1] += sin(a) * right - cos(a) * cos(e) * forward;
    c->target[2] += up - sin(e) * forward;
}

/* Towards the target by a share of the way; in flight, forward. */
static void come_nearer(otok_live *live, double share)
{
    const double l = live->grid.spacing, far = 100 * l * (double)(live->grid.nx + live->grid.ny);
    if (live->shot.globe > 0)
        live->shot.globe = otok_clamp(1 + (live->shot.globe - 1) * (1 - share), OTOK_GLOBE_NEAREST,
                                      OTOK_GLOBE_FARTHEST);
    else if (live->fly)
        move_camera(live, 0, share * live->shot.camera.distance, 0);
    else
        live->shot.camera.distance =
            otok_clamp(live->shot.camera.distance * (1 - share), 0.1 * l, far);
}

/* -1, 0 or 1: which of two keys is down. */
static int keys_down(GLFWwindow *window, const int pair[2])
{
    return (glfwGetKey(window, pair[1]) == GLFW_PRESS) -
           (glfwGetKey(window, pair[0]) == GLFW_PRESS);
}

int otok_input_fly(otok_input *h, GLFWwindow *window, double seconds)
{
    static const int keys[3][2] = {
        {GLFW_KEY_A, GLFW_KEY_D}, {GLFW_KEY_S, GLFW_KEY_W}, {GLFW_KEY_Q, GLFW_KEY_E}};
    static const int turns[2][2] = {{GLFW_KEY_LEFT, GLFW_KEY_RIGHT}, {GLFW_KEY_DOWN, GLFW_KEY_UP}};
    double way[3] = {0, 0, 0};
    const int control = glfwGetKey(window, GLFW_KEY_LEFT_CONTROL) == GLFW_PRESS ||
                        glfwGetKey(window, GLFW_KEY_RIGHT_CONTROL) == GLFW_PRESS;
    if (others_want_keyboard(h)) return 0;
    for (int i = 0; i < (control ? 2 : 3); i++)
        way[i] = keys_down(window, control ? turns[i] : keys[i]);
    const int nearer = keys_down(window, (const int[2]){GLFW_KEY_PAGE_DOWN, GLFW_KEY_PAGE_UP});
    const double time = fmin(seconds, 0.1), speed = 0.6 * h->live->shot.camera.distance * time;
    if (control)
        turn_camera(h->live, TURN * time * way[0], TURN * time * way[1]);
    else
        move_camera(h->live, speed * way[0], speed * way[1], speed * way[2]);
    come_nearer(h->live, 1 - pow(0.4, time * nearer));
    return nearer || way[0] != 0 || way[1] != 0 || way[2] != 0;
}

/* ---- keys ---- */

static void choose_style(otok_live *live, int n)
{
    if (otok_live_check_style(live, n) != OTOK_OK) {
        otok_live_report(live, "style %s: %s", otok_style_name(n), otok_why());
        return;
    }
    live->shot.style = (otok_style)n;
    otok_live_report(live, "style %s%s%s", otok_style_name((int)live->shot.style),
                     live->shot.style == OTOK_STYLE_FIELD ? " " : "",
                     live->shot.style == OTOK_STYLE_FIELD ? otok_known_info(live->field)->name
                                                          : "");
}

static void next_style(otok_live *live)
{
    int n = (int)live->shot.style;
    do
        n = (n + 1) % OTOK_STYLES;
    while (!otok_live_has_style(live, n));
    choose_style(live, n);
}

static void next_field(otok_live *live)
{
    int field = live->field;
    do
        field = field + 1 < OTOK_FIELDS || otok_known_info(field + 1) ? field + 1 : 0;
    while (field != live->field && !otok_known_is_offered(live, field));
    live->field = field;
    choose_style(live, OTOK_STYLE_FIELD);
}

/* Does a key need a simulation? */
static int is_of_a_run(int key)
{
    static const int keys[] = {GLFW_KEY_X, GLFW_KEY_BACKSPACE,  GLFW_KEY_V,          GLFW_KEY_K,
                               GLFW_KEY_M, GLFW_KEY_LEFT_SHIFT, GLFW_KEY_RIGHT_SHIFT};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (key == keys[i]) return 1;
    return 0;
}

/* Keys of time. 0: it is another one. */
static int press_time_key(otok_live *live, int key)
{
    if (!live->sim && is_of_a_run(key)) {
        otok_live_report(live, "%s, and nothing runs: %s",
                         live->recorded.n > 1 ? "computed states are shown" : "one state is shown",
                         key == GLFW_KEY_M ? "otok movie films a run"
                                           : "open the scenario with --continue to compute on");
        return 1;
    }
    switch (key) {
    case GLFW_KEY_SPACE: live->held = 1; return 1;
    case GLFW_KEY_ENTER:
    case GLFW_KEY_KP_ENTER: otok_live_play(live, !live->running); return 1;
    case GLFW_KEY_N:
        if (live->recorded.n) otok_live_beside(live, 1);
        live->steps += !live->recorded.n;
        return 1;
    case GLFW_KEY_COMMA:
    case GLFW_KEY_PERIOD:
        live->speed *= key == GLFW_KEY_PERIOD ? 2 : 0.5;
        live->flat_out = 0;
        otok_live_report(live, "at most %.4g %s per second", live->speed,
                         live->recorded.n ? "states" : "iterations");
        return 1;
    case GLFW_KEY_LEFT: otok_live_beside(live, -1); return 1;
    case GLFW_KEY_RIGHT: otok_live_beside(live, 1); return 1;
    case GLFW_KEY_HOME: otok_live_beside(live, -2); return 1;
    case GLFW_KEY_END: otok_live_beside(live, 2); return 1;
    case GLFW_KEY_X:
        live->flat_out = !live->flat_out;
        otok_live_report(live, live->flat_out ? "flat out" : "paced");
        return 1;
    case GLFW_KEY_LEFT_SHIFT:
    case GLFW_KEY_RIGHT_SHIFT: live->rains = 1; return 1;
    case GLFW_KEY_BACKSPACE: live->begin_again = 1; return 1;
    case GLFW_KEY_V: live->springs = 1; return 1;
    case GLFW_KEY_K: live->save = 1; return 1;
    case GLFW_KEY_M: otok_live_film(live, !live->films); return 1;
    case GLFW_KEY_Z:
        live->holds = live->recorded.n > 1;
        if (!live->holds)
            otok_live_report(live, "two states: otok view FOLDER, or A.vtkhdf B.vtkhdf");
        return 1;
    default: return 0;
    }
}

static void press_key(otok_input *h, int key, int mods)
{
    otok_live *live = h->live;
    if (mods & GLFW_MOD_CONTROL) {
        h->quits |= key == GLFW_KEY_Q;
        return;
    }
    if (press_time_key(live, key)) return;
    switch (key) {
    case GLFW_KEY_0: live->fit_camera = 2; break;
    case GLFW_KEY_O:
        live->fly = !live->fly;
        live->shot.camera.elevation =
            otok_clamp(live->shot.camera.elevation, live->fly ? -85 : 1, 89.9);
        otok_live_report(live, live->fly ? "fly" : "orbit");
        break;
    case GLFW_KEY_LEFT_BRACKET:
        live->brush.radius = fmax(live->brush.radius / 1.25, 0.5 * live->grid.spacing);
        break;
    case GLFW_KEY_RIGHT_BRACKET:
        live->brush.radius =
            fmin(live->brush.radius * 1.25, 0.5 * live->grid.spacing * (double)live->grid.nx);
        break;
    case GLFW_KEY_I:
        live->probe.on = !live->probe.on;
        live->probe.count = 0;
        break;
    case GLFW_KEY_L: next_style(live); break;
    case GLFW_KEY_G: next_field(live); break;
    case GLFW_KEY_R:
        choose_style(live, live->shot.style == OTOK_STYLE_WIREFRAME ? OTOK_STYLE_ISLAND
                                                                    : OTOK_STYLE_WIREFRAME);
        break;
    case GLFW_KEY_T: otok_section_press(live); break;
    case GLFW_KEY_C: live->no_signs = !live->no_signs; break;
    case GLFW_KEY_F: live->map = !live->map; break;
    case GLFW_KEY_H: live->help = !live->help; break;
    case GLFW_KEY_ESCAPE: live->help = 0; break;
    case GLFW_KEY_TAB: live->no_panel = !live->no_panel; break;
    case GLFW_KEY_P: live->save_picture = 1; break;
    case GLFW_KEY_B: otok_live_globe(live, live->shot.globe == 0); break;
    default:
        if (key >= GLFW_KEY_1 && key < GLFW_KEY_1 + OTOK_STYLES)
            choose_style(live, key - GLFW_KEY_1);
    }
}

static void release_key(otok_input *h, int key)
{
    if (key == GLFW_KEY_SPACE) h->live->held = 0;
    if (key == GLFW_KEY_LEFT_SHIFT || key == GLFW_KEY_RIGHT_SHIFT) h->live->rains = 0;
}

static void on_key(GLFWwindow *window, int key, int code, int action, int mods)
{
    otok_input *h = input_of(window);
    (void)code;
    if (action == GLFW_RELEASE) release_key(h, key);
    if (action == GLFW_PRESS && !others_want_keyboard(h)) press_key(h, key, mods);
}

/* ---- mouse ---- */

static void on_cursor(GLFWwindow *window, double x, double y)
{
    otok_input *h = input_of(window);
    int wide, tall, width, height;
    glfwGetWindowSize(window, &wide, &tall);
    glfwGetFramebufferSize(window, &width, &height);
    x *= (double)width / (wide > 0 ? wide : 1);
    y *= (double)height / (tall > 0 ? tall : 1);
    const double dx = x - h->x, dy = y - h->y;
    h->x = x, h->y = y;
    if (h->turns) turn_camera(h->live, dx, dy);
    const double metre = 2 * h->live->shot.camera.distance *
                         tan(h->live->shot.camera.angle * degree / 2) / (height > 0 ? height : 1);
    if (h->shifts) move_camera(h->live, -dx * metre, dy * metre, 0);
}

static void on_button(GLFWwindow *window, int button, int action, int mods)
{
    otok_input *h = input_of(window);
    (void)mods;
    const int down = action == GLFW_PRESS && !others_want_mouse(h);
    if (button == GLFW_MOUSE_BUTTON_LEFT) h->turns = down;
    if (button == GLFW_MOUSE_BUTTON_MIDDLE) h->shifts = down;
    if (button == GLFW_MOUSE_BUTTON_RIGHT) h->live->pours = down;
}

static void on_wheel(GLFWwindow *window, double dx, double dy)
{
    otok_input *h = input_of(window);
    const double nearer = 1 - pow(0.9, otok_clamp(dy, -10, 10));
    (void)dx;
    if (!others_want_mouse(h)) come_nearer(h->live, nearer);
}

/* If the window loses the keyboard while a key is down, nobody reports its release. */
static void on_focus(GLFWwindow *window, int has_it)
{
    otok_input *h = input_of(window);
    if (has_it) return;
    h->live->held = h->live->rains = h->live->pours = 0;
    h->turns = h->shifts = 0;
}

static void on_refresh(GLFWwindow *window)
{
    input_of(window);
}

void otok_input_attach(otok_input *h, GLFWwindow *window)
{
    glfwSetWindowUserPointer(window, h);
    glfwSetKeyCallback(window, on_key);
    glfwSetCursorPosCallback(window, on_cursor);
    glfwSetMouseButtonCallback(window, on_button);
    glfwSetScrollCallback(window, on_wheel);
    glfwSetWindowFocusCallback(window, on_focus);
    glfwSetWindowRefreshCallback(window, on_refresh);
}
