import CGeographic

/// Cosine of an angle in degrees; exact at multiples of 90. One place for libm below Foundation.
package func cosineOfDegrees(_ degrees: Double) -> Double {
  geographic_cosine_degrees(degrees)
}
