#pragma once
// GeographicLib's WGS84 geodesic behind a C face: the C++ headers stay out of Swift.
// Angles in degrees, lengths in metres. Nothing here allocates, throws or keeps state.

#ifdef __cplusplus
extern "C" {
#endif

/// Length of the shortest path on the WGS84 ellipsoid. NaN where an argument is NaN or a latitude is beyond 90.
double geographic_distance(double latitude1, double longitude1, double latitude2, double longitude2);

/// Length and the azimuths at both ends, clockwise from north in [-180, 180].
double geographic_inverse(double latitude1, double longitude1, double latitude2, double longitude2,
                          double *azimuth1, double *azimuth2);

/// Where one arrives after `distance` metres from a point in a direction.
void geographic_direct(double latitude1, double longitude1, double azimuth1, double distance,
                       double *latitude2, double *longitude2, double *azimuth2);

/// Metres on the WGS84 ellipsoid for a degree of latitude and a degree of longitude at a latitude: from the radii of
/// curvature of the meridian and of the parallel.
void geographic_metres_per_degree(double latitude, double *north, double *east);

/// Where a place on the WGS84 ellipsoid lies in the frame that turns with the Earth (ECEF): metres from its centre, x
/// towards latitude 0 and longitude 0, z towards the north pole. Right to 10 nm.
void geographic_cartesian(double latitude, double longitude, double *x, double *y, double *z);

double geographic_sine(double radians);

/// In radians, for a value in [-1, 1].
double geographic_arcsine(double value);

/// Cosine of an angle in degrees, exact at multiples of 90.
double geographic_cosine_degrees(double degrees);

/// Sine and cosine of an angle in degrees, exact at multiples of 90.
void geographic_sine_cosine_degrees(double degrees, double *sine, double *cosine);

/// The direction of the point (x, y) from the x axis towards the y axis, in degrees in [-180, 180]; 0 at the origin.
double geographic_arctangent_degrees(double y, double x);

/// Probability that a normal error is no more than so many standard deviations above its mean.
double geographic_normal_probability(double deviations);

double geographic_exponential(double exponent);

double geographic_power(double base, double exponent);

double geographic_decimal_logarithm(double number);

#ifdef __cplusplus
}
#endif
