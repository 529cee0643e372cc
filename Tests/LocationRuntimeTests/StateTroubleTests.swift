import Foundation
import LinuxIO
import LocationEngine
import LocationModel
import LocationRuntime
import Testing

@Suite("A state file with which something is wrong")
struct StateTroubleTests {
  private let app = AppIdentifier("org.example.walk")
  private let file = "corelocation/apps/org.example.walk.json"
  private let fix = Fix(
    coordinate: Coordinate(latitude: 47, longitude: 8), horizontalAccuracyMeters: 5,
    time: WallTime(secondsSince1970: 1_600_000_000))

  /// Loads, then stores a grant and a fix, as a run does; gives what was said.
  private func run(_ folder: TemporaryFolder, owner: UInt32 = geteuid()) -> (loaded: StoredAppState, lines: [String]) {
    let lines = Lines()
    let store = folder.store(owner: owner) { lines.add($0) }
    let loaded = store.load(app)
    store.store(Grant(level: .whenInUse), for: app)
    store.store(fix, for: app)
    return (loaded, lines.all)
  }

  private func text(_ folder: TemporaryFolder) throws -> String {
    try String(contentsOfFile: folder.path + "/" + file, encoding: .utf8)
  }

  private func names(_ folder: TemporaryFolder) throws -> Set<String> {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/corelocation/apps")
    return Set(names).subtracting(["org.example.walk.json.lock"])
  }

  @Test(
    "of a newer version is left as it is, and one line says so",
    arguments: ["{\"version\":999}", "{\"version\":2}"])
  func newerVersion(text: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(text, to: file)
    let (loaded, lines) = run(folder)
    #expect(loaded == StoredAppState())
    #expect(lines.count == 1)
    #expect(lines.first?.contains("newer version") == true)
    #expect(try self.text(folder) == text)
    #expect(try names(folder) == ["org.example.walk.json"])
  }

  @Test("of another user does not count and stays, and one line says what to do")
  func otherOwner() throws {
    let folder = try TemporaryFolder()
    folder.store().store(Grant(level: .always), for: app)
    let before = try text(folder)
    let (loaded, lines) = run(folder, owner: geteuid() + 1)
    #expect(loaded == StoredAppState())
    #expect(lines.count == 1)
    #expect(lines.first?.contains("another user") == true)
    #expect(lines.first?.contains("remove it") == true)
    #expect(try text(folder) == before)
  }

