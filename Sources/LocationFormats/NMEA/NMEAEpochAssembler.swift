import LocationModel

/// Puts the sentences of a receiver's cycle together: one epoch, one fix.
///
/// An epoch ends
/// - with the sentence that was the last of the fix in the two cycles before, so that a fix need not wait for the sky
///   (GSV) or for the next second. As gpsd does, the end is learned from the receiver; gpsd trusts one cycle, which
///   gives half a fix where cycles alternate;
/// - else when a sentence with another time comes, or one with a position but no time whose kind the epoch has already;
/// - else with `flush()`, by which the host says that the line has been silent.
///
/// A sentence with the epoch's time that comes after its end is late: satellites count, no second epoch is made.
/// Sentences without a time belong to the epoch that is open.
struct NMEAEpochAssembler {
  /// Dilution from a GSA up to so many seconds old is used: many receivers send it every fifth second only.
  static let dilutionAgeSecondsMax = 10
  /// So many epochs of a recording's beginning wait for a first date. Receivers that tell a date at all do so
  /// within seconds.
  static let undatedEpochsMax = 64

  /// Read off and emptied by the owner.
  var epochs: [NMEAEpoch] = []
  private(set) var positionsWithoutTime = 0
  private(set) var assumedDates = 0
  let satellites = SatelliteTable()
  private var cycle = NMEACycle()
  private var calendar: NMEACalendar
  /// Counts from 1; 0 is never.
  private var epochNumber: UInt16 = 1
  private var lastOfFix: UInt8 = Self.nothing
  private var lastOfFixBefore: UInt8 = Self.nothing
  private var learnedEnd: UInt8 = Self.nothing
  private var givenTimeOfDay: Int64 = -1
  private var heading: NMEAHeading?
  /// What headings have come since somebody took it, whether or not an epoch has had them; the newest of each kind.
  private var newHeading: NMEAHeading?
  private var sparseDilution: (vertical: Double?, timeOfDay: Int64, dimension: Int) = (nil, -1, -1)
  private var undated: [(epoch: NMEAEpoch, timeOfDay: Int64)] = []
  private var isDateAssumed = false
  private static let nothing: UInt8 = 0xFF

  init(_ dating: NMEADating) {
    calendar = NMEACalendar(dating)
  }

  /// A position has come that is in no epoch yet.
  var holdsEpoch: Bool { !cycle.isGiven && cycle.isPositional }

  /// Ends the epoch that is open: the line is silent, or the stream has ended.
  mutating func flush(clock: WallTime?) {
    endCycle(clock: clock)
  }

  /// The recording has ended: epochs that waited for a date get an assumed one.
  mutating func finish(clock: WallTime?) {
    flush(clock: clock)
    releaseUndated(assuming: true)
  }

  mutating func add(_ kind: NMEASentence.Kind, _ sentence: NMEASentence, tag: NMEATagBlock?, clock: WallTime?) {
    switch sentence {
    case .gsv(var sky): satellites.add(&sky)
    case .gsa(var active): add(&active, clock: clock)
    case .vtg(let motion):
      merge(motion)
      noteEnd(.vtg, clock: clock)
    case .heading(let new): merge(new)
    default: addTimed(kind, sentence, tag: tag, clock: clock)
    }
  }

  /// `active` stays as it is.
  @inline(__always)
  mutating func add(_ active: inout NMEASentence.GSA, clock: WallTime?) {
    satellites.markUsed(&active, epoch: epochNumber)
    merge(&active)
    noteEnd(.gsa, clock: clock)
  }

  private mutating func addTimed(
    _ kind: NMEASentence.Kind, _ sentence: NMEASentence, tag: NMEATagBlock?, clock: WallTime?
  ) {
    switch sentence {
    case .rmc(let minimum):
      begin(.rmc, minimum.timeOfDayNanoseconds, tag: tag, clock: clock)
      merge(minimum, clock: clock)
    case .gga(let data):
      begin(.gga, data.timeOfDayNanoseconds, tag: tag, clock: clock)
      merge(data)
    case .gns(let data):
      begin(.gns, data.timeOfDayNanoseconds, tag: tag, clock: clock)
      merge(data)
    case .gll(let place):
      begin(.gll, place.timeOfDayNanoseconds, tag: tag, clock: clock)
      merge(place)
    case .gst(let errors):
      begin(.gst, errors.timeOfDayNanoseconds, tag: tag, clock: clock)
      cycle.latitudeDeviationMeters = errors.latitudeDeviationMeters
      cycle.longitudeDeviationMeters = errors.longitudeDeviationMeters
      cycle.altitudeDeviationMeters = errors.altitudeDeviationMeters
    case .zda(let date):
      begin(.zda, date.timeOfDayNanoseconds, tag: tag, clock: clock)
      if let days = date.daysSince1970 {
        setDate(days, date.timeOfDayNanoseconds, isSure: false, clock: clock ?? tag?.time)
      }
    default: return
    }
    noteEnd(kind, clock: clock)
  }
}

