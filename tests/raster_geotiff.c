/* raster_geotiff.c - claim: a GeoTIFF of float32 comes back with the same bits, georeference and
   system, which GDAL reads too, from the GeoTIFF and from a checkpoint; no-data, scale, units
   of length and rows from the south are understood; bands, other units, rotation and damage are
   refused. CHECK_ONCE */
#include "checkpoint_sample.h"
#include "io/raster.h"

#ifndef OTOK_WITH_GDAL
int main(void)
{
    printf("skipped: this build is without GDAL\n");
    return 77;
}
#else
#include <cpl_conv.h>
#include <gdal.h>
#include <ogr_srs_api.h>

enum { NX = 300, NY = 270, CELLS = NX * NY };

static char path[160];
static float map[CELLS];
static char *utm;

static void same_georeference(const char *what, const otok_georeference *p,
                              const otok_georeference *q)
{
    CHECK(q->known && q->west == p->west && q->north == p->north && q->width == p->width &&
              q->height == p->height,
          "%s: %.17g %.17g %.17g %.17g", what, q->west, q->north, q->width, q->height);
    CHECK(q->wkt && strcmp(p->wkt, q->wkt) == 0, "%s: system %.80s", what,
          q->wkt ? q->wkt : "none");
}

/* What GDAL itself says of a file. */
static void read_by_gdal(const char *name, const otok_georeference *p)
{
    double t[6] = {0};
    GDALDatasetH data = GDALOpen(name, GA_ReadOnly);
    CHECK(data && GDALGetGeoTransform(data, t) == CE_None, "%s: no georeference", name);
    if (!data) return;
    CHECK(t[0] == p->west && t[3] == p->north && t[1] == p->width && t[5] == -p->height,
          "%s: %g %g %g %g", name, t[0], t[1], t[3], t[5]);
    OGRSpatialReferenceH expected = OSRNewSpatialReference(p->wkt), found = GDALGetSpatialRef(data);
    CHECK(found && OSRIsSame(expected, found), "%s: another system", name);
    OSRDestroySpatialReference(expected);
    static float row[NX];
    CHECK(GDALRasterIO(GDALGetRasterBand(data, 1), GF_Read, 0, 0, NX, 1, row, NX, 1, GDT_Float32, 0,
                       0) == CE_None,
          "%s: unread", name);
    CHECK(memcmp(row, map + (NY - 1) * NX, sizeof row) == 0, "%s: the north row differs", name);
    GDALClose(data);
}

static void roundtrip(void)
{
    const otok_georeference georeference = {1, 730890.5, 4069260.25, 90, 90, utm};
    uint64_t state = 5;
    otok_raster r;
    for (int n = 0; n < CELLS; n++)
        map[n] = sample_float(&state);
    MUST(otok_geotiff_write(path, map, (otok_grid){NX, NY, 90}, &georeference,
                            otok_field_at(OTOK_TERRAIN)));
    MUST(otok_raster_read(&r, path, NAN, NAN));
    CHECK(r.nx == NX && r.ny == NY && r.missing == 0 && memcmp(map, r.map, sizeof map) == 0,
          "other bits");
    same_georeference("GeoTIFF", &georeference, &r.georeference);
    otok_raster_destroy(&r);
    read_by_gdal(path, &georeference);
    otok_snapshot s;
    char name[200];
    sample_make(&s, NX, NY, 1 << OTOK_TERRAIN_BASE, 3);
    memcpy(map, s.maps[OTOK_TERRAIN_BASE], sizeof map);
    MUST(otok_georeference_copy(&s.georeference, &georeference));
    MUST(otok_checkpoint_write(path, &s));
    otok_snapshot_destroy(&s);
    MUST(otok_checkpoint_read(&s, path));
    same_georeference("checkpoint", &georeference, &s.georeference);
    otok_snapshot_destroy(&s);
    snprintf(name, sizeof name, "NETCDF:\"%s\":terrain_base", path);
    read_by_gdal(name, &georeference);
}

typedef struct strange {
    int bands, type;
    double t[6];
    const char *unit;
    double scale, offset;
    int hole;
} strange;

static void write_strange(const strange *s)
{
    float cells[6] = {1, 2, 3, 4, 5, 6};
    GDALDatasetH data =
        GDALCreate(GDALGetDriverByName("GTiff"), path, 3, 2, s->bands, (GDALDataType)s->type, NULL);
    GDALRasterBandH band = GDALGetRasterBand(data, 1);
    if (s->t[1] != 0) GDALSetGeoTransform(data, (double *)s->t);
    if (s->unit) GDALSetRasterUnitType(band, s->unit);
    if (s->scale != 0) GDALSetRasterScale(band, s->scale), GDALSetRasterOffset(band, s->offset);
    if (s->hole) GDALSetRasterNoDataValue(band, s->hole);
    if (GDALRasterIO(band, GF_Write, 0, 0, 3, 2, cells, 3, 2, GDT_Float32, 0, 0) != CE_None)
        exit(1);
    GDALClose(data);
}

