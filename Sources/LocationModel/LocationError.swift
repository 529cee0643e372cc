/// Why an app does not get what it asked for. Raw values are those of `CLError.Code` (behaviour 12).
package enum LocationError: Int, Sendable {
  case locationUnknown = 0
  case denied = 1
  case network = 2
  case headingFailure = 3
  case regionMonitoringDenied = 4
  case regionMonitoringFailure = 5
  case regionMonitoringSetupDelayed = 6
  case regionMonitoringResponseDelayed = 7
  case geocodeFoundNoResult = 8
  case geocodeFoundPartialResult = 9
  case geocodeCanceled = 10
  case deferredFailed = 11
  case deferredNotUpdatingLocation = 12
  case deferredAccuracyTooLow = 13
  case deferredDistanceFiltered = 14
  case deferredCanceled = 15
  case rangingUnavailable = 16
  case rangingFailure = 17
  case promptDeclined = 18
  case historicalLocationError = 19
}
