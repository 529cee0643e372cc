import Foundation
import LocationRuntime
import Testing

@Suite("Which service an app of the machine waits for")
struct ServiceSocketTests {
  private let folder: TemporaryFolder
  private var environment = ProcessEnvironment(executablePath: "/usr/bin/walk")
  private var places = ServiceSocket.Places()

  init() throws {
    folder = try TemporaryFolder()
    for name in ["run/corelocation", "system", "units", "user"] {
      try FileManager.default.createDirectory(atPath: folder.path + "/" + name, withIntermediateDirectories: true)
    }
    environment.runtimeFolder = folder.path + "/run"
    places.systemSocket = folder.path + "/system/socket"
    places.systemUnitFolders = [folder.path + "/units"]
    places.userUnitFolders = [folder.path + "/user"]
  }

  private var own: String { folder.path + "/run/corelocation/socket" }
  private func make(_ path: String) { _ = FileManager.default.createFile(atPath: path, contents: nil) }
  private var found: String? { ServiceSocket.path(environment, places: places) }

  @Test("Nothing there is no service; what is installed is waited for, a person's own before the system's")
  func installed() {
    #expect(found == nil)
    make(folder.path + "/units/corelocationd.socket")
    #expect(found == places.systemSocket)
    make(folder.path + "/user/corelocationd.socket")
    #expect(found == own)
  }

  @Test("A socket that is there goes before a unit that is installed only, and the person's own before the system's")
  func listening() {
    make(folder.path + "/units/corelocationd.socket")
    make(folder.path + "/user/corelocationd.socket")
    make(places.systemSocket)
    #expect(found == places.systemSocket)
    make(own)
    #expect(found == own)
  }
}