static void check_understood(const strange *s, const float expected[6])
{
    otok_raster r;
    write_strange(s);
    MUST(otok_raster_read(&r, path, NAN, NAN));
    for (int n = 0; n < 6; n++)
        CHECK(isnan(expected[n]) ? isnan(r.map[n]) : r.map[n] == expected[n], "cell %d: %g, not %g",
              n, (double)r.map[n], (double)expected[n]);
    otok_raster_destroy(&r);
}

static void refused(const strange *s, const char *said)
{
    otok_raster r;
    write_strange(s);
    CHECK(otok_raster_read(&r, path, NAN, NAN) == OTOK_DATA && strstr(otok_why(), said) && !r.map,
          "'%s'", otok_why());
}

/* Cut anywhere, it is refused, or else GDAL had all that it needs. */
static void truncated(void)
{
    static char bytes[1 << 20];
    const otok_georeference nowhere = {0};
    otok_raster r;
    MUST(otok_geotiff_write(path, map, (otok_grid){NX, NY, 90}, &nowhere,
                            otok_field_at(OTOK_WATER)));
    FILE *file = fopen(path, "rb");
    const size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (file) fclose(file);
    for (size_t n = 1; n < 8; n++) {
        file = fopen(path, "wb");
        if (!file || fwrite(bytes, 1, size * n / 8, file) != size * n / 8 || fclose(file) != 0)
            exit(1);
        CHECK(otok_raster_read(&r, path, NAN, NAN) == OTOK_DATA && strstr(otok_why(), path) &&
                  !r.map,
              "%zu/8: '%s'", n, otok_why());
    }
}

int main(void)
{
    const char *directory = sample_directory();
    GDALAllRegister();
    OGRSpatialReferenceH system = OSRNewSpatialReference(NULL);
    if (OSRImportFromEPSG(system, 32616) != OGRERR_NONE ||
        OSRExportToWkt(system, &utm) != OGRERR_NONE)
        exit(1);
    OSRDestroySpatialReference(system);
    snprintf(path, sizeof path, "%s/a.tif", directory);
    roundtrip();
    check_understood(&(strange){.bands = 1, .type = GDT_Float32, .t = {0, 2, 0, 9, 0, -2}},
                     (float[]){4, 5, 6, 1, 2, 3});
    check_understood(&(strange){.bands = 1, .type = GDT_Float32, .t = {0, 2, 0, 9, 0, 2}},
                     (float[]){1, 2, 3, 4, 5, 6});
    check_understood(&(strange){.bands = 1, .type = GDT_Int16, .hole = 5},
                     (float[]){4, NAN, 6, 1, 2, 3});
    check_understood(
        &(strange){.bands = 1, .type = GDT_Byte, .scale = 0.5, .offset = -10, .unit = "metre"},
        (float[]){-8, -7.5f, -7, -9.5f, -9, -8.5f});
    refused(&(strange){.bands = 2, .type = GDT_Float32}, "has 2 bands");
    check_understood(&(strange){.bands = 1, .type = GDT_Float32, .unit = "ft"},
                     (float[]){(float)(4 * 0.3048), 1.524f, (float)(6 * 0.3048), 0.3048f,
                               (float)(2 * 0.3048), (float)(3 * 0.3048)});
#ifdef OTOK_WITH_UDUNITS
    check_understood(&(strange){.bands = 1, .type = GDT_Float32, .unit = "km"},
                     (float[]){4000, 5000, 6000, 1000, 2000, 3000});
#endif
    refused(&(strange){.bands = 1, .type = GDT_Float32, .unit = "K"},
            "its values are in `K`, and m needed");
    refused(&(strange){.bands = 1, .type = GDT_Float32, .t = {0, 2, 0.5, 9, 0.5, -2}}, "rotated");
    refused(&(strange){.bands = 1, .type = GDT_CFloat32}, "complex");
    truncated();
    CHECK(otok_geotiff_write("/none/a.tif", map, (otok_grid){NX, NY, 1}, &(otok_georeference){0},
                             otok_field_at(0)) == OTOK_IO,
          "'%s'", otok_why());
    CPLFree(utm);
    sample_clean(directory);
    return check_failures != 0;
}
#endif
