#include "CGeographic.h"

#include <cmath>

#include <GeographicLib/Constants.hpp>
#include <GeographicLib/Geodesic.hpp>
#include <GeographicLib/Math.hpp>

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

void geographic_metres_per_degree(double latitude, double *north, double *east) {
  const double a = GeographicLib::Constants::WGS84_a();
  const double f = GeographicLib::Constants::WGS84_f();
  const double e2 = f * (2 - f);
  double sine, cosine;
  GeographicLib::Math::sincosd(latitude, sine, cosine);
  const double w2 = 1 - e2 * sine * sine;
  const double w = std::sqrt(w2);
  const double degree = GeographicLib::Math::degree();
  *north = a * (1 - e2) / (w2 * w) * degree;
  *east = a * cosine / w * degree;
}

void geographic_cartesian(double latitude, double longitude, double *x, double *y, double *z) {
  const double a = GeographicLib::Constants::WGS84_a();
  const double f = GeographicLib::Constants::WGS84_f();
  const double e2 = f * (2 - f);
  double sine, cosine, sine_longitude, cosine_longitude;
  sincos(latitude * GeographicLib::Math::degree(), &sine, &cosine);
  sincos(longitude * GeographicLib::Math::degree(), &sine_longitude, &cosine_longitude);
  const double normal = a / std::sqrt(1 - e2 * sine * sine);
  *x = normal * cosine * cosine_longitude;
  *y = normal * cosine * sine_longitude;
  *z = normal * (1 - e2) * sine;
}

double geographic_sine(double radians) { return std::sin(radians); }

double geographic_arcsine(double value) { return std::asin(value); }

double geographic_cosine_degrees(double degrees) { return GeographicLib::Math::cosd(degrees); }

void geographic_sine_cosine_degrees(double degrees, double *sine, double *cosine) {
  GeographicLib::Math::sincosd(degrees, *sine, *cosine);
}

double geographic_arctangent_degrees(double y, double x) { return GeographicLib::Math::atan2d(y, x); }

double geographic_normal_probability(double deviations) { return 0.5 * std::erfc(-deviations / std::sqrt(2.0)); }

double geographic_exponential(double exponent) { return std::exp(exponent); }

double geographic_power(double base, double exponent) { return std::pow(base, exponent); }

double geographic_decimal_logarithm(double number) { return std::log10(number); }
}
