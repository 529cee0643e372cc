import BenchmarkSupport
import CProj
import CoreLocation
import LocationModel

/// What apps call.
@inline(__always)
func ownDistance(_ pair: Pair) -> Double {
  pair.from.distance(from: pair.to)
}

struct Pair {
  let start: Coordinate
  let end: Coordinate
  let from: CLLocation
  let to: CLLocation

  init(start: Coordinate, end: Coordinate) {
    self.start = start
    self.end = end
    from = CLLocation(latitude: start.latitude, longitude: start.longitude)
    to = CLLocation(latitude: end.latitude, longitude: end.longitude)
  }
}

/// Numbers in [0, 1) from a fixed seed: SplitMix64.
struct Sequence {
  var state: UInt64 = 20_260_601

  mutating func next() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double((bits ^ (bits >> 31)) >> 11) * 0x1p-53
  }
}

/// Pairs uniform on the globe, or about 500 m apart within 70 degrees of latitude.
func pairs(count: Int, areNear: Bool) -> [Pair] {
  var random = Sequence()
  return (0..<count).map { _ in
    let start = Coordinate(
      latitude: areNear ? random.next() * 140 - 70 : asin(random.next() * 2 - 1) * 180 / .pi,
      longitude: random.next() * 360 - 180)
    if areNear {
      let end = Geodesic.destination(
        from: start, azimuthDegrees: random.next() * 360, distanceMeters: 450 + 100 * random.next())
      return Pair(start: start, end: end)
    }
    return Pair(
      start: start,
      end: Coordinate(latitude: asin(random.next() * 2 - 1) * 180 / .pi, longitude: random.next() * 360 - 180))
  }
}

func timeOwn(_ pairs: [Pair], _ hash: inout ResultHash) -> Double {
  let before = Measurement.processSeconds()
  for pair in pairs { hash.add(ownDistance(pair)) }
  return Measurement.processSeconds() - before
}

func timePeer(_ pairs: [Pair], _ ellipsoid: UnsafePointer<geod_geodesic>, _ worst: inout Double) -> Double {
  let before = Measurement.processSeconds()
  var sum = ResultHash()
  for pair in pairs {
    var length = 0.0
    geod_inverse(
      ellipsoid, pair.start.latitude, pair.start.longitude, pair.end.latitude, pair.end.longitude, &length, nil, nil)
    sum.add(length)
  }
  let seconds = Measurement.processSeconds() - before
  for pair in pairs.prefix(10_000) {
    var length = 0.0
    geod_inverse(
      ellipsoid, pair.start.latitude, pair.start.longitude, pair.end.latitude, pair.end.longitude, &length, nil, nil)
    worst = max(worst, abs(length - ownDistance(pair)))
  }
  return sum.value == 0 ? .nan : seconds
}

func compare(_ name: String, _ pairs: [Pair], rounds: Int) {
  var ellipsoid = geod_geodesic()
  geod_init(&ellipsoid, 6_378_137, 1 / 298.257223563)
  var own: [Double] = []
  var peer: [Double] = []
  var text = ""
  var worst = 0.0
  for _ in 0..<rounds {
    var hash = ResultHash()
    own.append(timeOwn(pairs, &hash))
    peer.append(timePeer(pairs, &ellipsoid, &worst))
    text = hash.text
  }
  let ownRate = Double(pairs.count) / Measurement.median(own)
  let peerRate = Double(pairs.count) / Measurement.median(peer)
  print(
    "\(name)  this \(decimals(ownRate / 1e6, 3)) M/s  PROJ geod_inverse \(decimals(peerRate / 1e6, 3)) M/s  "
      + "ratio \(decimals(ownRate / peerRate, 3))  largest difference \(decimals(worst * 1e9, 1)) nm  hash \(text)")
}

let isTiny = CommandLine.arguments.contains("--tiny")
let count = isTiny ? 10_000 : 1_000_000
let rounds = isTiny ? 1 : 7
compare("near (500 m)", pairs(count: count, areNear: true), rounds: rounds)
compare("far (globe) ", pairs(count: count, areNear: false), rounds: rounds)
