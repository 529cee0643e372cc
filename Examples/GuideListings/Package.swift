// swift-tools-version: 6.0
import PackageDescription

let coreLocation: Target.Dependency = .product(name: "CoreLocation", package: "CoreLocation")

let package = Package(
  name: "GuideListings",
  dependencies: [
    .package(name: "CoreLocation", path: "../..")
  ],
  targets: [
    .executableTarget(name: "GuideListings", dependencies: [coreLocation]),
    .testTarget(
      name: "GuideListingsTests",
      dependencies: ["GuideListings", coreLocation, .product(name: "CoreLocationTesting", package: "CoreLocation")]),
  ],
  swiftLanguageModes: [.v6]
)
