import BenchmarkSupport
import CoreLocation
import CoreLocationTesting
import DrawnDays
import Foundation

// What a simulated day costs the machine that runs the test: an app of delegates with eight regions on a phone, and an
// app that iterates over every fix on the main actor. Both are lived twice, and hear the same to the byte.
//   bench-simulate [--tiny]

let seconds = CommandLine.arguments.contains("--tiny") ? 3_600 : 86_400
let day = DrawnDay(seed: 1)

var logs: [String] = []
var delegateSeconds: [Double] = []
for _ in 0..<2 {
  let device = SimulatedDevice(permission: .always, at: day.stays[0].place, noiseSeed: 1, profile: .phone)
  let before = Measurement.processSeconds()
  let app = device.launch { _ in RegionApp() }
  device.run { app.begin(day.circles) }
  device.setOut(on: day.journey)
  device.advance(by: Duration.seconds(seconds))
  delegateSeconds.append(Measurement.processSeconds() - before)
  logs.append(device.log.joined(separator: "\n"))
}
print(
  String(format: "8 regions, delegate   %.3f s of CPU  (%.3f s the first time)", delegateSeconds[1], delegateSeconds[0])
)

var streamSeconds: [Double] = []
var updateCount = 0
for _ in 0..<2 {
  let device = SimulatedDevice(permission: .whenInUse, at: day.stays[0].place, noiseSeed: 2)
  let before = Measurement.processSeconds()
  let reader = StreamReader()
  device.launch { _ in reader }
  device.setOut(on: day.journey)
  try await reader.live(on: device, forSeconds: seconds)
  streamSeconds.append(Measurement.processSeconds() - before)
  updateCount = reader.count
  logs.append(device.log.joined(separator: "\n"))
}
print(
  String(
    format: "every fix, main actor %.3f s of CPU  (%.3f s the first time), %d updates", streamSeconds[1],
    streamSeconds[0], updateCount))
guard logs[0] == logs[1], logs[2] == logs[3] else {
  print("bench-simulate: the same day was not the same twice")
  exit(1)
}
print("both days twice       the same, \(logs[0].utf8.count + logs[2].utf8.count) bytes of log")
