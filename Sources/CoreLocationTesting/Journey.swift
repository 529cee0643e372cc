import CoreLocation
import LocationModel
import LocationProviders

/// Where a device goes: drawn leg by leg, or recorded in a file, with or without legs after it.
///
///     let commute = Journey(from: home)
///       .stay(for: .seconds(600)).walk(to: station).drive(to: office).stay(for: .seconds(3600))
public struct Journey: Sendable {
  /// What was recorded, at times since the journey's start; empty where it is drawn from its beginning on.
  let recording: [ScheduledFix]
  /// What follows, in order.
  private(set) var legs: [Leg] = []
  /// Where the legs begin.
  private let origin: Coordinate
  /// What is wrong with the recording: a sentence for each kind of fault, with the file and the line of the first. The
  /// log of a device that goes on it tells them, too.
  public let notices: [String]

  /// Begins at a place, which is one on the Earth. Without legs it is over at once.
  public init(from place: CLLocationCoordinate2D) {
    recording = []
    origin = TestMistake.refuseOffEarth(place, "the place where a journey begins")
    notices = []
  }

  private init(recording: [ScheduledFix], of path: String, notices: [String]) throws {
    guard let last = recording.last else {
      throw SimulationFailure(sentence: "\(path): nothing to play: no place in it")
    }
    self.recording = recording
    origin = last.fix.coordinate
    self.notices = notices
  }

  /// Whether it is a place, and no way.
  var isRest: Bool { recording.isEmpty && legs.isEmpty }

  /// When its legs begin: the end of what was recorded.
  private var recordedNanoseconds: Int64 { recording.last?.offsetNanoseconds ?? 0 }
  private var recordedSeconds: Double { Double(recordedNanoseconds) / 1e9 }
  private var endSeconds: Double { legs.last?.endSeconds ?? recordedSeconds }

  /// How long it takes; zero for one that is over at once, such as a recording of a single point.
  public var duration: Duration {
    .nanoseconds(legs.isEmpty ? recordedNanoseconds : nanosecondsClamped(fromSeconds: endSeconds))
  }

  /// Where it begins.
  public var start: CLLocationCoordinate2D { CLLocationCoordinate2D(sample(after: 0).place) }

  /// Where it ends.
  public var end: CLLocationCoordinate2D { CLLocationCoordinate2D(endPlace) }

  var endPlace: Coordinate { legs.last?.endPlace ?? origin }

  /// Which way the device points at its end, or went last; nil where the journey does not say.
  var endDirectionDegrees: Double? {
    guard let last = legs.last else { return recording.last?.fix.courseDegrees }
    return last.endHeadingDegrees ?? (last.moves ? CircleAngle.normalized(last.azimuthDegrees) : nil)
  }

  func adding(_ leg: Leg) -> Journey {
    var (journey, leg) = (self, leg)
    leg.beginSeconds = endSeconds
    journey.legs.append(leg)
    return journey
  }

  // MARK: Looking

  /// Whether it says on some leg which way the device points.
  var hasHeadings: Bool { legs.contains { $0.headingDegrees != nil } }

  /// Whether it is in a building after so many seconds; where it ends with a stay in one it stays there.
  func isIndoors(after seconds: Double) -> Bool {
    guard recording.isEmpty || seconds >= recordedSeconds else { return false }
    return (leg(at: seconds) ?? legs.last)?.isIndoors ?? false
  }

  /// The leg that is under way where what was recorded is over; nil after the last.
  private func leg(at seconds: Double) -> Leg? {
    let number = Self.count(in: legs) { $0.endSeconds <= seconds }
    return number < legs.count ? legs[number] : nil
  }

  /// How many of them, which come first, are so: half of the rest is passed over with each look.
  private static func count<Element>(in elements: [Element], whichAre isOne: (Element) -> Bool) -> Int {
    var (low, high) = (0, elements.count)
    while low < high {
      let middle = (low + high) / 2
      if isOne(elements[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// When the leg that is under way is over; nil while there is none.
  func endOfLegSeconds(at seconds: Double) -> Double? { leg(at: seconds)?.endSeconds }

  /// Where it is after so many seconds, how fast and in which direction; its end after it is over.
  func sample(after seconds: Double) -> JourneySample {
    let seconds = max(0, seconds)
    let offset = nanosecondsClamped(fromSeconds: seconds)
    if !recording.isEmpty, legs.isEmpty || offset < recordedNanoseconds {
      let fix = recording[max(0, Self.count(in: recording) { $0.offsetNanoseconds <= offset } - 1)].fix
      return JourneySample(
        place: fix.coordinate, metersPerSecond: fix.speedMetersPerSecond, courseDegrees: fix.courseDegrees)
    }
    if let leg = leg(at: seconds) { return leg.sample(after: seconds - leg.beginSeconds) }
    return JourneySample(
      place: endPlace, metersPerSecond: 0, courseDegrees: nil, headingDegrees: legs.last?.endHeadingDegrees)
  }

  /// What follows after what was recorded, and when that begins.
  var afterRecording: (journey: Journey, nanoseconds: Int64) {
    var rest = Journey(from: CLLocationCoordinate2D(origin))
    for leg in legs { rest = rest.adding(leg) }
    return (rest, recordedNanoseconds)
  }
}

extension Journey {
  /// A recording, GPX or NMEA by its name (`.gpx`; every other name is NMEA), at its own pace with its own gaps. Throws
  /// a sentence that names the file, the line and what was expected; what is left out or mended is in `notices`: a
  /// point whose time is not later than the one before comes 1 ms after it.
  public init(contentsOf path: String) throws {
    var fixes: [ScheduledFix] = []
    let notices: [String]
    do throws(ReplayError) {
      let format: RecordingFormat = path.lowercased().hasSuffix(".gpx") ? .gpx : .nmea
      let schedule = try ReplaySchedule.open(path, format: format, shortensGaps: false)
      while let fix = try schedule.next() { fixes.append(fix) }
      notices = schedule.notices.map(\.sentence)
    } catch {
      throw SimulationFailure(sentence: "\(error)")
    }
    try self.init(recording: fixes, of: path, notices: notices)
  }
}
