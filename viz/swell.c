/* swell.c: see swell.h. */
#include "swell.h"
#include "shader.h"
#include "texture.h"

#include <math.h>
#include <stdlib.h>

enum { SIDE = OTOK_SWELL_SIDE, TILES = OTOK_SWELL_TILES, MOST = 48 }; /* waves along a tile */
enum { MODES_UNIT = 19, FIELDS_UNIT = 19 };                           /* while they are made */

static const double along_side[TILES] = {OTOK_SWELL_ALONG}, turned[TILES] = {OTOK_SWELL_TURNED};

/* The ends of the band of wave numbers of a tile. `low` is the `high` of the tile before. */
static void find_band(int tile, double *low, double *high)
{
    *low = tile == 0 ? 0 : 2 * M_PI * MOST * along_side[tile - 1];
    *high = 2 * M_PI * MOST * along_side[tile];
}

/* The share of a frequency's energy that runs at an angle from the wind. `ratio` is the frequency
   over that of the peak. After Donelan et al. 1985 and, for high ratios, Banner 1990, as in Horvath
   2015, eq. 38. */
static double directional_spread(double ratio, double angle)
{
    const double beta = ratio < 0.95  ? 2.61 * pow(fmax(ratio, 0.56), 1.3)
                        : ratio < 1.6 ? 2.28 * pow(ratio, -1.3)
                                      : pow(10, 0.8393 * exp(-0.567 * 2 * log(ratio)) - 0.4);
    const double c = cosh(beta * angle);
    return beta / (2 * tanh(beta * M_PI) * c * c);
}

/* JONSWAP (Hasselmann et al. 1973): the spectrum of a sea that the wind still feeds, with PEAK
   waves along the side. It has no scale of its own: larger waves are as steep. In deep water
   omega^2 = g k. The last factor converts from frequencies and angles to wave numbers: domega / (k
   dk). The integral over all wave numbers is the variance of the sea. */
static double spectrum(double along, double across)
{
    const double ALPHA = 0.0081, GAMMA = 3.3, PEAK = 28;
    const double k = hypot(along, across), omega = sqrt(k), peak = sqrt(2 * M_PI * PEAK);
    if (k <= 0) return 0;
    const double ratio = omega / peak, width = ratio <= 1 ? 0.07 : 0.09, off = (ratio - 1) / width;
    const double energy =
        ALPHA * pow(omega, -5) * exp(-1.25 * pow(ratio, -4)) * pow(GAMMA, exp(-0.5 * off * off));
    return energy * directional_spread(ratio, atan2(across, along)) / (2 * omega * k);
}

/* The integral of the spectrum over the square around a wave number, within the band of the
   tile. */
static double mode_variance(int tile, int n0, int n1)
{
    const double step = 2 * M_PI * along_side[tile], c = cos(turned[tile]), s = sin(turned[tile]);
    const int parts = abs(n0) + abs(n1) < (tile ? 12 : 20) ? 6 : 2;
    double low, high, sum = 0;
    find_band(tile, &low, &high);
    for (int i = 0; i < parts * parts; i++) {
        const double x = step * (n0 + (i % parts + 0.5) / parts - 0.5),
                     y = step * (n1 + ((double)(i / parts) + 0.5) / parts - 0.5);
        const double k = hypot(x, y);
        if (k >= low && k < high) sum += spectrum(c * x - s * y, s * x + c * y);
    }
    return sum * step * step / (parts * parts);
}

/* The amplitude of a wave with a random phase. On average its square is the variance. */
static void mode_amplitude(int tile, int n0, int n1, float out[2])
{
    const double a = sqrt(mode_variance(tile, n0, n1) / 2),
                 phase = 2 * M_PI * (double)otok_noise_hash(n0, n1, 131 + tile);
    out[0] = (float)(a * cos(phase));
    out[1] = (float)(a * sin(phase));
}

