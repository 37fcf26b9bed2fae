/* panel_base.cpp: see panel_base.h. Each control has a button that brings its first value back, and
 * a popup to type a number. */
extern "C" {
#include "arrange.h"
#include "core/colours.h"
#include "live.h"
#include "requests.h"
}
#include "panel_base.h"
#include "panel_places.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <imgui.h>

void otok_panel_tooltip_begin(void)
{
    const ImVec2 panel = ImGui::GetWindowPos(), low = ImGui::GetItemRectMin(),
                 high = ImGui::GetItemRectMax();
    const bool upwards = low.y > 0.5f * ImGui::GetIO().DisplaySize.y;
    if (panel.x > 20 * ImGui::GetFontSize())
        ImGui::SetNextWindowPos(ImVec2(panel.x - 4, upwards ? high.y : low.y), ImGuiCond_Always,
                                ImVec2(1, upwards ? 1.0f : 0.0f));
    ImGui::BeginTooltip();
}

void otok_panel_tooltip_end(void)
{
    otok_panel_place_window("tooltip");
    ImGui::EndTooltip();
}

void otok_panel_tooltip(const char *format, ...)
{
    va_list rest;
    va_start(rest, format);
    otok_panel_tooltip_begin();
    ImGui::PushTextWrapPos(18 * ImGui::GetFontSize());
    ImGui::TextV(format, rest);
    ImGui::PopTextWrapPos();
    otok_panel_tooltip_end();
    va_end(rest);
}

