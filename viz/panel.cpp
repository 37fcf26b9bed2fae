/* panel.cpp: see panel.h. It is drawn in every frame, so it remembers the values of the simulation
 * from the last rest. */
#include "core/status.h"
#include "otok.h"

extern "C" {
#include "font.h"
#include "known.h"
#include "live.h"
}
#include "panel.h"
#include "panel_base.h"
#include "panel_parameters.h"
#include "panel_places.h"
#include "panel_probe.h"
#include "panel_time.h"

#include <cfloat>
#include <cinttypes>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

static const ImVec4 red(1.0f, 0.35f, 0.3f, 1), green(0.5f, 0.85f, 0.5f, 1),
    grey(0.65f, 0.65f, 0.65f, 1);

enum { COLUMNS = 21 }; /* widths of a letter's height */

struct otok_panel {
    otok_parameter_panel phase;
    otok_base_controls base;
    otok_time_panel time;
    float beside; /* the right side of the window that it was put beside */
    float letter; /* its height in a wide window [pixels] */
};

/* ---- short keystrokes ---- */

/* Before its version 1.87 Dear ImGui sees the keys that are down while a frame begins. A key that
   goes down and up during one slow frame would be lost, so it stays down for the next frame. */
#if IMGUI_VERSION_NUM < 18700
static bool struck[GLFW_KEY_LAST + 1], is_down[GLFW_KEY_LAST + 1];

static void on_key(GLFWwindow *window, int key, int code, int action, int mods)
{
    ImGui_ImplGlfw_KeyCallback(window, key, code, action, mods);
    if (key < 0 || key > GLFW_KEY_LAST || action == GLFW_REPEAT) return;
    is_down[key] = action == GLFW_PRESS;
    struck[key] |= action == GLFW_PRESS;
}

static void listen_to_keys(GLFWwindow *window)
{
    glfwSetKeyCallback(window, on_key);
}

static void hold_struck_keys(void)
{
    for (int key = 0; key <= GLFW_KEY_LAST; key++)
        if (struck[key]) ImGui::GetIO().KeysDown[key] = true;
}

static void release_struck_keys(void)
{
    for (int key = 0; key <= GLFW_KEY_LAST; key++)
        if (struck[key]) ImGui::GetIO().KeysDown[key] = is_down[key];
    memset(struck, 0, sizeof struck);
}
#else
static void listen_to_keys(GLFWwindow *)
{
}
static void hold_struck_keys(void)
{
}
static void release_struck_keys(void)
{
}
#endif

/* ---- the panel's parts ---- */

/* The fields of the state; below a line those that follow from it. Pointing at one tells its
   definition and unit. */
static void draw_field(otok_live *live)
{
    const otok_field_info *info;
    if (!otok_panel_combo("##field", otok_known_info(live->field)->name, "field")) {
        if (ImGui::IsItemHovered()) otok_panel_tooltip("field; G: the next one");
        return;
    }
    for (int f = 0; (info = otok_known_info(f)) != nullptr || f < OTOK_FIELDS; f++) {
        if (f == OTOK_FIELDS) ImGui::Separator();
        if (!otok_known_is_offered(live, f)) continue;
        if (otok_panel_choice(info->name, f == live->field)) {
            live->field = f;
            live->shot.style = OTOK_STYLE_FIELD;
        }
        char words[OTOK_LEGEND];
        otok_arrange_legend(words, OTOK_STYLE_FIELD, info->name, info->unit);
        if (ImGui::IsItemHovered()) otok_panel_tooltip("%s: %s", words, info->long_name);
    }
    ImGui::EndCombo();
}

static void draw_style(otok_live *live)
{
    ImGui::SetNextItemWidth(7 * ImGui::GetFontSize());
    if (otok_panel_combo("##style", otok_style_name((int)live->shot.style), "style")) {
        for (int n = 0; n < OTOK_STYLES; n++)
            if (otok_live_has_style(live, n) &&
                otok_panel_choice(otok_style_name(n), n == (int)live->shot.style))
                live->shot.style = (otok_style)n;
        ImGui::EndCombo();
    }
    if (ImGui::IsItemHovered()) otok_panel_tooltip("style; L: the next one");
    ImGui::SameLine();
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
    draw_field(live);
}

