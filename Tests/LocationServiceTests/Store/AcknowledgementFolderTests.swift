import LocationEngine
import LocationService
import Testing

@Suite("Where apps note the events that they are done with")
struct AcknowledgementFolderTests {
  private func path(_ name: String) -> String {
    AcknowledgementFolder(stateFolder: "/state").path(of: AppIdentifier(name, userNumber: 1_000))
  }

  @Test("Every app has a file of its own, also where two names begin with the same hundred bytes")
  func distinct() {
    let stem = String(repeating: "a", count: 100)
    let names = ["org.example.walk", stem, stem + "b", stem + "c", stem + stem, stem + stem + "d"]
    #expect(Set(names.map(path)).count == names.count)
  }

  @Test("No name of 255 bytes makes a part of a path that is longer than a file's name may be")
  func length() {
    let parts = path(String(repeating: "é", count: 127) + "x").split(separator: "/")
    #expect(parts.allSatisfy { $0.utf8.count <= 255 })
  }

  @Test("No name leads out of the folder")
  func inside() {
    #expect(path("../../etc/passwd").hasPrefix("/state/acknowledged/2e2e2f"))
  }
}
