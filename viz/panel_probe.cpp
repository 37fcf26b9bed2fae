/* panel_probe.cpp: see panel_probe.h. A curve has its values over the iterations; the ends of both
 * axes have their numbers. What does not change has no curve. */
extern "C" {
#include "arrange.h"
#include "live.h"
}
#include "panel_places.h"
#include "panel_probe.h"

#include <cinttypes>
#include <cmath>
#include <cstdio>

#include <imgui.h>

static const ImU32 ink = IM_COL32(165, 165, 165, 255), line_ink = IM_COL32(120, 190, 255, 255),
                   frame_ink = IM_COL32(110, 110, 110, 255);

/* The samples of a field, oldest first. */
typedef struct samples {
    int64_t n, iteration[OTOK_LIVE_SAMPLES];
    float value[OTOK_LIVE_SAMPLES], low, high;
} samples;

static void collect(samples *out, const otok_probe *p, int field)
{
    out->n = p->count < OTOK_LIVE_SAMPLES ? p->count : (int64_t)OTOK_LIVE_SAMPLES;
    out->low = INFINITY, out->high = -INFINITY;
    for (int64_t k = 0; k < out->n; k++) {
        const int64_t at = (p->count - out->n + k) % OTOK_LIVE_SAMPLES;
        const float v = out->value[k] = p->value[at][field];
        out->iteration[k] = p->iteration[at];
        if (std::isfinite(v))
            out->low = std::fmin(out->low, v), out->high = std::fmax(out->high, v);
    }
}

static void draw_number(ImVec2 at, double value, float right)
{
    char text[32];
    snprintf(text, sizeof text, "%.4g", value);
    const float wide = ImGui::CalcTextSize(text).x;
    ImGui::GetWindowDrawList()->AddText(ImVec2(at.x + right * wide, at.y), ink, text);
}

/* The frame of a curve, with the values of its lower and upper end at the left. */
static void draw_curve(const samples *s, ImVec2 low, ImVec2 high, float left)
{
    static ImVec2 points[OTOK_LIVE_SAMPLES];
    ImDrawList *list = ImGui::GetWindowDrawList();
    const float letter = ImGui::GetFontSize(), x0 = low.x + left;
    const double from = (double)s->iteration[0],
                 span = std::fmax((double)s->iteration[s->n - 1] - from, 1);
    int n = 0;
    list->AddRect(ImVec2(x0, low.y), high, frame_ink);
    for (int64_t k = 0; k < s->n; k++) {
        if (!std::isfinite(s->value[k])) continue;
        const float x = (float)(((double)s->iteration[k] - from) / span),
                    y = (s->value[k] - s->low) / (s->high - s->low);
        points[n++] = ImVec2(x0 + x * (high.x - x0), high.y - 2 - y * (high.y - low.y - 4));
    }
    list->AddPolyline(points, n, line_ink, 0, 1.5f);
    draw_number(ImVec2(x0 - 4, low.y - 2), (double)s->high, -1);
    draw_number(ImVec2(x0 - 4, high.y - letter + 2), (double)s->low, -1);
}

/* The axis of all curves, below the last one. */
static void draw_iterations(const samples *s, float left)
{
    const ImVec2 low = ImGui::GetCursorScreenPos();
    const float wide = ImGui::GetContentRegionAvail().x, letter = ImGui::GetFontSize();
    const char *name = "iteration";
    draw_number(ImVec2(low.x + left, low.y), (double)s->iteration[0], 0);
    draw_number(ImVec2(low.x + wide, low.y), (double)s->iteration[s->n - 1], -1);
    ImGui::GetWindowDrawList()->AddText(
        ImVec2(low.x + 0.5f * (left + wide - ImGui::CalcTextSize(name).x), low.y), ink, name);
    ImGui::Dummy(ImVec2(wide, letter));
    otok_panel_place("axis", name, nullptr);
}

void otok_panel_probe_draw(const otok_live *live)
{
    static samples s;
    const otok_probe *p = &live->probe;
    const float letter = ImGui::GetFontSize(), left = 5 * letter;
    char place[128], name[OTOK_NAME_SIZE];
    if (p->count < 1) {
        ImGui::TextDisabled("point at the ground");
        return;
    }
    otok_live_place(live, place, sizeof place);
    ImGui::TextUnformatted(place);
    for (int f = 0; f < OTOK_FIELDS; f++) {
        if (std::isnan(p->value[(p->count - 1) % OTOK_LIVE_SAMPLES][f]) || f == OTOK_TERRAIN_BASE ||
            !otok_live_field_name(live, f, name))
            continue;
        collect(&s, p, f);
        char unit[32];
        otok_arrange_unit(unit, otok_field_at(f)->unit);
        ImGui::TextDisabled("%s %.5g %s", name, (double)s.value[s.n - 1],
                            unit[0] == '1' && !unit[1] ? "" : unit);
        if (!(s.high > s.low)) continue;
        const ImVec2 low = ImGui::GetCursorScreenPos();
        const float wide = ImGui::GetContentRegionAvail().x, tall = 2.2f * letter;
        ImGui::Dummy(ImVec2(wide, tall));
        otok_panel_place("curve", name, nullptr);
        draw_curve(&s, low, ImVec2(low.x + wide, low.y + tall), left);
    }
    if (p->count > 1) draw_iterations(&s, left);
}
