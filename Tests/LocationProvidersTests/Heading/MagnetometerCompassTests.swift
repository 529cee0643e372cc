import LinuxIO
import LocationModel
import Testing

@testable import LocationProviders

@Suite("The kernel's magnetometer")
struct MagnetometerCompassTests {
  /// A compass on a folder, and what it says, one word after another.
  private final class Listener {
    let clock = HandClock()
    let compass: MagnetometerCompass
    private var events: AsyncStream<ProviderEvent>.Iterator

    init(_ folder: SensorFolder) {
      var settings = MagnetometerCompass.Settings()
      settings.folder = folder.path
      compass = MagnetometerCompass(clock: clock, settings: settings)
      let (stream, continuation) = AsyncStream.makeStream(of: ProviderEvent.self)
      events = stream.makeAsyncIterator()
      compass.connect { continuation.yield($0) }
    }

    func isAvailable() async -> Bool? {
      while let event = await events.next() {
        if case .headingAvailable(let isAvailable) = event { return isAvailable }
      }
      return nil
    }

    func field() async -> (field: DeviceVector, acceleration: DeviceVector?)? {
      while let event = await events.next() {
        if case .heading(let sample) = event, case .field(let field, let acceleration) = sample.measurement {
          return (field, acceleration)
        }
      }
      return nil
    }
  }

  private func expect(
    _ vector: DeviceVector?, _ x: Double, _ y: Double, _ z: Double, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    guard let vector else {
      Issue.record("no vector", sourceLocation: sourceLocation)
      return
    }
    let difference = DeviceVector(x: vector.x - x, y: vector.y - y, z: vector.z - z)
    #expect(difference.length < 1e-9, "\(vector)", sourceLocation: sourceLocation)
  }

  @Test("Gauss become microtesla; the accelerometer of another device is read with it", .timeLimit(.minutes(1)))
  func reads() async throws {
    let folder = try SensorFolder()
    try folder.magnetometer(200, -100, -400)
    try folder.accelerometer(0, 0, 981)
    let listener = Listener(folder)
    #expect(await listener.isAvailable() == true)
    #expect(listener.clock.nextSeconds == nil)
    listener.compass.setWanted(true)
    let first = await listener.field()
    expect(first?.field, 20, -10, -40)
    expect(first?.acceleration, 0, 0, 9.81)
    try folder.magnetometer(300, 0, -400)
    listener.clock.ring()
    expect(await listener.field()?.field, 30, 0, -40)
  }

  @Test("Each axis may have its own scale and offset, and the offset comes first", .timeLimit(.minutes(1)))
  func scales() async throws {
    let folder = try SensorFolder()
    try folder.magnetometer(
      100, 100, 100,
      more: [
        "in_magn_x_scale": "0.001", "in_magn_y_scale": "0.002", "in_magn_z_scale": "0.004", "in_magn_offset": "50",
        "in_magn_z_offset": "-200",
      ])
    let listener = Listener(folder)
    listener.compass.setWanted(true)
    #expect(await listener.isAvailable() == true)
    let measured = await listener.field()
    expect(measured?.field, 15, 30, -40)
    #expect(measured != nil && measured?.acceleration == nil)
  }

  @Test(
    "The mounting matrix turns the sensor's axes into the device's", .timeLimit(.minutes(1)),
    arguments: ["in_magn_mount_matrix", "in_mount_matrix", "mount_matrix"])
  func mounting(file: String) async throws {
    let folder = try SensorFolder()
    try folder.magnetometer(
      100, 200, 300, more: ["in_magn_scale": "0.001", file: "0, -1, 0; 1, 0, 0; 0, 0, 1"])
    let listener = Listener(folder)
    listener.compass.setWanted(true)
    #expect(await listener.isAvailable() == true)
    expect(await listener.field()?.field, -20, 10, 30)
  }

  @Test(
    "A matrix that is none turns nothing",
    arguments: [
      "", "1,0,0", "1,0;0,1", "a,b,c;d,e,f;g,h,i", "0,0,0;0,0,0;0,0,0", "1,0,0;0,1,0;0,0,nan",
      "1,0,0;1,0,0;0,0,1", "1,0,0;0,1,0;0,0.7,0.7", "1,0,0;0,1,0;1,0,0",
    ])
  func strangeMatrix(text: String) {
    #expect(IndustrialSensor.matrix(text) == nil)
  }

  @Test("No magnetometer: no compass. One that comes is found, one that goes is said", .timeLimit(.minutes(1)))
  func comesAndGoes() async throws {
    let folder = try SensorFolder()
    try folder.accelerometer(0, 0, 981)
    let listener = Listener(folder)
    #expect(await listener.isAvailable() == false)
    listener.compass.setWanted(true)
    listener.compass.setWanted(false)
    listener.compass.settle()
    try folder.magnetometer(200, 0, -400)
    listener.compass.setWanted(true)
    #expect(await listener.isAvailable() == true)
    expect(await listener.field()?.field, 20, 0, -40)
    try folder.remove("iio:device1")
    listener.clock.ring()
    #expect(await listener.isAvailable() == false)
  }

  @Test(
    "What is no number is no heading, and is tried again", .timeLimit(.minutes(1)),
    arguments: ["", "broken", "nan", "inf", "1e999"])
  func strangeNumbers(text: String) async throws {
    let folder = try SensorFolder()
    try folder.magnetometer(200, 0, -400, more: ["in_magn_scale": "0.001", "in_magn_y_raw": text])
    let listener = Listener(folder)
    #expect(await listener.isAvailable() == true)
    listener.compass.setWanted(true)
    listener.compass.setWanted(false)
    // A file that is being written is not read.
    listener.compass.settle()
    try folder.magnetometer(250, 0, -400)
    listener.compass.setWanted(true)
    expect(await listener.field()?.field, 25, 0, -40)
  }

  @Test(
    "A scale or an offset that is no number is not taken for one", .timeLimit(.minutes(1)),
    arguments: ["in_magn_scale", "in_magn_y_scale", "in_magn_offset", "in_magn_x_offset"])
  func strangeScale(file: String) async throws {
    let folder = try SensorFolder()
    let scales = ["in_magn_scale": "0.001"]
    try folder.magnetometer(200, 0, -400, more: scales.merging([file: "broken"]) { $1 })
    let listener = Listener(folder)
    #expect(await listener.isAvailable() == true)
    listener.compass.setWanted(true)
    listener.compass.settle()
    try folder.magnetometer(250, 0, -400, more: scales.merging([file: file.hasSuffix("scale") ? "0.001" : "0"]) { $1 })
    listener.clock.ring()
    // The first that is told is the one that could be read.
    expect(await listener.field()?.field, 25, 0, -40)
  }

  @Test("A magnetometer without a scale is none: nobody knows what its numbers are", .timeLimit(.minutes(1)))
  func noScale() async throws {
    let folder = try SensorFolder()
    try folder.magnetometer(200, 0, -400, more: ["in_magn_x_scale": "0.001", "in_magn_y_scale": "0.001"])
    let listener = Listener(folder)
    #expect(await listener.isAvailable() == false)
  }
}