// MARK: - Where epochs begin and end

extension NMEAEpochAssembler {
  /// Opens an epoch where the sentence belongs to another than the open one.
  private mutating func begin(
    _ kind: NMEASentence.Kind, _ timeOfDay: Int64, tag: NMEATagBlock?, clock: WallTime?
  ) {
    let isAnother: Bool
    if timeOfDay >= 0 && cycle.timeOfDay >= 0 {
      isAnother = timeOfDay != cycle.timeOfDay
    } else {
      // One of the two has no time: the epoch goes on unless it holds this kind of position already.
      isAnother = kind.isPositional && cycle.has(kind)
    }
    if isAnother { endCycle(clock: clock) }
    if timeOfDay >= 0 && cycle.timeOfDay < 0 {
      cycle.timeOfDay = timeOfDay
      cycle.isGiven = timeOfDay == givenTimeOfDay
    }
    if cycle.tagTime == nil, let time = tag?.time { cycle.tagTime = time }
  }

  /// After a sentence has been merged: is the epoch whole?
  @inline(__always)
  private mutating func noteEnd(_ kind: NMEASentence.Kind, clock: WallTime?) {
    let end = cycle.note(kind)
    guard kind.isPartOfFix else { return }
    lastOfFix = end
    if end == learnedEnd && !cycle.isGiven && cycle.isPositional { give(clock: clock) }
  }

  private mutating func endCycle(clock: WallTime?) {
    if !cycle.isGiven && cycle.isPositional { give(clock: clock) }
    if lastOfFix != Self.nothing && cycle.isPositional {
      learnedEnd = lastOfFix == lastOfFixBefore ? lastOfFix : Self.nothing
      lastOfFixBefore = lastOfFix
    }
    lastOfFix = Self.nothing
    cycle = NMEACycle()
    epochNumber = epochNumber == .max ? 1 : epochNumber + 1
  }
}

// MARK: - What sentences say

extension NMEAEpochAssembler {
  private mutating func merge(_ minimum: NMEASentence.RMC, clock: WallTime?) {
    cycle.isVoid = cycle.isVoid || minimum.isVoid
    cycle.take(minimum.position)
    cycle.take(minimum.quality, rank: 1)
    // RMC before VTG, which has no time and may stand on the wrong side of an epoch's border.
    cycle.speedMetersPerSecond = minimum.speedMetersPerSecond ?? cycle.speedMetersPerSecond
    cycle.courseDegrees = minimum.courseDegrees ?? cycle.courseDegrees
    cycle.magneticVariationDegrees = minimum.magneticVariationDegrees ?? cycle.magneticVariationDegrees
    if let days = minimum.daysSince1970, minimum.timeOfDayNanoseconds >= 0 {
      setDate(days, minimum.timeOfDayNanoseconds, isSure: !minimum.isVoid, clock: clock ?? cycle.tagTime)
    }
  }

  private mutating func merge(_ data: NMEASentence.GGA) {
    if data.quality == FixQuality.none { cycle.isVoid = true }
    cycle.take(data.position)
    cycle.take(data.quality, rank: 3)
    cycle.satellitesUsedCount = data.satellitesUsedCount ?? cycle.satellitesUsedCount
    cycle.horizontalDilution = data.horizontalDilution ?? cycle.horizontalDilution
    cycle.altitudeMeters = data.altitudeMeters ?? cycle.altitudeMeters
    cycle.geoidSeparationMeters = data.geoidSeparationMeters ?? cycle.geoidSeparationMeters
  }

