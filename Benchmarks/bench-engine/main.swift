import BenchmarkSupport
import LocationEngine
import LocationModel

// The engine alone: 1,000,000 fixes to one manager without a filter, each one delivered; and the same with a distance
// filter of 10 m, which is a geodesic a fix.

let isTiny = CommandLine.arguments.contains("--tiny")
let count = isTiny ? 10_000 : 1_000_000
let rounds = isTiny ? 1 : 5

func startedEngine(distanceFilterMeters: Double?) -> LocationEngine {
  var engine = LocationEngine()
  let client = ClientIdentifier(1)
  let manager = ManagerIdentifier(client: client, number: 1)
  var app = AppDescription(identifier: AppIdentifier("org.example.benchmark"))
  app.whenInUseUsage = "Measures."
  var configuration = ManagerConfiguration()
  configuration.distanceFilterMeters = distanceFilterMeters
  let inputs: [Input] = [
    .clientConnected(client, app, grant: Grant(level: .whenInUse), lastFix: nil),
    .appStateChanged(app.identifier, .foreground), .managerCreated(manager),
    .requested(.configure(configuration), by: manager),
    .requested(.startUpdatingLocation, by: manager),
  ]
  for input in inputs { _ = engine.handle(input, at: .zero) }
  return engine
}

/// Processor seconds, and how many fixes were delivered.
func run(distanceFilterMeters: Double?, _ hash: inout ResultHash) -> (seconds: Double, delivered: Int) {
  var engine = startedEngine(distanceFilterMeters: distanceFilterMeters)
  var effects: [Effect] = []
  var delivered = 0
  let before = Measurement.processSeconds()
  for second in 1...count {
    // 5 m north a second.
    let fix = Fix(
      coordinate: Coordinate(latitude: 47 + Double(second % 100_000) * 0.000_045, longitude: 19.25),
      horizontalAccuracyMeters: 5, time: WallTime(nanosecondsSince1970: Int64(second) * 1_000_000_000))
    engine.handle(
      .fixReceived(fix), at: Instant(nanoseconds: Int64(second) * 1_000_000_000), effects: &effects)
    for case .deliver(.locationsUpdated(let fixes, _), _) in effects {
      delivered += fixes.count
      hash.add(fixes[0].coordinate.latitude)
    }
    effects.removeAll(keepingCapacity: true)
  }
  return (Measurement.processSeconds() - before, delivered)
}

for (name, filter) in [("no filter   ", nil), ("10 m filter ", 10.0)] as [(String, Double?)] {
  var seconds: [Double] = []
  var delivered = 0
  var text = ""
  for _ in 0..<rounds {
    var hash = ResultHash()
    let outcome = run(distanceFilterMeters: filter, &hash)
    seconds.append(outcome.seconds)
    delivered = outcome.delivered
    text = hash.text
  }
  let rate = Double(count) / Measurement.median(seconds)
  print("\(name)  \(decimals(rate / 1e6, 2)) M fixes/s  \(delivered) of \(count) delivered  hash \(text)")
}
