/* panel_time.cpp: see panel_time.h. */
extern "C" {
#include "live.h"
}
#include "panel_base.h"
#include "panel_places.h"
#include "panel_time.h"

#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <imgui.h>

static const ImVec4 grey(0.65f, 0.65f, 0.65f, 1);

/* To the kept state before or after, where there is one. */
static void draw_arrow(otok_live *live, const char *name, ImGuiDir way, const char *help)
{
    const int later = way == ImGuiDir_Right;
    ImGui::BeginDisabled(otok_live_neighbour(live, later) < 0);
    if (ImGui::ArrowButton(name, way)) otok_live_beside(live, later);
    ImGui::EndDisabled();
    otok_panel_place("", name, nullptr);
    if (ImGui::IsItemHovered()) otok_panel_tooltip("%s", help);
    ImGui::SameLine();
}

/* The button that runs and pauses keeps its width, so that the others stay where they are. */
static void draw_buttons(otok_live *live)
{
    const float wide = ImGui::CalcTextSize("pause").x + 2 * ImGui::GetStyle().FramePadding.x;
    ImGui::BeginDisabled(otok_live_at_end(live) != 0);
    if (ImGui::Button(live->running ? "pause###run" : "run###run", ImVec2(wide, 0)))
        live->running = !live->running;
    otok_panel_place("", "run", nullptr);
    ImGui::SameLine();
    if (otok_panel_button("step")) live->steps++;
    ImGui::EndDisabled();
    ImGui::SameLine();
    draw_arrow(live, "before", ImGuiDir_Left, "to the kept state before; Left");
    draw_arrow(live, "after", ImGuiDir_Right, "to the kept state after; Right");
    if (otok_panel_button("again")) live->begin_again = 1;
    if (ImGui::IsItemHovered()) otok_panel_tooltip("from iteration 0, with the scenario's values");
    if (otok_panel_button("again as now")) live->begin_again = 2;
    if (ImGui::IsItemHovered()) otok_panel_tooltip("from iteration 0, with the present values");
    ImGui::SameLine();
    if (otok_panel_button("save", "checkpoint")) live->save = 1;
    if (ImGui::IsItemHovered()) otok_panel_tooltip("a checkpoint; K");
    ImGui::SameLine();
    if (otok_panel_button("picture")) live->save_picture = 1;
}

/* A mark for each state that is kept. */
static void draw_marks(const otok_live *live, int64_t first)
{
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    const float inset = ImGui::GetStyle().GrabMinSize / 2 + 2, wide = high.x - low.x - 2 * inset;
    const double span = (double)(live->iterations - first);
    for (int i = 0; span > 0 && otok_live_kept(live, i) >= 0; i++) {
        const float x =
            low.x + inset + wide * (float)((double)(otok_live_kept(live, i) - first) / span);
        ImGui::GetWindowDrawList()->AddLine(ImVec2(x, high.y - 4), ImVec2(x, high.y),
                                            IM_COL32(255, 255, 255, 200));
    }
}

static void draw_typed(otok_time_panel *panel, otok_live *live)
{
    if (!ImGui::BeginPopupContextItem("timeline")) return;
    if (ImGui::IsWindowAppearing())
        snprintf(panel->typed, sizeof panel->typed, "%" PRId64, live->iteration);
    const bool entered = otok_panel_type(panel->typed, sizeof panel->typed);
    otok_panel_place("type", "timeline", nullptr);
    char *end;
    const int64_t to = std::strtoll(panel->typed, &end, 10);
    if (entered && end != panel->typed && !*end && to >= 0)
        live->go_to = to;
    else if (entered)
        otok_live_report(live, "%s is no iteration", panel->typed);
    ImGui::EndPopup();
}

/* The slider goes to its iteration once it is let go: what is missing is computed then. */
static void draw_timeline(otok_time_panel *panel, otok_live *live)
{
    const int64_t first = otok_live_kept(live, 0) > 0 ? otok_live_kept(live, 0) : 0;
    int64_t at = panel->dragged ? panel->wanted : live->iteration;
    char shown[64];
    snprintf(shown, sizeof shown, "%%lld of %" PRId64, live->iterations);
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
    if (ImGui::SliderScalar("##timeline", ImGuiDataType_S64, &at, &first, &live->iterations, shown,
                            ImGuiSliderFlags_NoInput))
        panel->wanted = at;
    else if (!panel->dragged)
        panel->wanted = live->iteration;
    otok_panel_place("", "timeline", nullptr);
    if (ImGui::IsItemDeactivated() && panel->wanted != live->iteration) live->go_to = panel->wanted;
    panel->dragged = ImGui::IsItemActive();
    if (ImGui::IsItemHovered())
        otok_panel_tooltip("back or on to an iteration; a mark: a state that is kept\n"
                           "right button: type the iteration");
    draw_marks(live, first);
    draw_typed(panel, live);
}