  private mutating func merge(_ data: NMEASentence.GNS) {
    if data.quality == FixQuality.none { cycle.isVoid = true }
    cycle.take(data.position)
    cycle.take(data.quality, rank: 2)
    cycle.satellitesUsedCount = cycle.satellitesUsedCount ?? data.satellitesUsedCount
    cycle.horizontalDilution = cycle.horizontalDilution ?? data.horizontalDilution
    cycle.altitudeMeters = cycle.altitudeMeters ?? data.altitudeMeters
    cycle.geoidSeparationMeters = cycle.geoidSeparationMeters ?? data.geoidSeparationMeters
  }

  private mutating func merge(_ place: NMEASentence.GLL) {
    cycle.isVoid = cycle.isVoid || place.isVoid
    cycle.take(place.position)
    cycle.take(place.quality, rank: 1)
  }

  private mutating func merge(_ motion: NMEASentence.VTG) {
    guard motion.quality != FixQuality.none else { return }
    if !cycle.has(.rmc) {
      cycle.speedMetersPerSecond = motion.speedMetersPerSecond ?? cycle.speedMetersPerSecond
      cycle.courseDegrees = motion.courseDegrees ?? cycle.courseDegrees
    } else {
      cycle.speedMetersPerSecond = cycle.speedMetersPerSecond ?? motion.speedMetersPerSecond
      cycle.courseDegrees = cycle.courseDegrees ?? motion.courseDegrees
    }
  }

  @inline(__always)
  private mutating func merge(_ active: inout NMEASentence.GSA) {
    cycle.horizontalDilution = cycle.horizontalDilution ?? active.horizontalDilution
    cycle.verticalDilution = active.verticalDilution ?? cycle.verticalDilution
    cycle.positionDilution = active.positionDilution ?? cycle.positionDilution
    // Several systems, several GSA: the fix is as good as the best of them says.
    cycle.dimension = max(cycle.dimension, active.dimension)
    sparseDilution = (cycle.verticalDilution, cycle.timeOfDay, cycle.dimension)
  }

  private mutating func merge(_ new: NMEAHeading) {
    if new.isEmpty { return }
    heading = Self.merged(new, into: heading)
    newHeading = Self.merged(new, into: newHeading)
  }

  private static func merged(_ new: NMEAHeading, into known: NMEAHeading?) -> NMEAHeading {
    var merged = known ?? NMEAHeading()
    merged.trueDegrees = new.trueDegrees ?? merged.trueDegrees
    merged.magneticDegrees = new.magneticDegrees ?? merged.magneticDegrees
    merged.variationDegrees = new.variationDegrees ?? merged.variationDegrees
    return merged
  }

  mutating func takeHeading() -> NMEAHeading? {
    defer { newHeading = nil }
    return newHeading
  }
}

// MARK: - Epochs

extension NMEAEpochAssembler {
  private mutating func setDate(_ days: Int64, _ timeOfDay: Int64, isSure: Bool, clock: WallTime?) {
    calendar.set(days: days, timeOfDay: timeOfDay, isSure: isSure, clock: clock)
    isDateAssumed = false
    if !undated.isEmpty { releaseUndated(assuming: false) }
  }

  private mutating func give(clock: WallTime?) {
    cycle.isGiven = true
    givenTimeOfDay = cycle.timeOfDay
    var epoch = NMEAEpoch()
    epoch.quality = cycle.quality
    if cycle.dimension < 0 && isRecent(sparseDilution.timeOfDay) {
      cycle.dimension = sparseDilution.dimension
      cycle.verticalDilution = sparseDilution.vertical
    }
    epoch.dimension = cycle.dimension == 2 || cycle.dimension == 3 ? cycle.dimension : nil
    epoch.satellitesUsedCount = cycle.satellitesUsedCount
    epoch.horizontalDilution = NMEAAccuracy.meaningful(cycle.horizontalDilution)
    epoch.verticalDilution = NMEAAccuracy.meaningful(cycle.verticalDilution)
    epoch.positionDilution = NMEAAccuracy.meaningful(cycle.positionDilution)
    epoch.heading = heading
    epoch.magneticVariationDegrees = cycle.magneticVariationDegrees
    heading = nil
    epoch.isDateAssumed = isDateAssumed
    let clock = clock ?? cycle.tagTime
    if cycle.timeOfDay < 0 {
      epoch.time = clock
    } else {
      epoch.time = calendar.moment(timeOfDay: cycle.timeOfDay, clock: clock)
    }
    let isPlaced = !cycle.isVoid && cycle.position != nil
    if isPlaced { epoch.fix = fix(time: epoch.time ?? WallTime(nanosecondsSince1970: 0)) }
    deliver(epoch)
  }