/* What is shown besides, one switch for each. */
static void draw_shown(otok_live *live)
{
    bool map = live->map != 0, shadows = live->shot.shadows != 0, probe = live->probe.on != 0;
    if (otok_panel_checkbox("map", &map)) live->map = map;
    ImGui::SameLine();
    if (otok_panel_checkbox("shadows", &shadows)) live->shot.shadows = shadows;
    ImGui::SameLine();
    if (otok_panel_checkbox("probe", &probe)) {
        live->probe.on = probe;
        live->probe.count = 0;
    }
    ImGui::SameLine();
    if (otok_panel_button("see all")) live->fit_camera = 1;
    bool signs = !live->no_signs;
    if (otok_panel_checkbox("scale", &signs)) live->no_signs = !signs;
    if (ImGui::IsItemHovered()) otok_panel_tooltip("scale, north and time; C");
    bool globe = live->shot.globe > 0, holds = live->held_state != nullptr, films = live->films;
    if (live->grid.nx == 2 * live->grid.ny) {
        ImGui::SameLine();
        if (otok_panel_checkbox("globe", &globe)) otok_live_globe(live, globe);
    }
    if (live->recorded.n > 1) {
        ImGui::SameLine();
        if (otok_panel_checkbox("hold", &holds)) live->holds = 1;
        if (ImGui::IsItemHovered())
            otok_panel_tooltip("this state stays at the left of those that follow; Z");
    }
    if (!live->iterations) return;
    ImGui::SameLine();
    if (otok_panel_checkbox("film", &films)) otok_live_film(live, films);
    if (ImGui::IsItemHovered()) otok_panel_tooltip("a picture of each state while it runs; M");
}

/* A name, and its values in a column of their own. */
static void draw_name_and_values(const ImVec4 &colour, const char *name, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    ImGui::BeginGroup();
    ImGui::TextColored(colour, "%s", name);
    ImGui::SameLine(10 * ImGui::GetFontSize());
    ImGui::TextColoredV(colour, format, values);
    ImGui::EndGroup();
    va_end(values);
}

static void draw_limits(const otok_panel *panel)
{
    static const char *const sure[] = {"proven", "measured", "heuristic"};
    for (int i = 0; i < panel->phase.controls.nlimits; i++) {
        const otok_limit *l = &panel->phase.controls.limits[i];
        const bool remark = std::isnan(l->value) || std::isnan(l->bound);
        if (remark)
            ImGui::TextColored(grey, "%s", l->name);
        else
            draw_name_and_values(l->value > l->bound ? red : green, l->name, "%.4g of %.4g",
                                 l->value, l->bound);
        if (!ImGui::IsItemHovered()) continue;
        otok_panel_tooltip_begin();
        ImGui::PushTextWrapPos(18 * ImGui::GetFontSize());
        ImGui::Text("%s (%s)", l->symbol, sure[l->certainty]);
        ImGui::TextUnformatted(l->text);
        char words[48];
        otok_time_words(words, l->dt);
        if (!std::isnan(l->dt)) ImGui::Text("holds for dt <= %s", words);
        ImGui::PopTextWrapPos();
        otok_panel_tooltip_end();
    }
}

static void draw_error(const char *name, double error, double whole)
{
    const bool bad = !(std::fabs(error) <= 1e-6 * whole);
    draw_name_and_values(bad ? red : green, name, "%+.2e of %.4g m3", error, whole);
}

static void draw_ledger(const otok_panel *panel)
{
    const otok_ledger *l = &panel->phase.controls.ledger;
    draw_error("error of water", l->water_error,
               std::fabs(l->water_start) + l->rain + l->rivers + std::fabs(l->displaced));
    draw_error("error of solids", l->solid_error, std::fabs(l->solid_start) + l->reef);
    if (l->not_finite) ImGui::TextColored(red, "%" PRId64 " values are not finite", l->not_finite);
    for (int i = 0; i < OTOK_LEDGER_ENTRIES; i++) {
        const otok_ledger_entry *e = otok_ledger_at(i);
        const double value = otok_ledger_value(l, i);
        if (value != 0 && e->sign != 'e' && e->sign != 'n')
            draw_name_and_values(grey, e->label, "%.4g m3", value);
    }
}

/* ---- the panel ---- */

/* Letters are 15 pixels high, and more if the pixels of the screen are small. Without a font they
   are Dear ImGui's own, of 13 pixels. */
static float use_font(GLFWwindow *window)
{
    float scale = 1, unused;
    glfwGetWindowContentScale(window, &scale, &unused);
    const float times = scale > 1 ? scale : 1;
    const char *file = otok_font_file();
    ImFont *font =
        file ? ImGui::GetIO().Fonts->AddFontFromFileTTF(file, std::floor(15 * times)) : nullptr;
    if (!font) {
        ImFontConfig plain;
        plain.SizePixels = std::floor(13 * times);
        ImGui::GetIO().Fonts->AddFontDefault(&plain);
    }
    ImGui::GetStyle().ScaleAllSizes(times);
    return std::floor((font ? 15 : 13) * times);
}

