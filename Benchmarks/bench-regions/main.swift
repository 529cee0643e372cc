import BenchmarkSupport
import LocationEngine
import LocationModel

// Watched circles in the engine: one app with 20 of them in a city, and fixes at 1 Hz of a device that crosses it, what
// is told included; beside it the same fixes without any circle. The goal is 2 µs a fix for the circles.

let isTiny = CommandLine.arguments.contains("--tiny")
let count = isTiny ? 20_000 : 1_000_000
let rounds = isTiny ? 1 : 5
let circleCount = 20

/// The device goes to and fro through the city on a slowly turning way, 10 m a second.
let fixes: [Fix] = {
  let center = Coordinate(latitude: 47.5, longitude: 19.05)
  return (0..<count).map { second in
    let turn = Double(second % 200_000) * 0.0018
    let along = abs(Double(second % 800) - 400) * 20 - 4_000
    let place = Geodesic.destination(from: center, azimuthDegrees: turn, distanceMeters: along)
    return Fix(
      coordinate: place, horizontalAccuracyMeters: 5,
      time: WallTime(nanosecondsSince1970: Int64(second + 1) * 1_000_000_000), speedMetersPerSecond: 20)
  }
}()

/// On a spiral through the city, 100 to 480 m wide.
let circles: [Region] = (0..<circleCount).map { number in
  let place = Geodesic.destination(
    from: Coordinate(latitude: 47.5, longitude: 19.05), azimuthDegrees: Double(number) * 137.5,
    distanceMeters: Double(number) * 220)
  return Region(identifier: "\(number)", shape: .circle(center: place, radiusMeters: 100 + Double(number) * 20))
}

func startedEngine(regions: [Region]) -> LocationEngine {
  var engine = LocationEngine()
  let client = ClientIdentifier(1)
  let manager = ManagerIdentifier(client: client, number: 1)
  var app = AppDescription(identifier: AppIdentifier("org.example.benchmark"))
  app.whenInUseUsage = "Measures."
  var inputs: [Input] = [
    .clientConnected(client, app, grant: Grant(level: .whenInUse), lastFix: nil),
    .appStateChanged(app.identifier, .foreground), .managerCreated(manager),
  ]
  inputs += regions.map { .requested(.startMonitoring($0), by: manager) }
  for input in inputs { _ = engine.handle(input, at: .zero) }
  return engine
}

/// Processor seconds, and how many crossings were told.
func run(regions: [Region], _ hash: inout ResultHash) -> (seconds: Double, told: Int) {
  var engine = startedEngine(regions: regions)
  var effects: [Effect] = []
  var told = 0
  let before = Measurement.processSeconds()
  for (second, fix) in fixes.enumerated() {
    engine.handle(
      .fixReceived(fix), at: Instant(nanoseconds: Int64(second + 1) * 1_000_000_000), effects: &effects)
    for effect in effects {
      switch effect {
      case .deliver(.regionEntered(let region), _), .deliver(.regionExited(let region), _):
        told += 1
        hash.add(UInt64(second))
        hash.add(UInt64(region.identifier) ?? 0)
      default: break
      }
    }
    effects.removeAll(keepingCapacity: true)
  }
  return (Measurement.processSeconds() - before, told)
}

var without: [Double] = []
var with: [Double] = []
var told = 0
var text = ""
for _ in 0..<rounds {
  var hash = ResultHash()
  without.append(run(regions: [], &hash).seconds)
  hash = ResultHash()
  let outcome = run(regions: circles, &hash)
  with.append(outcome.seconds)
  told = outcome.told
  text = hash.text
}
let microseconds = 1e6 / Double(count)
let base = Measurement.median(without) * microseconds
let whole = Measurement.median(with) * microseconds
print("no circle    \(decimals(base, 3)) µs a fix")
print("\(circleCount) circles   \(decimals(whole, 3)) µs a fix, \(decimals(whole - base, 3)) of it for the circles")
print("\(told) crossings told in \(count) fixes  hash \(text)")
