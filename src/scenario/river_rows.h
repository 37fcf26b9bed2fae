/* river_rows.h: the keys of a river, for the parameter table. */
#ifndef OTOK_RIVER_ROWS_H
#define OTOK_RIVER_ROWS_H

#define RIVER_ROWS                                                                                 \
    REAL("river", otok_river, x, "", "m", NAN, 0, 1e12, GIVEN, "M13 section 4.2.1",                \
         "position of the source from the left edge; must be given"),                              \
        REAL("river", otok_river, y, "", "m", NAN, 0, 1e12, GIVEN, "M13 section 4.2.1",            \
             "position of the source from the bottom edge; must be given"),                        \
        REAL("river", otok_river, to_x, "", "m", NAN, 0, 1e12, 0, "",                              \
             "the other end, if water enters along a line, such as a side of the grid or a part "  \
             "of it; "                                                                             \
             "default: at a point"),                                                               \
        REAL("river", otok_river, to_y, "", "m", NAN, 0, 1e12, 0, "", "as `to_x`"),                \
        REAL("river", otok_river, radius, "", "m", 0, 0, 1e9, 0, "",                               \
             "cells whose centre lies within it get equal shares, of a line at least those "       \
             "within half "                                                                        \
             "a cell; if there is none, the cell of the source gets all"),                         \
        REAL("river", otok_river, discharge, "Q", "m3 s-1", NAN, -1e9, 1e9, 0, "",                 \
             "discharge of the source during the whole phase, below 0 of a pump, which takes "     \
             "what is "                                                                            \
             "there; it, `history`, `level`, `rating` or `slope` must be given"),                  \
        SERIES("river", otok_river, history, "Q", "m3 s-1", -1e9, 1e9, "",                         \
               "hydrograph: the discharge over the time of the phase, such as [[0 h, 2], [3 h, "   \
               "40], [9 "                                                                          \
               "h, 5]], or a CSV file; in place of `discharge`"),                                  \
        SERIES("river", otok_river, level, "", "m", -HUGE_LENGTH, HUGE_LENGTH, "",                 \
               "height at which every iteration begins with the water of these cells, over the "   \
               "time of the phase, such as [[0 h, 1], [6 h, 3]], or a CSV file: it enters and "    \
               "leaves; in place of `discharge`"),                                                 \
        REAL("river", otok_river, rating, "a", "m3 s-1", NAN, 0, 1e9, OPEN_LOW,                    \
             "Q = a (h - h_0)^b",                                                                  \
             "discharge that these cells let out 1 m above the level without flow, each its "      \
             "share by its own level; in place of `discharge`"),                                   \
        REAL("river", otok_river, rating_exponent, "b", "1", NAN, 0, 10, OPEN_LOW,                 \
             "Q = a (h - h_0)^b", "default: 1.5, that of a weir"),                                 \
        REAL("river", otok_river, rating_zero, "h_0", "m", NAN, -HUGE_LENGTH, HUGE_LENGTH, 0,      \
             "Q = a (h - h_0)^b", "level without flow; must be given with `rating`"),              \
        REAL("river", otok_river, slope, "S", "1", NAN, 0, 10, OPEN_LOW,                           \
             "q = d^(5/3) sqrt(S) / n",                                                            \
             "a line lets out Manning's uniform flow down this slope; in place of `discharge`")

#endif
