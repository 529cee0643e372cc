#pragma once
// Boost.Geometry's R-tree of the circles' boxes in degrees, and the haversine distance to decide: how circles are
// looked up with what Debian has. The peer of bench-geofence; no part of the product.

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  double latitude, longitude, radius_meters;
} boost_circle;

typedef struct {
  double latitude, longitude;
} boost_point;

typedef struct boost_tree boost_tree;

/// The circles stay the caller's and have to outlive the tree. Bulk loading with linear<8> nodes.
boost_tree *boost_tree_build(const boost_circle *circles, size_t count);

/// How many pairs of a point and a circle that holds it there are.
size_t boost_tree_count(const boost_tree *tree, const boost_point *points, size_t count);

void boost_tree_free(boost_tree *tree);

#ifdef __cplusplus
}
#endif
