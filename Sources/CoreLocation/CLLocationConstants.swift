// Values: behaviour 2.11.

/// The finest accuracy, with every sensor that helps, for navigation under way.
public let kCLLocationAccuracyBestForNavigation: CLLocationAccuracy = -2

/// The finest accuracy that the receivers give.
public let kCLLocationAccuracyBest: CLLocationAccuracy = -1

/// Accurate to within ten metres.
public let kCLLocationAccuracyNearestTenMeters: CLLocationAccuracy = 10

/// Accurate to within a hundred metres.
public let kCLLocationAccuracyHundredMeters: CLLocationAccuracy = 100

/// Accurate to the kilometre.
public let kCLLocationAccuracyKilometer: CLLocationAccuracy = 1000

/// Accurate to three kilometres.
public let kCLLocationAccuracyThreeKilometers: CLLocationAccuracy = 3000

/// The accuracy that an app without full accuracy gets, asked for on purpose (behaviour 1.44).
///
/// Apple publishes the name, not the number, and other implementations disagree (behaviour 2.12): compare with the
/// constant, never with a number. Here it is about the Earth's radius, coarser than any wish in metres.
public let kCLLocationAccuracyReduced: CLLocationAccuracy = 6_380_000

/// Every location is delivered, however small the movement.
public let kCLDistanceFilterNone: CLLocationDistance = -1

/// Every heading is delivered, however small the turn.
public let kCLHeadingFilterNone: CLLocationDegrees = -1

/// No limit of distance.
public let CLLocationDistanceMax: CLLocationDistance = .greatestFiniteMagnitude

/// No limit of time.
public let CLTimeIntervalMax: TimeInterval = .greatestFiniteMagnitude

/// 1 where the conditions of `CLMonitor` are declared, as they are here.
public var CL_TARGET_SUPPORTS_CONDITIONS: Int32 { 1 }
