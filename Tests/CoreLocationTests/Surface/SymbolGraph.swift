import Foundation

/// The public names of the built module CoreLocation, as the toolchain's own extractor reads them.
struct SymbolGraph: Decodable {
  struct Symbol: Decodable {
    struct Kind: Decodable { let identifier: String }
    struct Identifier: Decodable { let precise: String }
    struct Fragment: Decodable { let spelling: String }
    struct Availability: Decodable {
      let isUnconditionallyDeprecated: Bool?
      let isUnconditionallyUnavailable: Bool?
    }

    let kind: Kind
    let identifier: Identifier
    let pathComponents: [String]
    let accessLevel: String
    let declarationFragments: [Fragment]?
    let availability: [Availability]?
  }

  struct Relationship: Decodable {
    let kind: String
    let source: String
    let target: String
    let targetFallback: String?
  }

  let symbols: [Symbol]
  let relationships: [Relationship]
}

extension SymbolGraph {
  /// Runs `swift-symbolgraph-extract` on the module that this test was built with.
  static func extract() throws -> SymbolGraph {
    let output = FileManager.default.temporaryDirectory
      .appendingPathComponent("corelocation-surface-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: output) }
    let build = try buildFolder()
    try run(
      try extractor(),
      arguments: [
        "-module-name", "CoreLocation", "-I", build.appendingPathComponent("Modules").path,
        "-target", targetTriple, "-minimum-access-level", "public", "-output-dir", output.path,
      ] + moduleMaps(in: build).flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] })
    let file = output.appendingPathComponent("CoreLocation.symbols.json")
    return try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: file))
  }

  private static var targetTriple: String {
    #if arch(arm64)
      "aarch64-unknown-linux-gnu"
    #else
      "x86_64-unknown-linux-gnu"
    #endif
  }

  /// The folder of the running test program, which holds the modules that it was built from.
  private static func buildFolder() throws -> URL {
    let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let folder = URL(fileURLWithPath: program).deletingLastPathComponent()
    let module = folder.appendingPathComponent("Modules/CoreLocation.swiftmodule").path
    guard FileManager.default.fileExists(atPath: module) else {
      throw SurfaceFailure("no module CoreLocation beside the test program: \(module)")
    }
    return folder
  }

  /// The C modules that CoreLocation stands on, written by hand or by the build.
  private static func moduleMaps(in build: URL) -> [URL] {
    let sources = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Sources")
    let candidates =
      folders(in: build).map { $0.appendingPathComponent("module.modulemap") }
      + folders(in: sources).flatMap {
        [
          $0.appendingPathComponent("module.modulemap"),
          $0.appendingPathComponent("include/module.modulemap"),
        ]
      }
    return candidates.filter { FileManager.default.fileExists(atPath: $0.path) }
  }

  private static func folders(in folder: URL) -> [URL] {
    let contents = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    return (contents ?? []).sorted { $0.path < $1.path }
  }

  /// The extractor of the running toolchain: on the path, else beside the standard library in use.
  private static func extractor() throws -> String {
    let name = "swift-symbolgraph-extract"
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    var candidates = path.split(separator: ":").map { "\($0)/\(name)" }
    // A file of the kernel has no length, so that it has to be read to its end.
    let mapped = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/self/maps")).readToEnd() ?? Data()
    let maps = String(decoding: mapped, as: UTF8.self)
    if let line = maps.split(separator: "\n").first(where: { $0.contains("/lib/swift/linux/libswiftCore.so") }),
      let start = line.firstIndex(of: "/"), let end = line.range(of: "/lib/swift/linux/")
    {
      candidates.append("\(line[start..<end.lowerBound])/bin/\(name)")
    }
    guard let found = candidates.first(where: FileManager.default.isExecutableFile(atPath:)) else {
      throw SurfaceFailure("\(name) not found: it is part of the Swift toolchain and must be on PATH")
    }
    return found
  }

  private static func run(_ program: String, arguments: [String]) throws {
    let process = Process()
    let errors = Pipe()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardError = errors
    try process.run()
    let text = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw SurfaceFailure("\(program) failed: \(String(decoding: text, as: UTF8.self))")
    }
  }
}