bool otok_panel_type(char *text, size_t size)
{
    if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
    const bool entered =
        ImGui::InputText("##typed", text, size,
                         ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    if (entered) ImGui::CloseCurrentPopup();
    otok_panel_escape();
    return entered;
}

static void draw_control_tooltip(const otok_base_control *c)
{
    const otok_parameter *p = c->parameter;
    if (!ImGui::IsItemHovered()) return;
    otok_panel_tooltip_begin();
    ImGui::PushTextWrapPos(18 * ImGui::GetFontSize());
    if (*p->help) ImGui::TextUnformatted(p->help);
    ImGui::TextDisabled("%s%s%s", c->path, *p->symbol ? "  " : "", p->symbol);
    if (*p->equation) ImGui::TextDisabled("%s", p->equation);
    if (p->kind == OTOK_REAL || p->kind == OTOK_INT)
        ImGui::TextDisabled("right button: type a number, also with a unit");
    ImGui::PopTextWrapPos();
    otok_panel_tooltip_end();
}

static void draw_number(otok_base_controls *b, otok_base_control *c, otok_live *live)
{
    const otok_parameter *p = c->parameter;
    char shown[64], unit[32];
    otok_arrange_unit(unit, p->unit);
    snprintf(shown, sizeof shown, p->kind == OTOK_INT ? "%.0f %s" : "%.4g %s", c->value,
             strcmp(unit, "1") == 0 ? "" : unit);
    for (char *s = shown; (s = strchr(s, '%')); s += 2) /* a format, no text */
        memmove(s + 1, s, strlen(s) + 1);
    float at = (float)((c->value - c->low) / (c->high - c->low));
    const bool late = live->base_seconds > 0.2 &&
                      strncmp(c->path, "phases.", 7) != 0; /* the picture would stand still */
    if (ImGui::SliderFloat(p->key, &at, 0, 1, shown, ImGuiSliderFlags_NoInput)) {
        const double value = c->low + at * (c->high - c->low);
        late ? otok_base_control_move(c, value, 3) : otok_base_control_set(c, live, value, 3);
    }
    otok_panel_place("", c->path, p->key);
    if (late && ImGui::IsItemDeactivated()) otok_base_control_ask(c, live);
    draw_control_tooltip(c);
    if (!ImGui::BeginPopupContextItem(p->key)) return;
    if (ImGui::IsWindowAppearing()) snprintf(b->typed, sizeof b->typed, "%.6g", c->value);
    const bool entered = otok_panel_type(b->typed, sizeof b->typed);
    otok_panel_place("type", c->path, nullptr);
    if (entered) otok_requests_add(live, c->path, b->typed); /* with a unit, if one likes */
    ImGui::EndPopup();
}

static void draw_choice(otok_base_control *c, otok_live *live)
{
    char word[64];
    int n = 0;
    const auto find = [&](int which) {
        const char *at = c->parameter->choices;
        while (which-- > 0 && at)
            at = strchr(at, '|') ? strchr(at, '|') + 1 : nullptr;
        snprintf(word, sizeof word, "%.*s", at ? (int)strcspn(at, "|") : 0, at ? at : "");
        return *word != 0;
    };
    find((int)c->value);
    if (!otok_panel_combo(c->parameter->key, word, c->path)) {
        draw_control_tooltip(c);
        return;
    }
    for (; find(n); n++)
        if (otok_panel_choice(word, n == (int)c->value)) otok_base_control_set(c, live, n, 15);
    ImGui::EndCombo();
}

static void draw_control(otok_base_controls *b, otok_base_control *c, otok_live *live)
{
    bool on = c->value != 0;
    ImGui::PushID(c->path);
    ImGui::BeginDisabled(c->value == c->first);
    if (ImGui::SmallButton("<")) otok_base_control_set(c, live, c->first, 15);
    otok_panel_place("first", c->path, nullptr);
    ImGui::EndDisabled();
    if (c->value != c->first && ImGui::IsItemHovered()) otok_panel_tooltip("first: %.6g", c->first);
    ImGui::SameLine();
    ImGui::SetNextItemWidth(9 * ImGui::GetFontSize());
    if (c->parameter->kind == OTOK_CHOICE) {
        draw_choice(c, live);
    } else if (c->parameter->kind == OTOK_BOOL) {
        if (otok_panel_checkbox(c->parameter->key, &on, c->path))
            otok_base_control_set(c, live, on, 15);
        draw_control_tooltip(c);
    } else {
        draw_number(b, c, live);
    }
    ImGui::PopID();
}

void otok_panel_colours_draw(otok_live *live)
{
    static const double steps[] = {0, 1, 2, 5, 10, 20, 50, 100, 200};
    const auto words = [](double step, char *out, size_t size) {
        step > 0 ? snprintf(out, size, "%g m", step) : snprintf(out, size, "none");
    };
    char text[32];
    ImGui::SetNextItemWidth(6 * ImGui::GetFontSize());
    if (otok_panel_combo("colours", otok_colours_name(live->shot.colours))) {
        if (otok_panel_choice("the usual ones", live->colours < 0)) live->colours = -1;
        for (int n = 0; otok_colours_name(n); n++)
            if (otok_panel_choice(otok_colours_name(n), n == live->colours)) live->colours = n;
        ImGui::EndCombo();
    }
    ImGui::SameLine();
    ImGui::SetNextItemWidth(4 * ImGui::GetFontSize());
    words(live->shot.contours, text, sizeof text);
    if (otok_panel_combo("contours", text)) {
        for (const double step : steps) {
            words(step, text, sizeof text);
            if (otok_panel_choice(text, step == live->shot.contours)) live->shot.contours = step;
        }
        ImGui::EndCombo();
    }
}

/* 1: it was moved, and let go now. */
static bool draw_slider(const char *name, double *value, double least, double most,
                        const char *format, int how, const char *help)
{
    float now = (float)*value;
    ImGui::SetNextItemWidth(5 * ImGui::GetFontSize());
    const bool moved = ImGui::SliderFloat(name, &now, (float)least, (float)most, format, how);
    const bool let_go = ImGui::IsItemDeactivatedAfterEdit();
    otok_panel_place("", name, name);
    if (ImGui::IsItemHovered()) otok_panel_tooltip("%s", help);
    if (moved) *value = (double)now < least ? least : (double)now > most ? most : (double)now;
    return let_go;
}

void otok_panel_ground_draw(otok_live *live)
{
    otok_shot *shot = &live->shot;
    ImGui::BeginDisabled(shot->style != OTOK_STYLE_ISLAND);
    const bool sloped =
        draw_slider("rock slope", &shot->rock_slope, OTOK_ROCK_SLOPE_LEAST, OTOK_ROCK_SLOPE_MOST,
                    "%.0f deg", 0, "steeper ground of the island is rock; --rock-slope");
    ImGui::SameLine();
    const bool tiled = draw_slider("tiling", &shot->tiling, OTOK_TILING_LEAST, OTOK_TILING_MOST,
                                   "%.2f", ImGuiSliderFlags_Logarithmic,
                                   "how often textures of the island repeat; --tiling");
    ImGui::EndDisabled();
    if (sloped || tiled)
        otok_live_report(live, "--rock-slope %.1f --tiling %.3f", shot->rock_slope, shot->tiling);
}

void otok_panel_base_draw(otok_base_controls *b, otok_live *live)
{
    const char *title = "";
    for (int i = 0; i < b->n; i++) {
        otok_base_control *c = &b->at[i];
        if (strcmp(c->title, title) != 0) ImGui::TextDisabled("%s", c->title);
        title = c->title;
        const bool is_sea = strcmp(c->path, "sea.level") == 0;
        if (is_sea && b->sea_moves) {
            ImGui::TextDisabled("%.5g m: follows reef.sea_history", live->sea_level);
            otok_panel_place("", "sea history", nullptr);
            continue;
        }
        ImGui::BeginDisabled((is_sea || i >= b->base_end) && otok_live_at_end(live));
        draw_control(b, c, live);
        ImGui::EndDisabled();
        const bool last = i + 1 == b->n || std::strcmp(b->at[i + 1].title, title) != 0;
        if (i < b->base_end || !last) continue;
        const int river = std::atoi(std::strstr(c->path, ".rivers.") + 8);
        ImGui::PushID(c->path);
        ImGui::BeginDisabled(otok_live_at_end(live) != 0);
        if (ImGui::SmallButton("remove this river")) otok_base_river_remove(live, river);
        ImGui::EndDisabled();
        otok_panel_place("remove river", c->title, nullptr);
        ImGui::PopID();
    }
    if (b->rivers || !live->flows) return;
    ImGui::TextDisabled("V in the scene: a river under the cursor");
    otok_panel_place("tip", "river", nullptr);
}