static void draw_speed(otok_live *live)
{
    float speed = (float)live->speed;
    bool flat = live->flat_out != 0;
    ImGui::BeginDisabled(flat);
    ImGui::SetNextItemWidth(7 * ImGui::GetFontSize());
    if (ImGui::SliderFloat("speed", &speed, 0.5f, 1e5f, "%.4g it/s", ImGuiSliderFlags_Logarithmic))
        live->speed = speed;
    otok_panel_place("", "speed", "speed");
    ImGui::EndDisabled();
    if (ImGui::IsItemHovered()) otok_panel_tooltip("at most, while it runs; , and .");
    ImGui::SameLine();
    if (otok_panel_checkbox("flat out", &flat)) live->flat_out = flat;
}

/* 1: it was moved. */
static bool draw_water_slider(const char *name, double *value, double least, double most,
                              const char *format)
{
    float now = (float)*value;
    ImGui::SetNextItemWidth(8 * ImGui::GetFontSize());
    const bool moved = ImGui::SliderFloat(name, &now, (float)least, (float)most, format,
                                          ImGuiSliderFlags_Logarithmic);
    otok_panel_place("", name, name);
    if (moved) *value = now;
    return moved;
}

static void draw_water(otok_live *live)
{
    bool rains = live->rains != 0;
    ImGui::BeginDisabled(!live->flows);
    if (otok_panel_checkbox("rain", &rains)) live->rains = rains;
    if (ImGui::IsItemHovered())
        otok_panel_tooltip("additional rain, %g m/s; Shift", live->rain.rate);
    ImGui::SameLine();
    draw_water_slider("brush", &live->brush.radius, 0.5 * live->grid.spacing,
                      0.5 * live->grid.spacing * (double)live->grid.nx, "%.3g m");
    draw_water_slider("pours", &live->brush.discharge, 0.01, 1e4, "%.3g m3/s");
    if (ImGui::IsItemHovered())
        otok_panel_tooltip("right mouse button in the scene, or V: a river of so much water");
    ImGui::EndDisabled();
}

/* ---- recorded states ---- */

static void draw_end(otok_live *live, const char *label, const char *name, int way)
{
    ImGui::BeginDisabled(otok_live_neighbour(live, way > 0) < 0);
    if (ImGui::Button(label)) otok_live_beside(live, way);
    ImGui::EndDisabled();
    otok_panel_place("", name, nullptr);
    if (ImGui::IsItemHovered())
        otok_panel_tooltip(way > 0 ? "the last state; End" : "the first state; Home");
    ImGui::SameLine();
}

/* Dragging shows each state once it is read. */
static void draw_states(otok_live *live)
{
    int at = (live->wanted >= 0 ? live->wanted : live->state) + 1;
    char shown[48];
    snprintf(shown, sizeof shown, "state %%d of %d", live->recorded.n);
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
    if (ImGui::SliderInt("##states", &at, 1, live->recorded.n, shown, ImGuiSliderFlags_NoInput)) {
        live->wanted = at - 1;
        live->running = 0;
    }
    otok_panel_place("", "states", nullptr);
}

void otok_panel_recorded_draw(otok_live *live)
{
    char time[48];
    const float wide = ImGui::CalcTextSize("pause").x + 2 * ImGui::GetStyle().FramePadding.x;
    otok_time_words(time, live->time);
    ImGui::TextWrapped("%s", otok_checkpoint_title(live->checkpoint));
    ImGui::Text("iteration %" PRId64, live->iteration);
    ImGui::TextColored(grey, "%s%s", time, live->date);
    if (live->recorded.n > 1) {
        draw_end(live, "|<", "first", -2);
        draw_arrow(live, "before", ImGuiDir_Left, "the state before; Left");
        if (ImGui::Button(live->running ? "pause###run" : "play###run", ImVec2(wide, 0)))
            otok_live_play(live, !live->running);
        otok_panel_place("", "run", nullptr);
        if (ImGui::IsItemHovered()) otok_panel_tooltip("Enter; while held, Space");
        ImGui::SameLine();
        draw_arrow(live, "after", ImGuiDir_Right, "the state after; Right");
        draw_end(live, ">|", "last", 2);
    }
    if (otok_panel_button("picture")) live->save_picture = 1;
    if (live->recorded.n == 1) return;
    draw_states(live);
    float speed = (float)live->speed;
    ImGui::SetNextItemWidth(9 * ImGui::GetFontSize());
    if (ImGui::SliderFloat("speed", &speed, 0.5f, 100, "%.3g states/s",
                           ImGuiSliderFlags_Logarithmic))
        live->speed = speed;
    otok_panel_place("", "speed", "speed");
}

void otok_panel_time_draw(otok_time_panel *panel, otok_live *live, const char *phase)
{
    ImGui::TextUnformatted(otok_live_at_end(live) ? "ended" : phase);
    ImGui::SameLine();
    if (live->hurries)
        ImGui::TextColored(grey, "computes %" PRId64 " more iterations", live->steps);
    else {
        char time[48];
        otok_time_words(time, live->time);
        ImGui::TextColored(grey, "%s, %.4g it/s", time, live->iterations_per_second);
    }
    if (*live->date) ImGui::TextColored(grey, "%s", live->date + 2);
    draw_buttons(live);
    draw_timeline(panel, live);
    draw_speed(live);
    draw_water(live);
}