otok_swell_mode *otok_swell_modes(int tile)
{
    otok_swell_mode *modes = calloc((size_t)SIDE * SIDE, sizeof *modes);
    for (int j = -MOST - 1; modes && j <= MOST + 1; j++)
        for (int i = -MOST - 1; i <= MOST + 1; i++) {
            const size_t to = (size_t)((j + SIDE) % SIDE * SIDE + (i + SIDE) % SIDE),
                         back = (size_t)((SIDE - j) % SIDE * SIDE + (SIDE - i) % SIDE);
            float a[2] = {0, 0};
            if (i || j) mode_amplitude(tile, i, j, a);
            for (int k = 0; k < 2; k++)
                modes[to][k] = modes[back][2 + k] = a[k];
        }
    return modes;
}

/* ---- on the device ---- */

static GLuint create_tile_array(GLenum format, int levels, GLint filter)
{
    GLuint texture;
    glCreateTextures(GL_TEXTURE_2D_ARRAY, 1, &texture);
    glTextureStorage3D(texture, levels, format, SIDE, SIDE, TILES);
    glTextureParameteri(texture, GL_TEXTURE_MIN_FILTER, filter);
    return texture;
}

otok_status otok_swell_create(otok_swell *s)
{
    s->shown = 0;
    s->modes = create_tile_array(GL_RGBA32F, 1, GL_NEAREST);
    s->fields[0] = create_tile_array(GL_RGBA32F, 1, GL_LINEAR);
    s->fields[1] = create_tile_array(GL_RGBA32F, 1, GL_LINEAR);
    s->tile = create_tile_array(GL_RGBA16F, 9, GL_LINEAR_MIPMAP_LINEAR);
    for (int i = 0; i < TILES; i++) {
        otok_swell_mode *modes = otok_swell_modes(i);
        if (!modes) return OTOK_FAIL(OTOK_NOMEM, "no memory for the sea's waves");
        glTextureSubImage3D(s->modes, 0, 0, 0, i, SIDE, SIDE, 1, GL_RGBA, GL_FLOAT, modes);
        free(modes);
    }
    OTOK_TRY(otok_program_create(&s->rows, OTOK_FILES("swell.glsl", "swell_rows.comp"), "false"));
    OTOK_TRY(
        otok_program_create(&s->columns, OTOK_FILES("swell.glsl", "swell_columns.comp"), "false"));
    return otok_program_create(&s->tiles, OTOK_FILES("swell.glsl", "swell_tiles.comp"), "false");
}

void otok_swell_destroy(otok_swell *s)
{
    const GLuint programs[3] = {s->rows, s->columns, s->tiles},
                 textures[4] = {s->modes, s->fields[0], s->fields[1], s->tile};
    for (int i = 0; i < 3; i++)
        glDeleteProgram(programs[i]);
    glDeleteTextures(4, textures);
}

/* Each group transforms a line of a tile, for one of the two fields of four numbers. */
static void run_transform(const otok_swell *s, GLuint program, int n)
{
    glUseProgram(program);
    for (unsigned i = 0; i < 2; i++)
        glBindImageTexture(i, s->fields[i], 0, GL_TRUE, 0, GL_READ_WRITE, GL_RGBA32F);
    glDispatchCompute(SIDE, (GLuint)n, 2);
    glMemoryBarrier(GL_SHADER_IMAGE_ACCESS_BARRIER_BIT | GL_TEXTURE_FETCH_BARRIER_BIT);
}

void otok_swell_update(otok_swell *s, int n, double moment, double side)
{
    if (s->shown >= n && s->moment == moment) return;
    s->shown = n;
    s->moment = moment;
    const double loops = moment / (2 * M_PI * OTOK_SWELL_LOOP * sqrt(side / 9.81));
    glProgramUniform1f(s->rows, 0, (float)(loops - floor(loops)));
    glBindTextureUnit(MODES_UNIT, s->modes);
    run_transform(s, s->rows, n);
    run_transform(s, s->columns, n);
    for (unsigned i = 0; i < 2; i++)
        glBindTextureUnit(FIELDS_UNIT + i, s->fields[i]);
    glUseProgram(s->tiles);
    glBindImageTexture(0, s->tile, 0, GL_TRUE, 0, GL_WRITE_ONLY, GL_RGBA16F);
    glDispatchCompute(SIDE / 8, SIDE / 8, (GLuint)n);
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_FRAMEBUFFER_BARRIER_BIT |
                    GL_TEXTURE_UPDATE_BARRIER_BIT);
    glGenerateTextureMipmap(s->tile);
}
