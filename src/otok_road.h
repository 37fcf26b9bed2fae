/* otok_road.h: the public interface of `otok road`. Include otok.h, which includes it and states
   the conventions. */
#ifndef OTOK_ROAD_API_H
#define OTOK_ROAD_API_H

#ifndef OTOK_H
#error "include otok.h, which includes this"
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct otok_point {
    double x, y, z; /* [m]; x from the left edge, y from the bottom edge, z height */
} otok_point;

/* A request: group `road` of the table of parameters. The z of its points is ignored, because a
   road begins and ends on the ground. */
typedef struct otok_road_request {
    otok_point from, to;
    const otok_point *via; /* way points, in order */
    int nvia;
    int64_t step;     /* cells from node to node of the search                              */
    double max_grade; /* steepest edge, up or down; INFINITY for none                       */
    double reuse;     /* energy of a metre on an earlier bed, as a share of that on other ground;
                         1: no difference */
    double width;     /* of the bed [m]; at least one and a half cells are laid             */
    double verge;     /* width of the slope on either side, from the bed to the terrain [m] */
    int64_t subdivisions; /* passes that round the route                                         */
    int64_t smoothing;    /* passes that smooth bed and verge                                    */
    double bridge_height; /* a bed higher above the ground than this is a bridge [m]             */
    double tunnel_depth;  /* a bed deeper in the ground than this is a tunnel [m]                */
    double turn_radius; /* least radius of a bend [m], at most 0.8 steps; 0: no limit            */
    double ford;        /* water no deeper than this is no obstacle [m]                          */
    double clearance;   /* of a bridge over deeper water, above its surface [m]                  */
    double water_cost;  /* energy of a metre over deeper water, as a multiple of that on ground  */
    int64_t balance;    /* 1: raises or lowers the road until cut and fill are equal             */
} otok_road_request;

/* Sets every key to its default. `from` and `to` become NAN; the caller must set them. */
void otok_road_request_defaults(otok_road_request *out, size_t size);
#define otok_road_request_defaults(out) otok_road_request_defaults(out, sizeof(otok_road_request))

/* Values of OTOK_ROAD. On a verge the value is the weight of the bed's height, between 0 and 1. */
#define OTOK_ROAD_BED 1.0f
#define OTOK_ROAD_BRIDGE 2.0f
#define OTOK_ROAD_TUNNEL 3.0f

/* The maps that a road is built into. They are [ny][nx] and belong to the caller. A new road uses
   the beds, bridges and tunnels of earlier roads at their height, and leaves them as they are. */
typedef struct otok_road_maps {
    otok_grid grid;
    const float *base;  /* OTOK_TERRAIN_BASE                                              */
    float *change;      /* OTOK_TERRAIN_CHANGE: takes cut and fill                        */
    float *road;        /* OTOK_ROAD: zeros where there is no road yet                    */
    float *road_height; /* OTOK_ROAD_HEIGHT: likewise                                     */
    const float *water; /* depth of water and sea [m], or NULL: dry                       */
} otok_road_maps;

/* A road that was built. Where subdivision rounds its centre line, the line passes way points
   within half a step of the search. It keeps to max_grade there too: its height then differs from
   the ground's. */
typedef struct otok_road {
    otok_grid grid;
    const otok_road_request *request; /* belongs to the road; without its way points */
    int64_t npoints;
    otok_point *points;    /* the centre line                                                     */
    double length;         /* along it [m]                                                        */
    double energy;         /* M(slope) times length in plan, from start to end                    */
    double steepest_grade; /* largest |rise / length in plan|                                     */
    double cut, fill;      /* ground removed and added, by the change of the terrain [m^3]        */
    double deepest_cut, highest_fill; /* [m]                                                      */
    double least_radius; /* of its bends [m]; INFINITY if it is straight                          */
    double bridge_length, tunnel_length, shared_length; /* along it; shared: on earlier roads [m] */
    double water_length; /* over water deeper than ford [m]                                       */
    double search_energy; /* of the cheapest route over the grid, before subdivision, with reuse  */
    int64_t searched;     /* nodes that the search expanded                                       */
} otok_road;

/* Finds the cheapest route (A*, optimal) and builds a road along it. The search does not cross
   periodic borders. OTOK_USAGE: a value is out of range, a point is not on the map, or two points
   that follow each other lie in one cell. OTOK_DATA: every route is steeper than max_grade or has a
   tighter turn than turn_radius, or the terrain is not finite. The maps are unchanged on failure.
 */
otok_status otok_road_create(otok_road **out, const otok_road_request *request,
                             const otok_road_maps *maps, size_t size, size_t maps_size);
#define otok_road_create(out, request, maps)                                                       \
    otok_road_create(out, request, maps, sizeof(otok_road_request), sizeof(otok_road_maps))
void otok_road_destroy(otok_road *road);

/* Writes the centre line to a file, whole or not at all. The end of the name decides about the
   format. .geojson: a LineString with heights, and the numbers above as properties, in metres of
   the map, not degrees. .csv: the columns x, y, z. OTOK_USAGE: the name ends otherwise. OTOK_IO:
   the file cannot be written. */
otok_status otok_road_save(const otok_road *road, const char *path);

/* Reads checkpoint `from`, builds a road into it and writes checkpoint `to`, whose parent is
   `from`. The fields `road` and `road_height` are added, terrain_change receives cut and fill, and
   the ledger starts anew. The caller destroys *out. */
otok_status otok_road_run(otok_road **out, const otok_road_request *request, const char *from,
                          const char *to, size_t size);
#define otok_road_run(out, request, from, to)                                                      \
    otok_road_run(out, request, from, to, sizeof(otok_road_request))

#ifdef __cplusplus
}
#endif

#endif
