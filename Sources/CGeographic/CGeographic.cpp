#include "CGeographic.h"

#include <GeographicLib/Geodesic.hpp>

using GeographicLib::Geodesic;

extern "C" {

double geographic_distance(double latitude1, double longitude1, double latitude2, double longitude2) {
  double length;
  Geodesic::WGS84().Inverse(latitude1, longitude1, latitude2, longitude2, length);
  return length;
}

double geographic_inverse(double latitude1, double longitude1, double latitude2, double longitude2,
                          double *azimuth1, double *azimuth2) {
  double length;
  Geodesic::WGS84().Inverse(latitude1, longitude1, latitude2, longitude2, length, *azimuth1, *azimuth2);
  return length;
}

void geographic_direct(double latitude1, double longitude1, double azimuth1, double distance,
                       double *latitude2, double *longitude2, double *azimuth2) {
  Geodesic::WGS84().Direct(latitude1, longitude1, azimuth1, distance, *latitude2, *longitude2, *azimuth2);
}

double geographic_cosine_degrees(double degrees) { return GeographicLib::Math::cosd(degrees); }
}
