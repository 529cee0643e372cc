import CoreLocation
import Testing

// Client code of point 8: the ways in which apps look at errors.

private final class ErrorReader: NSObject, CLLocationManagerDelegate {
  var findings: [String] = []

  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    if let clError = error as? CLError {
      switch clError.code {
      case .denied: findings.append("denied")
      case .locationUnknown, .network: findings.append("temporary")
      default: findings.append("other")
      }
      if clError.code == .denied { findings.append("code") }
      if clError.errorCode == CLError.denied.rawValue { findings.append("errorCode") }
    }
    if let clError = error as? CLError, case .denied = clError.code { findings.append("pattern") }
    if (error as NSError).code == CLError.denied.rawValue, (error as NSError).domain == kCLErrorDomain {
      findings.append("NSError")
    }
    if error._code == 1 { findings.append("_code") }
    if case CLError.denied = error { findings.append("~=") }
    if CLError(_nsError: error as NSError).code == .denied { findings.append("_nsError") }
  }
}

@Suite("Clients 8: errors", .onSimulatedDevice)
struct ErrorClientTests {
  @Test("every way of looking at an error finds it")
  func reading() {
    let reader = ErrorReader()
    reader.locationManager(CLLocationManager(), didFailWithError: CLError(.denied))
    #expect(
      reader.findings == ["denied", "code", "errorCode", "pattern", "NSError", "_code", "~=", "_nsError"])
  }

  @Test("a switch over the codes may have an unknown default")
  func unknownDefault() {
    func name(_ status: CLAuthorizationStatus) -> String {
      switch status {
      case .notDetermined: "open"
      case .restricted, .denied: "no"
      case .authorizedAlways, .authorizedWhenInUse: "yes"
      @unknown default: "new"
      }
    }
    #expect(name(.restricted) == "no" && name(.authorizedAlways) == "yes")
  }
}
