/* panel_parameters.cpp: see panel_parameters.h. Each parameter has a button that brings its default
 * back, and a popup to type a number. */
extern "C" {
#include "arrange.h"
#include "core/units.h"
#include "core/usual_units.h"
}
#include "panel_base.h"
#include "panel_parameters.h"
#include "panel_places.h"

#include <cmath>
#include <cstdio>
#include <cstring>

#include <imgui.h>

static void draw_parameter_tooltip(int i)
{
    const otok_parameter *p = otok_parameter_at(i);
    const bool is_number = p->kind == OTOK_REAL || p->kind == OTOK_INT;
    char low[OTOK_CONTROL_TEXT], high[OTOK_CONTROL_TEXT], unit[32];
    if (!ImGui::IsItemHovered()) return;
    otok_control_text(i, p->low, 6, low);
    otok_control_text(i, p->high, 6, high);
    otok_panel_tooltip_begin();
    ImGui::PushTextWrapPos(18 * ImGui::GetFontSize());
    if (*p->help) ImGui::TextUnformatted(p->help);
    otok_arrange_unit(unit, p->unit);
    if (is_number)
        ImGui::Text("%s%s .. %s%s %s", p->open & 1 ? "above " : "", low,
                    p->open & 2 ? "below " : "", high, strcmp(unit, "1") == 0 ? "" : unit);
    if (*p->symbol) ImGui::TextDisabled("%s", p->symbol);
    if (*p->equation) ImGui::TextDisabled("%s", p->equation);
    if (is_number) ImGui::TextDisabled("right button: type a number, also with a unit");
    ImGui::PopTextWrapPos();
    otok_panel_tooltip_end();
}

/* It is called "hydraulic.gravity". */
static void record_place(const char *kind, const otok_parameter *p, const char *label)
{
    char name[128];
    snprintf(name, sizeof name, "%s%s%s", p->group, *p->group ? "." : "", p->key);
    otok_panel_place(kind, name, label);
}

static void draw_number(otok_parameter_panel *panel, otok_live *live, int i)
{
    const otok_parameter *p = otok_parameter_at(i);
    otok_controls *d = &panel->controls;
    char text[OTOK_CONTROL_TEXT], shown[2 * OTOK_CONTROL_TEXT], unit[32];
    otok_control_text(i, d->value[i], 4, text);
    otok_arrange_unit(unit, p->unit);
    snprintf(shown, sizeof shown, "%s %s", text, strcmp(unit, "1") == 0 ? "" : unit);
    if (otok_has_usual_unit(p) || *d->given[i])
        otok_usual_text(p, *d->given[i] ? d->given[i] : nullptr, d->value[i], 4, shown);
    float position = (float)otok_control_position(d, i, d->value[i]);
    if (ImGui::SliderFloat(p->key, &position, 0, 1, shown, ImGuiSliderFlags_NoInput))
        otok_control_set(d, live, i, otok_control_value(d, i, position), 3);
    record_place("", p, p->key);
    draw_parameter_tooltip(i);
    if (!ImGui::BeginPopupContextItem(p->key)) return;
    if (ImGui::IsWindowAppearing()) {
        otok_control_text(i, d->value[i], 6, panel->typed);
        if ((otok_has_usual_unit(p) || *d->given[i]) && otok_unit_known("mm"))
            otok_usual_text(p, *d->given[i] ? d->given[i] : nullptr, d->value[i], 6, panel->typed);
    }
    const bool entered = otok_panel_type(panel->typed, sizeof panel->typed);
    record_place("type", p, nullptr);
    if (entered) otok_control_type(d, live, i, panel->typed);
    ImGui::EndPopup();
}

static void draw_choice(otok_parameter_panel *panel, otok_live *live, int i)
{
    const otok_parameter *p = otok_parameter_at(i);
    const int now = (int)panel->controls.value[i];
    char word[OTOK_CONTROL_TEXT];
    otok_choice_text(p, now, word);
    if (!ImGui::BeginCombo(p->key, word)) {
        record_place("", p, p->key);
        draw_parameter_tooltip(i);
        return;
    }
    otok_panel_escape();
    for (int n = 0; otok_choice_text(p, n, word), *word; n++)
        if (otok_panel_choice(word, n == now)) otok_control_set(&panel->controls, live, i, n, 0);
    ImGui::EndCombo();
}

static void draw_parameter(otok_parameter_panel *panel, otok_live *live, int i)
{
    const otok_parameter *p = otok_parameter_at(i);
    const double value = panel->controls.value[i];
    char shown[OTOK_CONTROL_TEXT];
    ImGui::PushID(i);
    const bool differs = !(value == p->standard) && !std::isnan(p->standard);
    if (differs) otok_control_text(i, p->standard, 15, shown);
    if (differs && otok_has_usual_unit(p)) otok_usual_text(p, nullptr, p->standard, 15, shown);
    ImGui::BeginDisabled(!differs);
    if (ImGui::SmallButton("<")) otok_control_set(&panel->controls, live, i, p->standard, 15);
    record_place("first", p, nullptr);
    ImGui::EndDisabled();
    if (differs && ImGui::IsItemHovered()) otok_panel_tooltip("default: %s", shown);
    ImGui::SameLine();
    ImGui::SetNextItemWidth(9 * ImGui::GetFontSize());
    bool on = value != 0;
    if (p->kind == OTOK_CHOICE) {
        draw_choice(panel, live, i);
    } else if (p->kind == OTOK_BOOL) {
        if (ImGui::Checkbox(p->key, &on)) otok_control_set(&panel->controls, live, i, on, 0);
        record_place("", p, nullptr);
        draw_parameter_tooltip(i);
    } else {
        draw_number(panel, live, i);
    }
    ImGui::PopID();
}

static void draw_parameters(otok_parameter_panel *panel, otok_live *live)
{
    const char *group = "";
    ImGui::SetNextItemWidth(9 * ImGui::GetFontSize());
    ImGui::InputTextWithHint("##find", "find a parameter", panel->wanted, sizeof panel->wanted);
    otok_panel_place("", "find", nullptr);
    for (int i = 0; otok_parameter_at(i); i++) {
        const otok_parameter *p = otok_parameter_at(i);
        if (!otok_control_exists(&panel->controls, i) ||
            (*panel->wanted && !strstr(p->key, panel->wanted)))
            continue;
        if (strcmp(p->group, group) != 0) ImGui::TextDisabled("%s", p->group);
        group = p->group;
        draw_parameter(panel, live, i);
    }
}

static void draw_switches(otok_parameter_panel *panel, otok_live *live)
{
    for (int s = 0, n = 0; s < OTOK_SWITCHES; s++) {
        if (!otok_switch_exists(&panel->controls, s)) continue;
        bool on = otok_switch_is_on(&panel->controls, s);
        if (n++ % 3) ImGui::SameLine((float)(0.5 + 6.5 * ((n - 1) % 3)) * ImGui::GetFontSize());
        if (ImGui::Checkbox(otok_switches[s].name, &on))
            otok_switch_set(&panel->controls, live, s, on);
        otok_panel_place("switch", otok_switches[s].name, nullptr);
        if (ImGui::IsItemHovered()) otok_panel_tooltip("%s", otok_switches[s].help);
    }
}

void otok_panel_parameters_draw(otok_parameter_panel *panel, otok_live *live)
{
    draw_switches(panel, live);
    draw_parameters(panel, live);
}
