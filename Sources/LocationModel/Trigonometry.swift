import CGeographic

// One place for libm below Foundation.

/// Cosine of an angle in degrees; exact at multiples of 90.
package func cosineOfDegrees(_ degrees: Double) -> Double {
  geographic_cosine_degrees(degrees)
}

/// Sine and cosine of an angle in degrees; exact at multiples of 90.
package func sineAndCosineOfDegrees(_ degrees: Double) -> (sine: Double, cosine: Double) {
  var sine = 0.0
  var cosine = 0.0
  geographic_sine_cosine_degrees(degrees, &sine, &cosine)
  return (sine, cosine)
}

/// The direction of the point (`x`, `y`) from the x axis towards the y axis, in degrees in [-180, 180].
package func arctangentDegrees(y: Double, x: Double) -> Double {
  geographic_arctangent_degrees(y, x)
}

/// `base` to the power of `exponent`; not a number for a negative base and a broken exponent.
package func power(_ base: Double, _ exponent: Double) -> Double {
  geographic_power(base, exponent)
}

package func decimalLogarithm(_ number: Double) -> Double {
  geographic_decimal_logarithm(number)
}
