/// Degrees on the WGS84 ellipsoid: north and east positive.
public typealias CLLocationDegrees = Double

/// Metres.
public typealias CLLocationDistance = Double

/// Metres; negative means that the value it speaks of is invalid. As a wish, see `kCLLocationAccuracyBest` and kin.
public typealias CLLocationAccuracy = Double

/// Metres per second; negative means invalid.
public typealias CLLocationSpeed = Double

/// Metres per second; negative means that the speed is invalid.
public typealias CLLocationSpeedAccuracy = Double

/// Degrees clockwise from true north, from 0 up to but not including 360; negative means invalid.
public typealias CLLocationDirection = Double

/// Degrees; negative means that the direction is invalid.
public typealias CLLocationDirectionAccuracy = Double

/// Microteslas.
public typealias CLHeadingComponentValue = Double

/// The more significant half of a beacon's number.
public typealias CLBeaconMajorValue = UInt16

/// The less significant half of a beacon's number.
public typealias CLBeaconMinorValue = UInt16

/// What a geocoder calls when a request ends: places, best first, or an error.
public typealias CLGeocodeCompletionHandler = ([CLPlacemark]?, (any Error)?) -> Void
