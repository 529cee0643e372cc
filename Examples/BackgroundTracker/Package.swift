// swift-tools-version: 6.0
import PackageDescription

let coreLocation: Target.Dependency = .product(name: "CoreLocation", package: "CoreLocation")
let appLifecycle: Target.Dependency = .product(name: "AppLifecycle", package: "CoreLocation")
let testing: Target.Dependency = .product(name: "CoreLocationTesting", package: "CoreLocation")

let package = Package(
  name: "BackgroundTracker",
  dependencies: [
    .package(name: "CoreLocation", path: "../..")
  ],
  targets: [
    .target(name: "BackgroundTracking", dependencies: [appLifecycle, coreLocation]),
    .executableTarget(name: "BackgroundTracker", dependencies: ["BackgroundTracking", appLifecycle, coreLocation]),
    // A day of each tracker on a simulated device, and the table of them.
    .target(name: "TrackerDay", dependencies: ["BackgroundTracking", appLifecycle, coreLocation, testing]),
    .executableTarget(name: "tracker-day", dependencies: ["TrackerDay"]),
    .testTarget(
      name: "BackgroundTrackingTests",
      dependencies: ["BackgroundTracking", "TrackerDay", appLifecycle, coreLocation, testing]),
  ],
  swiftLanguageModes: [.v6]
)
