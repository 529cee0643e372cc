import LocationEngine
import LocationModel
import LocationRuntime
import Testing

@Suite("Profiles of devices, from files")
struct DeviceProfileTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func problem(_ text: String) throws -> String? {
    let path = try folder.write(text, to: "profile.json")
    do throws(DeviceProfiles.Problem) {
      _ = try DeviceProfiles.read(path: path)
      return nil
    } catch {
      return error.description.replacing(path, with: "FILE")
    }
  }

  @Test("Those that come with the product are there, the plain receiver first")
  func builtIn() throws {
    #expect(DeviceProfiles.names == ["receiver", "legacy2010", "phone", "tracker"])
    let phone = try #require(DeviceProfiles.named("phone"))
    #expect(phone.technologies == [.satellite, .wireless, .cell] && phone.hasMotionSensor)
    #expect(phone.energy == EnergyModel() && phone.hasBeaconReceiver)
    let tracker = try #require(DeviceProfiles.named("tracker"))
    #expect(DeviceProfile.receiver.hasBeaconReceiver && !tracker.hasBeaconReceiver)
    let legacy = try #require(DeviceProfiles.named("legacy2010"))
    #expect(legacy.energy.satelliteTrackWatts == 0.37 && legacy.energy.motionWatts == 0.02)
  }

  @Test("Joules of days are kilojoules for whoever tells them")
  func energyText() {
    #expect(
      [0.04, 24.84, 9_999.94, 10_000, 106_672_900].map { EnergyText.of($0) }
        == ["0.0 J", "24.8 J", "9999.9 J", "10.0 kJ", "106.7 MJ"])
  }

  @Test("A file's profile takes what it names, and the model's figures for the rest")
  func file() throws {
    #expect(try problem(#"{"boat": {"receivers": ["satellite", "motion"], "satelliteTrackWatts": 0.4}}"#) == nil)
    let boat = try DeviceProfiles.read(path: folder.path + "/profile.json")
    #expect(boat.name == "boat" && boat.technologies == .satellite && boat.hasMotionSensor)
    #expect(boat.energy.satelliteTrackWatts == 0.4 && boat.energy.satelliteAcquireWatts == 0.19)
  }

  @Test(
    "A mistake is named with file, profile and field",
    arguments: [
      ("nonsense", "FILE: expected a JSON object of profiles"),
      (#"{"a": {"receivers": ["satellite"]}, "b": {"receivers": ["cell"]}}"#, "FILE: expected one profile, found 2."),
      (#"{"a": {}}"#, #"FILE: "a": expected "receivers", a list"#),
      (#"{"a": {"receivers": "satellite"}}"#, #"FILE: "a": expected "receivers", a list"#),
      (
        #"{"a": {"receivers": ["sonar"]}}"#,
        #"FILE: "a": expected satellite, wireless, cell, beacon or motion, found "sonar"."#
      ),
      (#"{"a": {"receivers": ["motion"]}}"#, #"FILE: "a": expected a receiver that finds places."#),
      (#"{"a": {"receivers": ["cell", "cell"]}}"#, #"FILE: "a": expected each receiver once in "receivers"."#),
      (
        #"{"a": {"receivers": ["satellite"], "satelliteIndoorMissProbability": 7}}"#,
        #"FILE: "a": "satelliteIndoorMissProbability": expected a probability, 0 to 1."#
      ),
      (
        #"{"a": {"receivers": ["wireless"], "wirelessAccuracyMeters": 100, "wirelessAccuracy95Meters": 10}}"#,
        #"FILE: "a": "wirelessAccuracy95Meters": expected no less than "wirelessAccuracyMeters""#
      ),
      (
        #"{"a": {"receivers": ["cell"], "cellReadSeconds": 0}}"#,
        #"FILE: "a": "cellReadSeconds": expected more than 0 s"#
      ),
      (#"{"a": {"receivers": ["cell"], "x": 1}}"#, #"FILE: "a": there is no field "x""#),
      (
        #"{"a": {"receivers": ["cell"], "cellReadJoules": -1}}"#,
        #"FILE: "a": "cellReadJoules": expected a number, 0 or more."#
      ),
      (
        #"{"a": {"receivers": ["cell"], "cellReadJoules": "much"}}"#,
        #"FILE: "a": "cellReadJoules": expected a number, 0 or more."#
      ),
    ])
  func mistakes(text: String, expected: String) throws {
    let said = try problem(text)
    #expect(said?.hasPrefix(expected) == true, "\(said ?? "nothing")")
  }
}