  @Test("that others may write does not count", arguments: [0o620, 0o602])
  func writableByOthers(mode: Int) throws {
    let folder = try TemporaryFolder()
    folder.store().store(Grant(level: .always), for: app)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.path + "/" + file)
    let (loaded, lines) = run(folder)
    #expect(loaded == StoredAppState())
    #expect(lines.count == 1)
    #expect(lines.first?.contains("chmod 600") == true)
  }

  @Test("that is a folder, a pipe without a writer or a device without an end is left alone at once")
  func notRegular() throws {
    for kind in ["folder", "pipe", "device"] {
      let folder = try TemporaryFolder()
      try folder.write("", to: "corelocation/apps/other")
      let path = folder.path + "/" + file
      switch kind {
      case "folder": try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      case "pipe": #expect(mkfifo(path, 0o600) == 0)
      default: #expect(symlink("/dev/zero", path) == 0)
      }
      let (loaded, lines) = run(folder)
      #expect(loaded == StoredAppState())
      #expect(lines.count == 1, "\(kind): \(lines)")
      #expect(lines.first?.contains("not a regular file") == true)
      #expect(try names(folder) == ["org.example.walk.json", "other"])
    }
  }

  @Test("that cannot be opened is left alone, and the line gives the reason")
  func unreadable() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "corelocation/apps/other")
    // A link to itself, since permissions stop nobody who runs the tests as root.
    #expect(symlink("org.example.walk.json", folder.path + "/" + file) == 0)
    let (loaded, lines) = run(folder)
    #expect(loaded == StoredAppState())
    #expect(lines.count == 1)
    #expect(lines.first?.contains("Too many levels of symbolic links") == true)
    #expect(try names(folder) == ["org.example.walk.json", "other"])
  }

  @Test("that is too large or nests too deep is set aside as damaged", arguments: [2_000_000, 100_000])
  func hugeOrDeep(count: Int) throws {
    let folder = try TemporaryFolder()
    try folder.write("{\"version\":" + String(repeating: "[", count: count), to: file)
    let (loaded, lines) = run(folder)
    #expect(loaded == StoredAppState())
    #expect(lines.count == 1)
    #expect(lines.first?.contains("set aside") == true)
    #expect(try names(folder) == ["org.example.walk.json", "org.example.walk.json.damaged"])
    #expect(folder.store().load(app) == StoredAppState(grant: Grant(level: .whenInUse), lastFix: fix))
  }

  @Test("that became damaged during a run is set aside, not overwritten")
  func damagedLater() throws {
    let folder = try TemporaryFolder()
    let store = folder.store()
    store.store(Grant(level: .always), for: app)
    try folder.write("junk", to: file)
    store.store(fix, for: app)
    let aside = try String(contentsOfFile: folder.path + "/" + file + ".damaged", encoding: .utf8)
    #expect(aside == "junk")
    #expect(folder.store().load(app).lastFix == fix)
  }

  @Test("whose lock another process holds without end is not waited for without end")
  func lockHeld() throws {
    let folder = try TemporaryFolder()
    folder.store().store(Grant(level: .denied), for: app)
    let lines = Lines()
    let store = folder.store(lockWaitSeconds: 0) { lines.add($0) }
    try PrivateFile.withLock(folder.path + "/" + file + ".lock", waitSeconds: 0) {
      store.store(Grant(level: .always), for: app)
    }
    #expect(lines.all.count == 1)
    #expect(store.load(app).grant.level == .denied)
  }

  @Test("that cannot be written loses a permission or a location: each is said as it is, once a run")
  func notStored() throws {
    let folder = try TemporaryFolder()
    // A file stands where the folder should be.
    try folder.write("", to: "corelocation")
    let lines = Lines()
    let store = folder.store { lines.add($0) }
    store.store(fix, for: app)
    store.store(fix, for: app)
    #expect(lines.all.count == 1)
    #expect(lines.all.first?.contains("location") == true)
    #expect(lines.all.first?.contains("asked for again") == false)
    store.store(Grant(level: .denied), for: app)
    store.store(Grant(level: .denied), for: app)
    store.store(fix, for: app)
    #expect(lines.all.count == 2)
    #expect(lines.all.last?.contains("asked for again") == true)
    #expect(lines.all.last?.contains("Not a directory") == true)
  }

  @Test("that cannot be put in its place leaves no temporary file behind")
  func nothingLeftOver() throws {
    let folder = try TemporaryFolder()
    try folder.write("x", to: "target/inside")
    #expect(throws: PrivateFile.Failure.self) { try PrivateFile.replace(folder.path + "/target", with: [1]) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["target"])
  }

  @Test("is made without mixing where many replace it at once")
  func replacedAtOnce() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/file"
    DispatchQueue.concurrentPerform(iterations: 8) { index in
      let bytes = [UInt8](repeating: UInt8(index), count: 10_000)
      for _ in 0..<5 { #expect(throws: Never.self) { try PrivateFile.replace(path, with: bytes) } }
    }
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(bytes.count == 10_000)
    #expect(Set(bytes).count == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
  }

  @Test("without a place says that nothing is kept, once, and only when something would be")
  func homeless() {
    let lines = Lines()
    let store = HomelessStore { lines.add($0) }
    #expect(store.load(app) == StoredAppState())
    #expect(lines.all == [])
    store.store(Grant(level: .denied), for: app)
    store.store(fix, for: app)
    #expect(lines.all.count == 1)
    #expect(lines.all.first?.contains("XDG_STATE_HOME") == true)
  }

  @Test(
    "has its place by the XDG Base Directory Specification, which has relative paths ignored",
    arguments: [
      ("/state", "/home/a", "/state"), ("state", "/home/a", "/home/a/.local/state"), ("./state", nil, nil),
      (nil, "/home/a", "/home/a/.local/state"), (nil, nil, nil), (nil, "home", nil),
    ] as [(String?, String?, String?)])
  func place(stateHome: String?, home: String?, folder: String?) {
    #expect(ProcessEnvironment.stateFolder(stateHome: stateHome, home: home) == folder)
  }
}
