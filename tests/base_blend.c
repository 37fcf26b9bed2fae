/* base_blend.c: power blend, crater, every way to combine, and masks give the values worked out by
 * hand. */
#include "base_scene.h"

#define COUNT(a) ((int)(sizeof(a) / sizeof(a)[0]))

static void expect(const char *what, otok_generator *base, int n, double want)
{
    static otok_base_plan code;
    scene(&code, (otok_grid){8, 8, 1.0}, 1, base, n);
    const float got = scene_cell(&code, 3, 4);
    CHECK(fabs(got - want) <= 2.4e-7 * fabs(want) && !(got == 0 && signbit(got)),
          "%s: %.9g, not %.9g", what, got, want);
}

/* want = what remains of 30 after one more generator. */
#define AFTER_30(what, want, ...)                                                                  \
    do {                                                                                           \
        otok_generator base[] = {CONSTANT(30), __VA_ARGS__};                                       \
        expect(what, base, COUNT(base), want);                                                     \
    } while (0)

static void combines(void)
{
    otok_generator none[] = {CONSTANT(0)}, quarter[] = {CONSTANT(0.25)}, all[] = {CONSTANT(1)},
                   over[] = {CONSTANT(7)}, under[] = {CONSTANT(-2)};
    expect("nothing", NULL, 0, 0);
    AFTER_30("replace", 4, CONSTANT(4));
    AFTER_30("add", 34, CONSTANT(4, .combine = OTOK_ADD));
    AFTER_30("multiply", -120, CONSTANT(-4, .combine = OTOK_MULTIPLY));
    AFTER_30("multiply by 0", 0, CONSTANT(-0.0, .combine = OTOK_MULTIPLY));
    AFTER_30("max", 30, CONSTANT(4, .combine = OTOK_MAX));
    AFTER_30("max", 31, CONSTANT(31, .combine = OTOK_MAX));
    AFTER_30("min", 4, CONSTANT(4, .combine = OTOK_MIN));
    AFTER_30("min", 30, CONSTANT(31, .combine = OTOK_MIN));
    AFTER_30("lerp 1/4", 23.5, CONSTANT(4, .combine = OTOK_LERP, .mask = quarter, .nmask = 1));
    AFTER_30("replace 1/4", 23.5, CONSTANT(4, .mask = quarter, .nmask = 1));
    AFTER_30("add 1/4", 31, CONSTANT(4, .combine = OTOK_ADD, .mask = quarter, .nmask = 1));
    AFTER_30("mask 0", 30, CONSTANT(4, .mask = none, .nmask = 1));
    AFTER_30("mask 1", 4, CONSTANT(4, .mask = all, .nmask = 1));
    AFTER_30("mask 7", 4, CONSTANT(4, .mask = over, .nmask = 1));
    AFTER_30("mask -2", 30, CONSTANT(4, .mask = under, .nmask = 1));
}

static void crater(void)
{
    otok_generator half[] = {CONSTANT(0.5)};
    AFTER_30("crater below", 30, CRATER(30));
    AFTER_30("crater", 10, CRATER(20));
    AFTER_30("crater below 0", -42, CRATER(-6));
    AFTER_30("half a crater", 20, CRATER(20, .mask = half, .nmask = 1));
}