otok_panel *otok_panel_create(GLFWwindow *window)
{
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr; /* it leaves nothing behind */
    ImGui::StyleColorsDark();
    ImGui::GetStyle().Alpha = 0.93f;
    ImGui::GetStyle().ItemSpacing.y = 3;
    ImGui::GetStyle().FrameBorderSize = 1; /* an empty box is dark on dark */
    ImGui::GetStyle().Colors[ImGuiCol_TextDisabled] = ImVec4(0.75f, 0.75f, 0.75f, 1);
    ImGui::GetStyle().Colors[ImGuiCol_SliderGrab] =
        ImVec4(0.2f, 0.4f, 0.68f, 1); /* numbers on it */
    const float letter = use_font(window);
    const bool hears = ImGui_ImplGlfw_InitForOpenGL(window, true),
               draws = hears && ImGui_ImplOpenGL3_Init("#version 450 core");
    otok_panel *panel = draws ? static_cast<otok_panel *>(calloc(1, sizeof(otok_panel))) : nullptr;
    if (panel) {
        listen_to_keys(window);
        panel->letter = letter;
        return panel;
    }
    if (draws) ImGui_ImplOpenGL3_Shutdown();
    if (hears) ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
    OTOK_FAIL(OTOK_DEVICE, "this OpenGL cannot draw the panel");
    return nullptr;
}

void otok_panel_destroy(otok_panel *panel)
{
    if (!panel) return;
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
    otok_controls_reset(&panel->phase.controls);
    otok_base_controls_reset(&panel->base);
    free(panel);
}

static void draw_panel(otok_panel *panel, otok_live *live)
{
    const ImVec2 all = ImGui::GetIO().DisplaySize; /* the words of the scene are at the left */
    const float width = COLUMNS * ImGui::GetFontSize();
    if (all.x !=
        panel->beside) { /* the window has another size: the panel keeps to its right side */
        ImGui::SetNextWindowPos(ImVec2(std::fmax(all.x - width, 0.0f), 0));
        ImGui::SetNextWindowSize(ImVec2(width, all.y));
        panel->beside = all.x;
    }
    const bool is_open = ImGui::Begin("otok", nullptr, ImGuiWindowFlags_NoFocusOnAppearing);
    otok_panel_place_window("panel");
    const float left = ImGui::GetWindowPos().x;
    const bool at_side = left + ImGui::GetWindowWidth() >= all.x - 1;
    const bool beside =
        is_open && at_side && 2 * (all.x - left) < all.x; /* else it lies over the picture */
    live->covered = beside ? int((all.x - left) * ImGui::GetIO().DisplayFramebufferScale.x) : 0;
    ImGui::PushAllowKeyboardFocus(false); /* Tab puts the panel away, and types into nothing */
    if (is_open) {
        const bool runs = live->sim && panel->phase.controls.name[0];
        if (runs) otok_panel_time_draw(&panel->time, live, panel->phase.controls.name);
        if (live->recorded.n) otok_panel_recorded_draw(live);
        draw_style(live);
        draw_shown(live);
        otok_panel_colours_draw(live);
        otok_panel_ground_draw(live);
        if (live->probe.on && otok_panel_header("probe")) otok_panel_probe_draw(live);
        if (live->sim && otok_panel_header("island")) otok_panel_base_draw(&panel->base, live);
        if (runs && otok_panel_header("stability")) draw_limits(panel);
        if (runs && otok_panel_header("ledger")) draw_ledger(panel);
        if (runs && otok_panel_header("parameters")) {
            ImGui::BeginDisabled(otok_live_at_end(live));
            otok_panel_parameters_draw(&panel->phase, live);
            ImGui::EndDisabled();
        }
    }
    ImGui::PopAllowKeyboardFocus();
    ImGui::End();
}

/* In a narrow window the letters are smaller, so that the panel leaves most of it to the scene. */
static void fit_letters(const otok_panel *panel)
{
    ImGuiIO &io = ImGui::GetIO();
    const float fits = 0.42f * io.DisplaySize.x / (COLUMNS * panel->letter);
    io.FontGlobalScale = std::fmin(std::fmax(fits, 0.7f), 1.0f);
}

static void draw_frame(otok_panel *panel, otok_live *live)
{
    if (live->sim && live->rests) {
        otok_controls_update(&panel->phase.controls, live);
        otok_base_controls_update(&panel->base, live);
    }
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    fit_letters(panel);
    hold_struck_keys();
    ImGui::NewFrame();
    draw_panel(panel, live);
    ImGui::Render();
    release_struck_keys();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

void otok_panel_draw(otok_panel *panel, otok_live *live)
{
    live->covered = 0;
    otok_panel_places_begin();
    if (live->no_panel)
        release_struck_keys();
    else
        draw_frame(panel, live);
}

void otok_panel_shown(const otok_live *live, int changes)
{
    otok_panel_places_end(live->iteration, changes);
}

int otok_panel_wants_mouse(void)
{
    return ImGui::GetIO().WantCaptureMouse;
}

int otok_panel_wants_keyboard(void)
{
    return ImGui::GetIO()
        .WantTextInput; /* else keys are the scene's, also while a slider is dragged */
}
