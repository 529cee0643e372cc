import LocationModel

extension DesiredAccuracy {
  /// What an app means by its `desiredAccuracy`. A negative number that is no constant, and NaN, count as best, the
  /// default (behaviour 2.10, 2.11).
  package init(_ accuracy: CLLocationAccuracy) {
    if accuracy == kCLLocationAccuracyBestForNavigation {
      self = .bestForNavigation
    } else if accuracy == kCLLocationAccuracyReduced {
      self = .reduced
    } else if accuracy >= 0 {
      self = .meters(accuracy)
    } else {
      self = .best
    }
  }
}