static void blend(void)
{
    otok_generator one[] = {CONSTANT(1)}, three[] = {CONSTANT(3)}, minus[] = {CONSTANT(-5)},
                   half[] = {CONSTANT(0.5)};
    AFTER_30("blend without operand", 30, BLEND(0.5, 10));
    AFTER_30("blend of strength 0", 30, BLEND(0, 7, .with = three, .nwith = 1));
    AFTER_30("blend, Href 1", 900, BLEND(1, 1, .with = one, .nwith = 1));
    AFTER_30("blend", 90, BLEND(1, 10, .with = one, .nwith = 1)); /* 10 3^2 */
    AFTER_30("blend 5/2", 10 * pow(3, 2.5), BLEND(0.5, 10, .with = three, .nwith = 1));
    AFTER_30("clamped exponent", 10, BLEND(1, 10, .with = minus, .nwith = 1)); /* 10 3^(+0) */
    AFTER_30("half a blend", 60, BLEND(1, 10, .with = one, .nwith = 1, .mask = half, .nmask = 1));
    AFTER_30("added blend", 120, BLEND(1, 10, .with = one, .nwith = 1, .combine = OTOK_ADD));

    otok_generator zero[] = {CONSTANT(0), BLEND(1, 10, .with = minus, .nwith = 1)};
    expect("0 to the smallest power", zero, 2, 0);
    otok_generator deep[] = {CONSTANT(-30), BLEND(1, 10, .with = one, .nwith = 1)};
    expect("below 0", deep, 2, 0);

    /* 1/2 masks a blend of 30 with (3 blended with 1 on Href 1 = 9, cratered at 5 = 1): 30 + (90 -
     * 30)/2. */
    otok_generator tree[] = {CONSTANT(3), BLEND(1, 1, .with = one, .nwith = 1), CRATER(5)};
    AFTER_30("nested", 60, BLEND(1, 10, .with = tree, .nwith = 3, .mask = half, .nmask = 1));
}

/* Masks and operands leave nothing on the stack, however many generators follow each other. */
static void long_pipeline(void)
{
    static otok_base_plan code;
    otok_generator half[] = {CONSTANT(0.5)}, many[40];
    for (int k = 0; k < 40; k++)
        many[k] = (otok_generator)CONSTANT(2, .combine = OTOK_ADD, .mask = half, .nmask = 1);
    scene(&code, (otok_grid){8, 8, 1}, 0, many, 40);
    CHECK(scene_cell(&code, 1, 1) == 40, "%g", scene_cell(&code, 1, 1));
}

static void refusals(void)
{
    static otok_base_plan code;
    const otok_grid grid = {8, 8, 1};
    otok_generator lerp[] = {CONSTANT(1), CONSTANT(2, .combine = OTOK_LERP)};
    CHECK(scene_status(&code, grid, 0, lerp, 2) == OTOK_DATA && strstr(otok_why(), "base[1]") &&
              strstr(otok_why(), "mask"),
          "%s", otok_why());

    enum { DEEP = OTOK_BASE_STACK, MANY = OTOK_BASE_OPS + 1 };
    static otok_generator deep[DEEP + 1];
    for (int k = 0; k <= DEEP; k++)
        deep[k] =
            (otok_generator)BLEND(1, 1, .with = k < DEEP ? &deep[k + 1] : NULL, .nwith = k < DEEP);
    CHECK(scene_status(&code, grid, 0, deep, 1) == OTOK_DATA && strstr(otok_why(), "deep"), "%s",
          otok_why());
    MUST(scene_status(&code, grid, 0, &deep[2], 1));
    CHECK(scene_cell(&code, 0, 0) == 0, "%g", scene_cell(&code, 0, 0));

    static otok_generator many[MANY];
    for (int k = 0; k < MANY; k++)
        many[k] = (otok_generator)CONSTANT(1, .combine = OTOK_ADD);
    CHECK(scene_status(&code, grid, 0, many, MANY) == OTOK_DATA && strstr(otok_why(), "more than"),
          "%s", otok_why());
    MUST(scene_status(&code, grid, 0, many, MANY - 1));
    CHECK(scene_cell(&code, 0, 0) == MANY - 1, "%g", scene_cell(&code, 0, 0));

    for (int k = 0; k < 17; k++)
        many[k] = (otok_generator)SIMPLEX(10, 32);
    CHECK(scene_status(&code, grid, 0, many, 17) == OTOK_DATA && strstr(otok_why(), "octaves"),
          "%s", otok_why());
    MUST(scene_status(&code, grid, 0, many, 16));
}

int main(void)
{
    combines();
    crater();
    blend();
    long_pipeline();
    refusals();
    return check_failures != 0;
}
