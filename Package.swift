// swift-tools-version: 6.0
import Foundation
import PackageDescription

/// What every Swift target is built with. `CORELOCATION_STRICT=1` (set by `make test` and CI) turns warnings into
/// errors; a package that merely depends on this one is never broken by a newer compiler's new warning.
let strict = ProcessInfo.processInfo.environment["CORELOCATION_STRICT"] == "1"
let settings: [SwiftSetting] = strict ? [.unsafeFlags(["-warnings-as-errors"])] : []
let cWarnings = ["-Wall", "-Wextra", "-Werror"]
let cSettings: [CSetting] = strict ? [.unsafeFlags(cWarnings)] : []
let cxxSettings: [CXXSetting] = strict ? [.unsafeFlags(cWarnings)] : []

let package = Package(
  name: "CoreLocation",
  products: [
    .library(name: "CoreLocation", targets: ["CoreLocation"]),
    .library(name: "AppLifecycle", targets: ["AppLifecycle"]),
    .library(name: "CoreLocationTesting", targets: ["CoreLocationTesting"]),
    // For servers, without the rest: all that LocationModel makes public is the index.
    .library(name: "GeofenceIndex", targets: ["LocationModel"]),
    .executable(name: "corelocation", targets: ["corelocation"]),
    .executable(name: "corelocationd", targets: ["corelocationd"]),
  ],
  targets: [
    // Debian's libraries and the few C and C++ lines that Swift cannot express.
    .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .target(
      name: "CGeographic", cxxSettings: cxxSettings,
      linkerSettings: [.linkedLibrary("GeographicLib"), .linkedLibrary("stdc++"), .linkedLibrary("m")]),
    .target(
      name: "CLinux", cSettings: [.define("_GNU_SOURCE")] + cSettings,
      linkerSettings: [.linkedLibrary("dispatch")]),
    .target(name: "CIndexMemory", cSettings: [.define("_DEFAULT_SOURCE")] + cSettings),
    .target(name: "CoreLocationSubmodules"),

    // Values, formats, policy: no input, no output.
    .target(name: "LocationModel", dependencies: ["CGeographic", "CIndexMemory"], swiftSettings: settings),
    .target(
      name: "LocationFormats", dependencies: ["LocationModel", "CExpat"], swiftSettings: settings),
    .target(name: "LocationEngine", dependencies: ["LocationModel"], swiftSettings: settings),

    // The machine outside: system calls, sources, hosts.
    .target(name: "LinuxIO", dependencies: ["CLinux", "CSystemd"], swiftSettings: settings),
    .target(
      name: "LocationProviders",
      dependencies: ["LocationModel", "LocationFormats", "LinuxIO"], swiftSettings: settings),
    .target(
      name: "LocationRuntime",
      dependencies: ["LocationModel", "LocationEngine", "LocationFormats", "LocationProviders", "LinuxIO"],
      resources: [.embedInCode("Profiles/profiles.json")], swiftSettings: settings),
    // What only the service needs: apps do not link its store.
    .target(
      name: "LocationService",
      dependencies: [
        "LocationModel", "LocationEngine", "LocationFormats", "LocationProviders", "LocationRuntime", "LinuxIO",
        "CSQLite",
      ],
      swiftSettings: settings),

    // What apps see.
    .target(
      name: "CoreLocation",
      dependencies: [
        "LocationModel", "LocationEngine", "LocationRuntime", "CLinux", "CoreLocationSubmodules",
      ],
      swiftSettings: settings),
    .target(
      name: "AppLifecycle", dependencies: ["LocationRuntime", "LinuxIO"], swiftSettings: settings),
    .target(
      name: "CWallClock", cSettings: [.define("_GNU_SOURCE")] + cSettings, linkerSettings: [.linkedLibrary("dl")]),
    .target(
      name: "CoreLocationTesting",
      dependencies: [
        "CoreLocation", "AppLifecycle", "CWallClock", "LocationModel", "LocationEngine", "LocationProviders",
        "LocationRuntime", "LinuxIO",
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "corelocation",
      dependencies: [
        "LocationModel", "LocationEngine", "LocationFormats", "LocationProviders",
        "LocationRuntime", "LinuxIO", "CLinux",
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "corelocationd",
      dependencies: [
        "LocationModel", "LocationFormats", "LocationEngine", "LocationProviders", "LocationRuntime", "LocationService",
        "LinuxIO", "CLinux",
      ],
      swiftSettings: settings),

    .testTarget(name: "LocationModelTests", dependencies: ["LocationModel"], swiftSettings: settings),
    .testTarget(
      name: "LocationFormatsTests", dependencies: ["LocationFormats", "LocationModel"],
      swiftSettings: settings),
    .testTarget(
      name: "LocationEngineTests", dependencies: ["LocationEngine", "LocationModel"],
      swiftSettings: settings),
    .testTarget(
      name: "LocationProvidersTests",
      dependencies: ["LocationProviders", "LocationFormats", "LocationModel", "LinuxIO"],
      swiftSettings: settings),
    .testTarget(
      name: "LocationRuntimeTests",
      dependencies: [
        "LocationRuntime", "LocationEngine", "LocationProviders", "LocationFormats", "LocationModel", "LinuxIO",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "LocationServiceTests",
      dependencies: [
        "LocationService", "LocationRuntime", "LocationEngine", "LocationModel", "LinuxIO", "CSQLite", "store-writer",
        "peer-program", "supervised-program", "corelocation", "corelocationd",
      ],
      swiftSettings: settings),
    // What the tests of the store kill at every write.
    .executableTarget(
      name: "store-writer", dependencies: ["LocationService", "LocationEngine", "LocationModel"],
      path: "Tests/StorePrograms/Writer", swiftSettings: settings),
    // A client that does as it is told: another program, another user, a container, a child.
    .executableTarget(
      name: "peer-program", path: "Tests/PeerProgram", cSettings: [.define("_GNU_SOURCE")] + cSettings),
    .testTarget(
      name: "AppLifecycleTests",
      dependencies: [
        "AppLifecycle", "CoreLocation", "CoreLocationTesting", "LocationEngine", "LocationModel", "LocationRuntime",
        "LinuxIO", "lifecycle-app", "lifecycle-main",
      ],
      swiftSettings: settings),
    // Apps that tell what they hear of their life.
    .executableTarget(
      name: "lifecycle-app", dependencies: ["AppLifecycle"], path: "Tests/LifecyclePrograms/ByName",
      swiftSettings: settings),
    .executableTarget(
      name: "lifecycle-main", dependencies: ["AppLifecycle"], path: "Tests/LifecyclePrograms/ByAttribute",
      swiftSettings: settings),
    // An app that the supervisor starts, stops and ends.
    .executableTarget(
      name: "supervised-program", path: "Tests/SupervisedProgram", cSettings: [.define("_GNU_SOURCE")] + cSettings),
    .testTarget(
      name: "CoreLocationTests",
      dependencies: ["CoreLocation", "CoreLocationTesting", "LocationRuntime", "LocationEngine", "LocationModel"],
      exclude: ["Surface/surface.tsv", "Surface/surface-excluded.tsv"],
      swiftSettings: settings),
    .executableTarget(
      name: "delivery-sync-main", dependencies: ["CoreLocation"], path: "Tests/DeliveryPrograms/SyncMain",
      swiftSettings: settings),
    .executableTarget(
      name: "delivery-async-main", dependencies: ["CoreLocation"], path: "Tests/DeliveryPrograms/AsyncMain",
      swiftSettings: settings),
    .testTarget(
      name: "DeliveryTests", dependencies: ["delivery-sync-main", "delivery-async-main"],
      swiftSettings: settings),
    .testTarget(
      name: "CoreLocationTestingTests",
      dependencies: [
        "AppLifecycle", "CoreLocationTesting", "CoreLocation", "LocationModel", "LocationEngine", "LocationRuntime",
        "LinuxIO",
      ],
      swiftSettings: settings),
    // The guide's examples, built from the same files as in their own package.
    .target(
      name: "YourApp", dependencies: ["CoreLocation"], path: "Examples/TestingYourApp/Sources/YourApp",
      swiftSettings: settings),
    .testTarget(
      name: "YourAppTests", dependencies: ["YourApp", "CoreLocation", "CoreLocationTesting"],
      path: "Examples/TestingYourApp/Tests/YourAppTests", swiftSettings: settings),
    // The command line as scripts meet it: a process with arguments, output and an exit status.
    .testTarget(
      name: "CommandLineTests", dependencies: ["corelocation", "LocationModel"], swiftSettings: settings),
    // Receivers as machines have them: the real gpsd, pseudo-terminals, sockets.
    .testTarget(
      name: "LiveReceiverTests",
      dependencies: [
        "corelocation", "LocationEngine", "LocationProviders", "LocationRuntime", "LocationModel", "LinuxIO",
      ],
      swiftSettings: settings),
    // The service that apps share: its socket, its clients, its agents, and hostile ones of each.
    .testTarget(
      name: "DaemonTests",
      dependencies: [
        "LinuxIO", "LocationEngine", "LocationModel", "LocationProviders", "LocationRuntime", "LocationService",
        "corelocation", "corelocationd", "delivery-sync-main", "peer-program", "region-app", "service-client",
      ],
      swiftSettings: settings),
    // The programs of the service together: daemon, agent on a terminal, commands and an app of Apple's names.
    .testTarget(
      name: "ServiceProgramTests",
      dependencies: [
        "BackgroundTracker", "GuideListings", "corelocation", "corelocationd", "first-location", "service-app",
      ],
      swiftSettings: settings),
    // The example, built from the same files as in its own package.
    .executableTarget(
      name: "first-location", dependencies: ["CoreLocation"], path: "Examples/FirstLocation/Sources/FirstLocation",
      swiftSettings: settings),
    // The tracker that lasts in the background, its day on a simulated device, and the listings of the guide.
    .target(
      name: "BackgroundTracking", dependencies: ["AppLifecycle", "CoreLocation"],
      path: "Examples/BackgroundTracker/Sources/BackgroundTracking", swiftSettings: settings),
    .executableTarget(
      name: "BackgroundTracker", dependencies: ["AppLifecycle", "BackgroundTracking", "CoreLocation"],
      path: "Examples/BackgroundTracker/Sources/BackgroundTracker", swiftSettings: settings),
    .target(
      name: "TrackerDay", dependencies: ["AppLifecycle", "BackgroundTracking", "CoreLocation", "CoreLocationTesting"],
      path: "Examples/BackgroundTracker/Sources/TrackerDay", swiftSettings: settings),
    .executableTarget(
      name: "tracker-day", dependencies: ["TrackerDay"], path: "Examples/BackgroundTracker/Sources/tracker-day",
      swiftSettings: settings),
    .testTarget(
      name: "BackgroundTrackingTests",
      dependencies: [
        "AppLifecycle", "BackgroundTracker", "BackgroundTracking", "CoreLocation", "CoreLocationTesting", "TrackerDay",
        "tracker-day",
      ],
      path: "Examples/BackgroundTracker/Tests/BackgroundTrackingTests", swiftSettings: settings),
    .executableTarget(
      name: "GuideListings", dependencies: ["CoreLocation"], path: "Examples/GuideListings/Sources/GuideListings",
      swiftSettings: settings),
    .testTarget(
      name: "GuideListingsTests", dependencies: ["CoreLocation", "CoreLocationTesting", "GuideListings"],
      path: "Examples/GuideListings/Tests/GuideListingsTests", swiftSettings: settings),
    .executableTarget(
      name: "service-app", dependencies: ["AppLifecycle", "CoreLocation"], path: "Tests/ServicePrograms/App",
      swiftSettings: settings),
    // An installed app that a service starts, suspends and ends, and that is killed at every step.
    .executableTarget(
      name: "region-app", dependencies: ["AppLifecycle", "CoreLocation"], path: "Tests/ServicePrograms/RegionApp",
      swiftSettings: settings),
    .executableTarget(
      name: "service-client", dependencies: ["LinuxIO", "LocationEngine", "LocationRuntime"],
      path: "Tests/DaemonPrograms/Client", swiftSettings: settings),
    // The location services of a desktop, on a message bus of the test's own.
    .testTarget(
      name: "BusTests",
      dependencies: [
        "CSystemd", "LinuxIO", "LocationEngine", "LocationModel", "LocationProviders", "LocationRuntime",
        "corelocation",
      ],
      swiftSettings: settings),
    // The house rules of CONTRIBUTING.md, as far as a machine can watch over them.
    .testTarget(name: "TidyTests", swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)

// The benchmarks reach the same package-internal parts that the product's own targets do, so that they cannot be a
// package of their own; nobody who depends on this package builds them. See Benchmarks/README.md.
if ProcessInfo.processInfo.environment["CORELOCATION_BENCHMARKS"] == "1" {
  package.targets += [
    .systemLibrary(
      name: "CProj", path: "Benchmarks/CProj", pkgConfig: "proj", providers: [.apt(["libproj-dev"])]),
    .target(name: "BenchmarkSupport", path: "Benchmarks/BenchmarkSupport", swiftSettings: settings),
    .systemLibrary(name: "CEpoll", path: "Benchmarks/CEpoll"),
    // Receivers at pseudo-terminals and programs to listen to them.
    .target(name: "LiveSupport", path: "Benchmarks/LiveSupport", swiftSettings: settings),
    .executableTarget(
      name: "bench-fanout",
      dependencies: [
        "BenchmarkSupport", "CEpoll", "LiveSupport", "LinuxIO", "LocationEngine", "LocationModel", "LocationRuntime",
        "corelocationd", "bench-first-fix",
      ],
      path: "Benchmarks/bench-fanout", swiftSettings: settings),
    .executableTarget(
      name: "bench-first-fix", dependencies: ["CoreLocation"], path: "Benchmarks/bench-first-fix",
      swiftSettings: settings),
    .executableTarget(
      name: "bench-gpx", dependencies: ["BenchmarkSupport", "LocationFormats", "LocationModel", "LocationProviders"],
      path: "Benchmarks/bench-gpx", swiftSettings: settings),
    .executableTarget(
      name: "bench-nmea", dependencies: ["BenchmarkSupport", "LocationFormats", "LocationModel"],
      path: "Benchmarks/bench-nmea", swiftSettings: settings),
    .executableTarget(
      name: "bench-geodesic", dependencies: ["BenchmarkSupport", "CoreLocation", "LocationModel", "CProj"],
      path: "Benchmarks/bench-geodesic", swiftSettings: settings),
    .executableTarget(
      name: "bench-engine", dependencies: ["BenchmarkSupport", "LocationEngine", "LocationModel"],
      path: "Benchmarks/bench-engine", swiftSettings: settings),
    .target(
      name: "DrawnDays", dependencies: ["CoreLocation", "CoreLocationTesting", "LocationModel"],
      path: "Benchmarks/DrawnDays", swiftSettings: settings),
    .executableTarget(
      name: "bench-simulate", dependencies: ["BenchmarkSupport", "CoreLocation", "CoreLocationTesting", "DrawnDays"],
      path: "Benchmarks/bench-simulate", swiftSettings: settings),
    .executableTarget(
      name: "bench-energy",
      dependencies: [
        "BenchmarkSupport", "DrawnDays", "CoreLocation", "CoreLocationTesting", "LocationEngine", "LocationModel",
        "LocationRuntime",
      ],
      path: "Benchmarks/bench-energy", swiftSettings: settings),
    .executableTarget(
      name: "bench-heading", dependencies: ["BenchmarkSupport", "LocationEngine", "LocationModel"],
      path: "Benchmarks/bench-heading", swiftSettings: settings),
    .executableTarget(
      name: "bench-regions", dependencies: ["BenchmarkSupport", "LocationEngine", "LocationModel"],
      path: "Benchmarks/bench-regions", swiftSettings: settings),
    .executableTarget(
      name: "bench-fusion", dependencies: ["BenchmarkSupport", "LocationEngine", "LocationFormats", "LocationModel"],
      path: "Benchmarks/bench-fusion", swiftSettings: settings),
    .executableTarget(
      name: "bench-day", dependencies: ["BenchmarkSupport", "CoreLocation"], path: "Benchmarks/bench-day",
      swiftSettings: settings),
    .target(name: "CBoostTree", path: "Benchmarks/CBoostTree", cxxSettings: cxxSettings),
    .executableTarget(
      name: "bench-geofence", dependencies: ["BenchmarkSupport", "CBoostTree", "LocationModel"],
      path: "Benchmarks/bench-geofence", exclude: ["shapely-peer.py"], swiftSettings: settings),
    .executableTarget(
      name: "bench-live", dependencies: ["BenchmarkSupport", "LiveSupport", "CoreLocation"],
      path: "Benchmarks/bench-live", swiftSettings: settings),
    .executableTarget(
      name: "bench-live-peer", path: "Benchmarks/bench-live-peer",
      cSettings: [.define("_GNU_SOURCE")] + cSettings),
  ]
}

// The fuzzer's program, and its marks in what it attacks; see Fuzz/run.
if ProcessInfo.processInfo.environment["CORELOCATION_FUZZ"] == "1" {
  let marks: [SwiftSetting] = [.unsafeFlags(["-sanitize=fuzzer,address"])]
  for target in package.targets where ["LocationFormats", "LocationModel"].contains(target.name) {
    target.swiftSettings = marks
  }
  package.targets.append(
    .executableTarget(
      name: "fuzz-formats", dependencies: ["LocationFormats", "LocationModel"], path: "Fuzz/fuzz-formats",
      swiftSettings: marks,
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]))
}
