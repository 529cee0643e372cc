// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "YourApp",
  platforms: [.macOS(.v14)],
  dependencies: [
    .package(name: "CoreLocation", path: "../..")
  ],
  targets: [
    .target(
      name: "YourApp",
      dependencies: [
        .product(name: "CoreLocation", package: "CoreLocation", condition: .when(platforms: [.linux]))
      ]),
    .testTarget(
      name: "YourAppTests",
      dependencies: [
        "YourApp",
        .product(name: "CoreLocation", package: "CoreLocation", condition: .when(platforms: [.linux])),
        .product(name: "CoreLocationTesting", package: "CoreLocation", condition: .when(platforms: [.linux])),
      ]),
  ]
)
