import Foundation

/// One run of a delivery program on a drawn recording of 40 points at 50 times the pace.
enum DeliveryProgram {
  struct Outcome {
    var lines: [String]
    var errorLines: [String]
    var status: Int32
  }

  private static let points = 40

  /// How a run differs from the usual one: a recording, permission given, standard input open.
  struct Setting {
    /// Permission is given by the variable; otherwise somebody has to be asked.
    var isAuthorized = true
    var releasesAtEndOfRecording = false
    /// What is typed on the terminal that the program is given; nil gives it none.
    var typed: String?
    /// Where the program keeps its state; nil is a folder of the run's own.
    var stateFolder: String?
  }

  static func run(_ program: String, _ scenario: String, _ setting: Setting = Setting()) throws -> Outcome {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("delivery-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = try builtProducts().appendingPathComponent(program).path
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    // `script` gives the program a terminal of its own; `setsid` takes away any that the tests have.
    process.arguments =
      setting.typed == nil
      ? ["setsid", "--wait", path, scenario] : ["script", "-qefc", "\(path) \(scenario)", "/dev/null"]
    process.environment = try environment(folder, setting)
    return try finish(process, setting)
  }

  private static func environment(_ folder: URL, _ setting: Setting) throws -> [String: String] {
    let track = folder.appendingPathComponent("track.gpx")
    try Data(gpx.utf8).write(to: track)
    let plist = folder.appendingPathComponent("Info.plist")
    try Data(infoPlist.utf8).write(to: plist)
    let own = ProcessInfo.processInfo.environment
    var environment = [
      "CORELOCATION_SOURCE": "gpx:\(track.path)?speed=50",
      "CORELOCATION_INFO_PLIST": plist.path,
      "XDG_STATE_HOME": setting.stateFolder ?? folder.path,
      "PATH": own["PATH"] ?? "",
      "LD_LIBRARY_PATH": own["LD_LIBRARY_PATH"] ?? "",
    ]
    if setting.isAuthorized { environment["CORELOCATION_AUTHORIZATION"] = "whenInUse" }
    return environment
  }

  private static func finish(_ process: Process, _ setting: Setting) throws -> Outcome {
    let output = Pipe()
    let errors = Pipe()
    let input = Pipe()
    process.standardOutput = output
    process.standardError = errors
    process.standardInput = input
    try process.run()
    // A program that hangs fails its test instead of stopping all of them.
    let watchdog = DispatchWorkItem { kill(process.processIdentifier, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + 30, execute: watchdog)
    let writer = input.fileHandleForWriting
    let errorReader = collect(errors) { line in
      if setting.releasesAtEndOfRecording, line.contains("played to its end") {
        try? writer.write(contentsOf: Data("\n".utf8))
      }
      if !setting.isAuthorized, line.contains("no terminal") { try? writer.close() }
    }
    let outputReader = collect(output) { line in
      // Typed once the question is there: a terminal that is being set up forgets what was typed before.
      if let typed = setting.typed, line.contains("approximate location") {
        try? writer.write(contentsOf: Data(typed.utf8))
      }
      if setting.typed != nil, line.contains("status"), !line.contains("status 0") { try? writer.close() }
    }
    process.waitUntilExit()
    watchdog.cancel()
    return Outcome(
      lines: outputReader.wait(), errorLines: errorReader.wait(), status: process.terminationStatus)
  }

  /// Reads lines on a thread of its own, telling each as it comes.
  private static func collect(_ pipe: Pipe, _ told: @escaping @Sendable (String) -> Void) -> LineReader {
    let reader = LineReader(pipe.fileHandleForReading, told)
    reader.start()
    return reader
  }

  private static let infoPlist =
    "<plist version=\"1.0\"><dict><key>CFBundleIdentifier</key><string>org.example.delivery</string>"
    + "<key>NSLocationWhenInUseUsageDescription</key><string>Shows where you are.</string></dict></plist>\n"

  private static var gpx: String {
    let points = (0..<points).map { second in
      let time = String(format: "2026-06-01T08:00:%02dZ", second)
      return "<trkpt lat=\"\(47.5 + Double(second) / 10_000)\" lon=\"19.25\"><time>\(time)</time></trkpt>"
    }
    return "<gpx version=\"1.1\"><trk><trkseg>" + points.joined(separator: "\n") + "</trkseg></trk></gpx>\n"
  }

  /// The folder of the built programs: that of the test bundle.
  private static func builtProducts() throws -> URL {
    let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    if FileManager.default.fileExists(atPath: folder.appendingPathComponent("delivery-sync-main").path) {
      return folder
    }
    // Swift Testing runs in a helper of the toolchain; the bundle is its argument.
    for argument in CommandLine.arguments where argument.hasSuffix(".xctest") {
      return URL(fileURLWithPath: argument).deletingLastPathComponent()
    }
    throw CocoaError(.fileNoSuchFile)
  }
}

private final class LineReader: @unchecked Sendable {
  private let handle: FileHandle
  private let told: @Sendable (String) -> Void
  private let finished = DispatchSemaphore(value: 0)
  private var lines: [String] = []

  init(_ handle: FileHandle, _ told: @escaping @Sendable (String) -> Void) {
    self.handle = handle
    self.told = told
  }

  func start() {
    Thread.detachNewThread { [self] in
      var rest = ""
      while true {
        // Whatever is there: `read(upToCount:)` would wait for that many bytes.
        let data = handle.availableData
        if data.isEmpty { break }
        rest += String(decoding: data, as: UTF8.self)
        while let end = rest.firstIndex(where: \.isNewline) {
          take(String(rest[..<end]))
          rest.removeSubrange(...end)
        }
      }
      take(rest)
      finished.signal()
    }
  }

  private func take(_ line: String) {
    guard !line.isEmpty else { return }
    lines.append(line)
    told(line)
  }

  func wait() -> [String] {
    finished.wait()
    return lines
  }
}
