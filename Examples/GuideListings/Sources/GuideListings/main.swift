import CoreLocation

// GuideListings standard | significant: prints each recent location as it comes. Started for an event it has no
// arguments, and goes on with the one of the two that starts an app.

func show(_ location: CLLocation) {
  print(String(format: "latitude %.6f, longitude %.6f", location.coordinate.latitude, location.coordinate.longitude))
  fflush(nil)
}

let standard = StandardUpdates(show)
let significant = SignificantChanges(show)

let isForEvent = ProcessInfo.processInfo.environment["CORELOCATION_LAUNCH_REASON"] == "location"

switch CommandLine.arguments.dropFirst().first ?? (isForEvent ? "significant" : "standard") {
case "standard": standard.start()
case "significant":
  guard significant.start() else {
    print("GuideListings: this device does not tell significant changes.")
    exit(1)
  }
case let other:
  print("GuideListings: standard or significant, not \(other).")
  exit(2)
}

RunLoop.main.run()
