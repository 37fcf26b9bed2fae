/* panel_places.cpp: see panel_places.h. */
#include "panel_places.h"

#include <cinttypes>
#include <cstdio>
#include <cstdlib>

#include <imgui.h>

static struct places {
    const char *file;         /* nullptr: nobody asked */
    ImGuiTextBuffer controls; /* the lines of this frame's */
    int64_t frame;
} places;

void otok_panel_places_begin(void)
{
    if (places.frame++ == 0) places.file = getenv("OTOK_PANEL_PLACES");
    places.controls.clear();
}

static bool write_file(const char *file, int64_t iteration, int changes)
{
    char beside[1024];
    if (snprintf(beside, sizeof beside, "%s.new", file) >= (int)sizeof beside) return false;
    remove(beside);
    FILE *out = fopen(beside, "wx");
    if (!out) return false;
    const bool put = fprintf(out, "frame\t%" PRId64 "\t%" PRId64 "\t%d\n%s", places.frame,
                             iteration, changes, places.controls.c_str()) > 0,
               closed = fclose(out) == 0;
    if (put && closed && rename(beside, file) == 0) return true;
    remove(beside);
    return false;
}

void otok_panel_places_end(int64_t iteration, int changes)
{
    if (!places.file || write_file(places.file, iteration, changes)) return;
    fprintf(stderr, "otok: OTOK_PANEL_PLACES=%s cannot be written\n", places.file);
    places.file = nullptr;
}

static void add_place(const char *kind, const char *name, ImVec2 low, ImVec2 high)
{
    places.controls.appendf("%s%s%s\t%.0f\t%.0f\t%.0f\t%.0f\n", kind, *kind ? " " : "", name,
                            (double)low.x, (double)low.y, (double)(high.x - low.x),
                            (double)(high.y - low.y));
}

void otok_panel_place(const char *kind, const char *name, const char *label)
{
    if (!places.file) return;
    const ImDrawList *window = ImGui::GetWindowDrawList();
    const ImVec2 seen_low = window->GetClipRectMin(), seen_high = window->GetClipRectMax(),
                 low = ImGui::GetItemRectMin();
    ImVec2 high = ImGui::GetItemRectMax();
    if (label) high.x -= ImGui::CalcTextSize(label).x + ImGui::GetStyle().ItemInnerSpacing.x;
    if (high.x > seen_high.x) high.x = seen_high.x;
    if (low.y < seen_low.y || high.y > seen_high.y || high.x <= low.x) return;
    add_place(kind, name, low, high);
}

void otok_panel_place_window(const char *name)
{
    const ImVec2 low = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    if (places.file) add_place("", name, low, ImVec2(low.x + size.x, low.y + size.y));
}

bool otok_panel_button(const char *label, const char *name)
{
    const bool pressed = ImGui::Button(label);
    otok_panel_place("", name ? name : label, nullptr);
    return pressed;
}

bool otok_panel_checkbox(const char *label, bool *on, const char *name)
{
    const bool changed = ImGui::Checkbox(label, on);
    otok_panel_place("", name ? name : label, nullptr);
    return changed;
}

bool otok_panel_header(const char *label)
{
    const bool open = ImGui::CollapsingHeader(label, ImGuiTreeNodeFlags_DefaultOpen);
    otok_panel_place("header", label, nullptr);
    return open;
}

void otok_panel_escape(void)
{
#if IMGUI_VERSION_NUM < 18700
    const int escape = ImGui::GetKeyIndex(ImGuiKey_Escape);
#else
    const ImGuiKey escape = ImGuiKey_Escape;
#endif
    if (ImGui::IsKeyPressed(escape)) ImGui::CloseCurrentPopup();
}

bool otok_panel_combo(const char *label, const char *word, const char *name)
{
    const bool open = ImGui::BeginCombo(label, word, ImGuiComboFlags_HeightLargest);
    if (!open)
        otok_panel_place("", name ? name : label, label); /* else the last item is in its list */
    else
        otok_panel_escape();
    return open;
}

bool otok_panel_choice(const char *word, bool chosen)
{
    const bool pressed = ImGui::Selectable(word, chosen);
    otok_panel_place("choice", word, nullptr);
    return pressed;
}
