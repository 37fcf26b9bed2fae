/* panel_places.cpp: see panel_places.h. */
#include "panel_places.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <imgui.h>

static struct places {
    const char *file;          /* nullptr: nobody asked */
    ImGuiTextBuffer now, then; /* lines of this frame; of the file */
    bool written;
} places;

void otok_panel_places_begin(void)
{
    if (!places.written) places.file = getenv("OTOK_PANEL_PLACES");
    places.now.clear();
}

static bool write_file(const char *file, const char *text)
{
    char beside[1024];
    if (snprintf(beside, sizeof beside, "%s.new", file) >= (int)sizeof beside) return false;
    FILE *out = fopen(beside, "w");
    if (!out) return false;
    const bool put = fputs(text, out) >= 0, closed = fclose(out) == 0;
    if (put && closed && rename(beside, file) == 0) return true;
    remove(beside);
    return false;
}

void otok_panel_places_end(void)
{
    if (!places.file || (places.written && strcmp(places.now.c_str(), places.then.c_str()) == 0))
        return;
    if (!write_file(places.file, places.now.c_str())) {
        fprintf(stderr, "otok: OTOK_PANEL_PLACES=%s cannot be written\n", places.file);
        places.file = nullptr;
    }
    places.then.clear(); /* an empty buffer is not to be assigned: it has no memory */
    places.then.append(places.now.c_str());
    places.written = true;
}

static void add_place(const char *kind, const char *name, ImVec2 low, ImVec2 high)
{
    places.now.appendf("%s%s%s\t%.0f\t%.0f\t%.0f\t%.0f\n", kind, *kind ? " " : "", name,
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

bool otok_panel_combo(const char *label, const char *word, const char *name)
{
    const bool open = ImGui::BeginCombo(label, word);
    if (!open)
        otok_panel_place("", name ? name : label, label); /* else the last item is in its list */
    return open;
}

bool otok_panel_choice(const char *word, bool chosen)
{
    const bool pressed = ImGui::Selectable(word, chosen);
    otok_panel_place("choice", word, nullptr);
    return pressed;
}
