import LocationEngine
import LocationModel
import Testing

@Suite("Regions against an oracle that knows the way", .serialized)
struct RegionProofTests {
  private static let journeyCount: UInt64 = ProofSize.isFull ? 1_000 : 6

  /// What one journey's app was told, by circle.
  struct Outcome {
    var told: [String: [ToldEvent]] = [:]
    var receivers: JourneyReceivers
  }

  private func play(_ journey: RandomJourney, receivers: JourneyReceivers) -> Outcome {
    var outcome = Outcome(receivers: receivers)
    var engine = LocationEngine(policy: .with { $0.regionsPerAppMax = 50 })
    let manager = EngineBench.manager(1)
    var fixes: [(second: Int, accuracy: Double)] = []
    func hear(_ input: Input, second: Int, at instant: Instant? = nil) {
      for effect in engine.handle(input, at: instant ?? Instant.zero.advanced(bySeconds: Double(second))) {
        switch effect {
        case .setReceivers(let demand): outcome.receivers.setDemand(demand, second: second)
        case .deliver(let event, _):
          guard let (identifier, kind) = ToldEvent.kind(of: event) else { break }
          let told = outcome.told[identifier]?.last
          // The state that comes with a crossing says nothing new.
          if case .determined = kind, told != nil { break }
          outcome.told[identifier, default: []].append(
            ToldEvent(
              kind: kind, second: second, accuracyMeters: fixes.last?.accuracy ?? 0,
              vaguestMeters: fixes.map(\.accuracy).max() ?? 0))
        default: break
        }
      }
    }
    hear(.clientConnected(EngineBench.client, .complete, grant: .always, lastFix: nil), second: 0)
    hear(.appStateChanged(EngineBench.app, .foreground), second: 0)
    hear(.managerCreated(manager), second: 0)
    for circle in journey.circles {
      let region = Region(
        identifier: circle.identifier, shape: .circle(center: circle.center, radiusMeters: circle.radiusMeters))
      hear(.requested(.startMonitoring(region), by: manager), second: 0)
    }
    for second in 0..<RandomJourney.seconds {
      let end = Instant.zero.advanced(bySeconds: Double(second))
      while let deadline = engine.nextDeadline, deadline <= end {
        hear(.timePassed, second: second, at: deadline)
      }
      if let fix = outcome.receivers.fix(at: second) {
        fixes.append((second, fix.horizontalAccuracyMeters ?? 0))
        fixes.removeAll { $0.second < second - 60 }
        hear(.fixReceived(fix), second: second)
      }
    }
    return outcome
  }

  /// Plays all journeys and complains of every fault; the latenesses of all events.
  private func prove(
    _ name: String, latenessSecondsMax: Int,
    _ setting: (inout SeededGenerator) -> (mode: JourneyReceivers.Mode, accuracyMeters: Double, gaps: [Range<Int>])
  ) -> [Int] {
    var latenesses: [Int] = []
    var eventCount = 0
    for seed in ProofSize.seeds(Self.journeyCount) {
      var generator = SeededGenerator(seed: seed ^ 0xacc)
      let (mode, accuracy, gaps) = setting(&generator)
      let journey = RandomJourney(seed: seed)
      let outcome = play(journey, receivers: JourneyReceivers(mode, journey: journey, seed: seed))
      for circle in journey.circles {
        let told = outcome.told[circle.identifier] ?? []
        eventCount += told.count(where: \.isCrossing)
        let oracle = RegionOracle(circle, along: journey.places)
        let faults = oracle.faults(
          told, accuracyMeters: accuracy, latenessSecondsMax: latenessSecondsMax, blindFrom: gaps,
          latenesses: &latenesses)
        for fault in faults.prefix(1) {
          Issue.record("CORELOCATION_SEED=\(seed), circle \(circle.identifier), r \(circle.radiusMeters): \(fault)")
        }
      }
    }
    latenesses.sort()
    LatenessPlot.add(name, latenesses: latenesses)
    #expect(latenesses.count > 20 || ProofSize.seed != nil, "the journeys cross something")
    if ProofSize.isFull, !latenesses.isEmpty {
      let tenths = [0.5, 0.95, 0.99, 1].map {
        latenesses[min(latenesses.count - 1, Int(Double(latenesses.count) * $0))]
      }
      print("\(name): \(eventCount) crossings told, lateness p50, p95, p99, most: \(tenths) s, of \(latenesses.count)")
    }
    return latenesses
  }

  @Test("A fix a second: no stay of 60 s missed, no event false, none later than 22 s")
  func alwaysOn() {
    let latenesses = prove("always on", latenessSecondsMax: 22) { generator in
      let accuracy: Double = [3.0, 5, 10, 25].randomElement(using: &generator) ?? 5
      return (.alwaysOn(accuracyMeters: accuracy), accuracy, [])
    }
    #expect(latenesses.allSatisfy { $0 <= 22 })
  }

  @Test("Receivers that see nothing for up to five minutes: nothing is false, and all else is as promised")
  func gaps() {
    _ = prove("with gaps", latenessSecondsMax: 22) { generator in
      let accuracy: Double = [3.0, 5, 10].randomElement(using: &generator) ?? 5
      var gaps: [Range<Int>] = []
      var second = 0
      while second < RandomJourney.seconds {
        second += Int.random(in: 60...600, using: &generator)
        let length = Int.random(in: 5...300, using: &generator)
        gaps.append(second..<(second + length))
        second += length
      }
      return (.withGaps(accuracyMeters: accuracy, gaps: gaps), accuracy, gaps)
    }
  }

  @Test("Receivers that sleep: no stay of 60 s missed, no event false, none later than 60 s")
  func onDemand() {
    let latenesses = prove("on demand", latenessSecondsMax: 59) { _ in
      (.onDemand, JourneyReceivers.satelliteAccuracyMeters, [])
    }
    #expect(latenesses.allSatisfy { $0 <= 59 })
  }
}

extension ToldEvent {
  static func kind(of event: ManagerEvent) -> (identifier: String, kind: Kind)? {
    switch event {
    case .stateDetermined(let state, let region): (region.identifier, .determined(state))
    case .regionEntered(let region): (region.identifier, .entered)
    case .regionExited(let region): (region.identifier, .exited)
    default: nil
    }
  }
}
