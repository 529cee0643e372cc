// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "FirstLocation",
  // On Apple's platforms the system's own framework is used, on Linux this one; the sources are the same.
  platforms: [.macOS(.v11)],
  dependencies: [
    .package(name: "CoreLocation", path: "../..")
  ],
  targets: [
    .executableTarget(
      name: "FirstLocation",
      dependencies: [
        .product(name: "CoreLocation", package: "CoreLocation", condition: .when(platforms: [.linux]))
      ])
  ],
  swiftLanguageModes: [.v6]
)
