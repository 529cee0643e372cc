import BenchmarkSupport
import LocationEngine
import LocationModel

// The magnetic model at 1,000,000 places, and 200,000 samples of a magnetometer through the engine to one manager
// without a filter: tilt compensation, the check for disturbances, the average and true north for each.

let isTiny = CommandLine.arguments.contains("--tiny")
let placeCount = isTiny ? 10_000 : 1_000_000
let sampleCount = isTiny ? 5_000 : 200_000
let rounds = isTiny ? 1 : 5

func measureModel(_ hash: inout ResultHash) -> Double {
  let before = Measurement.processSeconds()
  for number in 0..<placeCount {
    let place = Coordinate(latitude: Double(number % 179) - 89, longitude: Double(number % 359) - 179)
    let field = WorldMagneticModel.wmm2025.field(at: place, decimalYear: 2026)
    hash.add(field?.downNanoteslas ?? 0)
  }
  return Measurement.processSeconds() - before
}

func startedEngine(at place: Coordinate, _ time: WallTime) -> LocationEngine {
  var engine = LocationEngine()
  let client = ClientIdentifier(1)
  let manager = ManagerIdentifier(client: client, number: 1)
  let app = AppDescription(identifier: AppIdentifier("org.example.benchmark"))
  var configuration = ManagerConfiguration()
  configuration.headingFilterDegrees = nil
  let inputs: [Input] = [
    .clientConnected(client, app, grant: Grant(level: .whenInUse), lastFix: nil),
    .appStateChanged(app.identifier, .foreground), .managerCreated(manager),
    .requested(.configure(configuration), by: manager),
    .fixReceived(Fix(coordinate: place, horizontalAccuracyMeters: 5, time: time)),
    .requested(.startUpdatingHeading, by: manager),
  ]
  for input in inputs { _ = engine.handle(input, at: .zero) }
  return engine
}

func measureEngine(_ hash: inout ResultHash) -> (seconds: Double, delivered: Int) {
  let place = Coordinate(latitude: 37.3349, longitude: -122.009)
  let start = WallTime(secondsSince1970: 1_780_300_800)
  let field = WorldMagneticModel.wmm2025.field(at: place, time: start)
  let (horizontal, down) = ((field?.horizontalNanoteslas ?? 0) / 1_000, (field?.downNanoteslas ?? 0) / 1_000)
  let gravity = DeviceVector(x: 0, y: 0, z: 9.81)
  var engine = startedEngine(at: place, start)
  var effects: [Effect] = []
  var delivered = 0
  let before = Measurement.processSeconds()
  for number in 0..<sampleCount {
    let (sine, cosine) = sineAndCosineOfDegrees(Double(number % 360))
    let vector = DeviceVector(x: -horizontal * sine, y: horizontal * cosine, z: -down)
    let seconds = Double(number) * 0.1
    let sample = HeadingSample(
      .field(microteslas: vector, acceleration: gravity), time: start.advanced(bySeconds: seconds))
    engine.handle(.headingSampled(sample), at: Instant.zero.advanced(bySeconds: seconds), effects: &effects)
    for case .deliver(.headingUpdated(let heading), _) in effects {
      delivered += 1
      hash.add(heading.trueDegrees ?? -1)
    }
    effects.removeAll(keepingCapacity: true)
  }
  return (Measurement.processSeconds() - before, delivered)
}

var modelSeconds: [Double] = []
var engineSeconds: [Double] = []
var delivered = 0
var text = ""
for _ in 0..<rounds {
  var hash = ResultHash()
  modelSeconds.append(measureModel(&hash))
  let outcome = measureEngine(&hash)
  engineSeconds.append(outcome.seconds)
  delivered = outcome.delivered
  text = hash.text
}
func microseconds(_ seconds: [Double], _ count: Int) -> Double {
  (Measurement.median(seconds) / Double(count) * 1e9).rounded() / 1_000
}
print("magnetic model  \(microseconds(modelSeconds, placeCount)) us a place")
print("engine          \(microseconds(engineSeconds, sampleCount)) us a sample, \(delivered) headings delivered")
print("result hash     \(text)")
