#include "CBoostTree.h"

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include <boost/function_output_iterator.hpp>
#include <boost/geometry.hpp>
#include <boost/geometry/geometries/box.hpp>
#include <boost/geometry/geometries/point.hpp>
#include <boost/geometry/index/rtree.hpp>

namespace {
namespace geometry = boost::geometry;
using Point = geometry::model::point<float, 2, geometry::cs::cartesian>;
using Box = geometry::model::box<Point>;
using Entry = std::pair<Box, uint32_t>;
using Tree = geometry::index::rtree<Entry, geometry::index::linear<8>>;

constexpr double radians = 3.14159265358979323846 / 180;
constexpr double earth_radius = 6371008.8;
constexpr double degree_meters = earth_radius * radians;

double haversine(double latitude1, double longitude1, double latitude2, double longitude2) {
  const double across = std::sin((longitude2 - longitude1) * radians / 2);
  const double along = std::sin((latitude2 - latitude1) * radians / 2);
  const double square =
      along * along + std::cos(latitude1 * radians) * std::cos(latitude2 * radians) * across * across;
  return 2 * earth_radius * std::asin(std::sqrt(square));
}

Entry entry(const boost_circle &circle, uint32_t number) {
  const double high = circle.radius_meters / degree_meters * 1.0001;
  const double wide = high / std::cos((std::fabs(circle.latitude) + high) * radians);
  // Boxes of floats take half the memory; a metre more on each side makes up for their rounding.
  const double margin = 4e-5;
  return {Box(Point(float(circle.longitude - wide - margin), float(circle.latitude - high - margin)),
              Point(float(circle.longitude + wide + margin), float(circle.latitude + high + margin))),
          number};
}
}  // namespace

struct boost_tree {
  const boost_circle *circles;
  Tree tree;
};

extern "C" {

boost_tree *boost_tree_build(const boost_circle *circles, size_t count) {
  std::vector<Entry> entries;
  entries.reserve(count);
  for (size_t index = 0; index < count; index++) entries.push_back(entry(circles[index], uint32_t(index)));
  return new boost_tree{circles, Tree(entries)};
}

size_t boost_tree_count(const boost_tree *tree, const boost_point *points, size_t count) {
  size_t matches = 0;
  for (size_t index = 0; index < count; index++) {
    const boost_point &point = points[index];
    tree->tree.query(geometry::index::intersects(Point(float(point.longitude), float(point.latitude))),
                     boost::make_function_output_iterator([&](const Entry &found) {
                       const boost_circle &circle = tree->circles[found.second];
                       if (haversine(circle.latitude, circle.longitude, point.latitude, point.longitude) <=
                           circle.radius_meters)
                         matches++;
                     }));
  }
  return matches;
}

void boost_tree_free(boost_tree *tree) { delete tree; }
}