  private mutating func deliver(_ epoch: NMEAEpoch) {
    if epoch.time != nil {
      if !undated.isEmpty { releaseUndated(assuming: false) }
      if epoch.isDateAssumed && epoch.fix != nil { assumedDates += 1 }
      epochs.append(epoch)
    } else if cycle.timeOfDay >= 0 {
      undated.append((epoch, cycle.timeOfDay))
      if undated.count > Self.undatedEpochsMax { releaseUndated(assuming: true) }
    } else if epoch.fix == nil {
      if undated.isEmpty { epochs.append(epoch) }
    } else {
      positionsWithoutTime += 1
    }
  }

  /// Epochs from before the first date: they get theirs from it, counted backwards.
  private mutating func releaseUndated(assuming isAssumed: Bool) {
    guard let first = undated.first, let last = undated.last else { return }
    if isAssumed {
      calendar.assumeDate(timeOfDay: first.timeOfDay)
      isDateAssumed = true
    }
    guard let reference = calendar.reference else { return }
    var near = reference
    var moments: [WallTime] = []
    for held in isAssumed ? undated : undated.reversed() {
      near = NMEACalendar.nearest(timeOfDay: held.timeOfDay, to: near)
      moments.append(near)
    }
    if !isAssumed { moments.reverse() }
    for (held, moment) in zip(undated, moments) {
      var epoch = held.epoch
      epoch.time = moment
      epoch.fix?.time = moment
      epoch.isDateAssumed = isAssumed
      if isAssumed && epoch.fix != nil { assumedDates += 1 }
      epochs.append(epoch)
    }
    if isAssumed { _ = calendar.moment(timeOfDay: last.timeOfDay, clock: nil) }
    undated = []
  }

  private func isRecent(_ timeOfDay: Int64) -> Bool {
    guard timeOfDay >= 0, cycle.timeOfDay >= 0 else { return false }
    let age = cycle.timeOfDay - timeOfDay
    let wrapped = age < 0 ? age + NMEACalendar.dayNanoseconds : age
    return wrapped <= Int64(Self.dilutionAgeSecondsMax) * 1_000_000_000
  }

  /// The epoch's fix; only where it has a position.
  private func fix(time: WallTime) -> Fix? {
    guard let position = cycle.position else { return nil }
    let quality = cycle.quality
    var fix = Fix(coordinate: position.coordinate, horizontalAccuracyMeters: nil, time: time)
    if let latitude = cycle.latitudeDeviationMeters, let longitude = cycle.longitudeDeviationMeters {
      fix.horizontalAccuracyMeters = NMEAAccuracy.horizontalMeters(
        latitudeDeviation: latitude, longitudeDeviation: longitude)
    }
    fix.horizontalAccuracyMeters =
      fix.horizontalAccuracyMeters
      ?? NMEAAccuracy.horizontalMeters(dilution: cycle.horizontalDilution, quality: quality)
    // In two dimensions the height is an old or an assumed one.
    if cycle.dimension != 2, let altitude = cycle.altitudeMeters {
      fix.altitudeMeters = altitude
      fix.ellipsoidalAltitudeMeters = cycle.geoidSeparationMeters.map { altitude + $0 }
      fix.verticalAccuracyMeters = verticalAccuracyMeters(quality)
    }
    fix.speedMetersPerSecond = cycle.speedMetersPerSecond
    fix.courseDegrees = cycle.courseDegrees
    fix.isSimulated = quality?.isSimulated ?? false
    return fix
  }

  private func verticalAccuracyMeters(_ quality: FixQuality?) -> Double? {
    if let deviation = cycle.altitudeDeviationMeters, deviation > 0 { return deviation }
    var dilution = NMEAAccuracy.meaningful(cycle.verticalDilution)
    if dilution == nil, let position = NMEAAccuracy.meaningful(cycle.positionDilution),
      let horizontal = NMEAAccuracy.meaningful(cycle.horizontalDilution), position > horizontal
    {
      // PDOP² = HDOP² + VDOP²
      dilution = (position * position - horizontal * horizontal).squareRoot()
    }
    return NMEAAccuracy.verticalMeters(dilution: dilution, quality: quality)
  }
}
