import LocationEngine
import LocationModel
import LocationRuntime

/// A journey as one page that needs nothing else: no network, no script, no file beside it.
struct JourneyReport {
  /// The track's file, as the person named it.
  var name: String
  /// What was asked for, in words.
  var setting: String
  var track: JourneyTrack
  var regions: [Region]
  var notes: JourneyNotes.Content
  var outcome: JourneyPlay.Outcome
  var stepSeconds: Double
  var rows: [JourneyComparison.Row]

  private static let eventsMax = 500

  var page: String {
    let head = [
      HTML.element("meta", ["charset": "utf-8"]), ReportFile.generator,
      HTML.element("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
      HTML.element("meta", ["name": "color-scheme", "content": "light dark"]),
      HTML.element("title", [:], HTML.text("\(name): simulated journey")),
      HTML.element("style", [:], ReportStyle.text),
    ]
    let sections = [
      header, figures,
      section("Map", JourneyMap(track: track, notes: notes, regions: regions).markup),
      section("Time", JourneyTimeline(track: track, notes: notes, regions: regions, receivers: receivers).markup),
      section(
        "Energy",
        EnergyChart(track: track, stepSeconds: stepSeconds, stepJoules: outcome.stepJoules, receivers: receivers).markup
      ),
      section("Other settings on this journey", comparison), section("What the app heard", events), footer,
    ]
    return "<!DOCTYPE html>\n"
      + HTML.element(
        "html", ["lang": "en", "xmlns": "http://www.w3.org/1999/xhtml"],
        "\n" + HTML.element("head", [:], "\n" + head.joined(separator: "\n") + "\n") + "\n"
          + HTML.element("body", [:], "\n" + HTML.element("main", [:], sections.joined(separator: "\n")) + "\n") + "\n")
      + "\n"
  }

  private var profile: DeviceProfile { outcome.summary.profile }
  private var receivers: [JourneyReceiver] { outcome.summary.receivers }

  private var satelliteName: String { ComparisonWriter.satelliteName(profile) }

  private func section(_ title: String, _ content: String) -> String {
    HTML.element("section", [:], HTML.element("h2", [:], title) + "\n" + content)
  }

  // MARK: Top

  private var header: String {
    let start = ReportNumber.time(track.start)
    let end = ReportNumber.time(track.start.advanced(bySeconds: track.seconds))
    return HTML.element(
      "header", [:],
      HTML.element("h1", [:], HTML.text(name))
        + HTML.element(
          "p", [:],
          HTML.text(
            "\(start) to \(end), \(ReportNumber.duration(track.seconds)), "
              + "\(ReportNumber.length(track.lengthMeters)). \(setting)")))
  }

  private var figures: String {
    let summary = outcome.summary
    let share = summary.alwaysOnJoules > 0 ? summary.joules.total / summary.alwaysOnJoules : 0
    let cards: [(String, String, String)] = [
      ("\(summary.deliveredCount)", "locations told", "of \(summary.fixCount) fixes"),
      ("\(notes.visits.count)", "calls about visits", ""),
      ("\(notes.crossingCount)", "crossings of regions", "\(regions.count) watched"),
      (
        ReportNumber.duration(summary.satelliteSeconds), "\(satelliteName) on",
        "of \(ReportNumber.duration(track.seconds))"
      ),
      (
        EnergyText.of(summary.joules.total), "energy",
        DecimalText.fixed(share * 100, digits: 0) + " % of "
          + EnergyText.of(summary.alwaysOnJoules)
          + " with \(satelliteName == "receiver" ? "the receiver" : satelliteName) always on"
      ),
    ]
    let items = cards.map { value, name, remark in
      HTML.element(
        "div", [:],
        HTML.element("dt", [:], name) + HTML.element("dd", ["class": "value"], value)
          + (remark.isEmpty ? "" : HTML.element("dd", [:], remark)))
    }
    return HTML.element("dl", ["class": "figures"], items.joined())
  }

  // MARK: Tables

  private var comparison: String {
    let head = [
      "setting", "locations", "visits", "crossings", "pauses", "\(satelliteName), s", "energy", "median error, m",
      "95 % error, m",
      "without, s",
    ]
    let words =
      "How far the last location told was from the recording, each second; without: seconds before the first. "
      + "Updates that have paused stay paused to the end."
      + (profile == .receiver ? "" : " Profile of the device: \(profile.name).")
    return HTML.element("p", [:], HTML.text(words))
      + HTML.table(head: head, rows: rows.map { [$0.name] + ComparisonWriter.cells($0) { EnergyText.of($0) } })
  }

  private var events: String {
    var lines: [(seconds: Double, words: String)] = []
    // What is plain from a crossing is not said again.
    let told = notes.regions.filter { entry in
      entry.isCrossing
        || !notes.regions.contains {
          $0.isCrossing && $0.seconds == entry.seconds && $0.region.identifier == entry.region.identifier
        }
    }
    lines += told.map { entry in
      let verb = entry.isCrossing ? (entry.isInside ? "entered" : "left") : entry.isInside ? "is inside" : "is outside"
      return (entry.seconds, "\(verb) \(entry.region.identifier)")
    }
    lines += notes.visits.map { entry in
      (entry.seconds, entry.visit.departure == nil ? "a visit has begun" : "a visit is over")
    }
    lines += notes.pauses.map { ($0.seconds, $0.isPaused ? "updates paused" : "updates resumed") }
    guard !lines.isEmpty else { return HTML.element("p", [:], "Locations only: no region, visit or pause.") }
    let sorted = lines.enumerated().sorted { ($0.element.seconds, $0.offset) < ($1.element.seconds, $1.offset) }
    let rows = sorted.prefix(Self.eventsMax).map { line in
      [ReportNumber.time(track.start.advanced(bySeconds: line.element.seconds)), line.element.words]
    }
    let more = lines.count - Self.eventsMax
    return HTML.table(head: ["time", "event"], rows: rows, kind: "words")
      + (more > 0 ? HTML.element("p", [:], "And \(more) more.") : "")
  }

  private var modelled: String {
    receivers.count > 1 ? "the receivers of profile \(profile.name)" : "one GNSS receiver"
  }

  private var footer: String {
    HTML.element(
      "footer", [:],
      HTML.text(
        "Made by corelocation \(CommandLineProgram.version), on a virtual clock. Energy is a model of \(modelled) "
          + "under open sky; the recording counts as the truth. The page tells where somebody was: mind whom "
          + "you give it to."))
  }
}
