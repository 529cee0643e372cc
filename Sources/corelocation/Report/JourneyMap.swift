import LocationModel
import LocationRuntime

/// The journey, what was told on it, and what was watched, as a drawing.
struct JourneyMap {
  var track: JourneyTrack
  var notes: JourneyNotes.Content
  var regions: [Region]

  /// More labels than these cover the map.
  private static let labelsMax = 24
  /// Points nearer to each other than so many units cannot be told apart.
  private static let lineStepUnits = 0.8
  private static let dotStepUnits = 4.0

  var markup: String {
    let circles = drawnCircles
    let frame = MapFrame(
      places: track.points.map(\.place) + notes.visits.map(\.visit.coordinate),
      circles: circles.map { ($0.center, $0.radiusMeters) })
    let edges = circles.map { circle in
      let center = frame.point(circle.center)
      return HTML.element(
        "circle",
        [
          "class": "region", "cx": number(center.x), "cy": number(center.y),
          "r": number(max(2, frame.units(ofMeters: circle.radiusMeters, at: circle.center))),
        ])
    }
    var shapes: [String] = []
    if let pole = frame.pole { shapes.append(path("pole", dots([pole], frame, step: 0))) }
    shapes.append(path("way", line(frame)))
    shapes.append(path("told", dots(notes.locations.map(\.fix.coordinate), frame, step: Self.dotStepUnits)))
    shapes.append(path("pause", dots(pausePlaces, frame, step: 0)))
    // On a small map a dot may be larger than the region around it.
    shapes += edges
    shapes.append(path("visit", dots(notes.visits.map(\.visit.coordinate), frame, step: 0)))
    shapes.append(path("end", dots([track.points.first, track.points.last].compactMap { $0?.place }, frame, step: 0)))
    let drawing = HTML.element(
      "svg", ["viewBox": "0 0 \(number(MapFrame.width)) \(number(frame.height))", "width": "100%", "height": "100%"],
      shapes.joined(separator: "\n"))
    let whole = HTML.element(
      "svg",
      [
        "class": "map", "role": "img",
        "aria-label": frame.isNorthUpEverywhere ? "Map of the journey, north up" : "Map of the journey",
        "style": "aspect-ratio: \(number(MapFrame.width)) / \(number(frame.height))",
      ], drawing + labels(frame, circles).joined(separator: "\n"))
    return HTML.element("div", ["class": "frame"], whole + (frame.pole == nil ? north : "") + scale(frame))
      + legend(circles.count) + directions(frame)
  }

  // MARK: Shapes

  private typealias Circle = (identifier: String, center: Coordinate, radiusMeters: Double)

  /// Those at or near the journey: one on another continent would make a dot of it.
  private var drawnCircles: [Circle] {
    let reach = max(1_000, track.lengthMeters)
    return regions.compactMap { region in
      guard case .circle(let center, let radius) = region.shape, radius <= reach,
        let start = track.points.first?.place,
        Geodesic.distanceMeters(from: start, to: center) <= reach + radius
      else { return nil }
      return (region.identifier, center, radius)
    }
  }

  private func line(_ frame: MapFrame) -> String {
    var text = ""
    var last: (x: Double, y: Double)?
    for (index, entry) in track.points.enumerated() {
      let point = frame.point(entry.place)
      if let last, index + 1 < track.points.count,
        abs(point.x - last.x) < Self.lineStepUnits, abs(point.y - last.y) < Self.lineStepUnits
      {
        continue
      }
      text += (text.isEmpty ? "M" : "L") + "\(number(point.x)) \(number(point.y))"
      last = point
    }
    return text
  }

  /// Lines of no length with round ends: dots of one size, however large the map is shown.
  private func dots(_ places: [Coordinate], _ frame: MapFrame, step: Double) -> String {
    var text = ""
    var last: (x: Double, y: Double)?
    for place in places {
      let point = frame.point(place)
      if let last, abs(point.x - last.x) < step, abs(point.y - last.y) < step { continue }
      text += "M\(number(point.x)) \(number(point.y))h0"
      last = point
    }
    return text
  }

  private var pausePlaces: [Coordinate] {
    notes.pauses.filter(\.isPaused).compactMap { pause in
      (track.points.last { $0.seconds <= pause.seconds } ?? track.points.first)?.place
    }
  }

  private func path(_ kind: String, _ data: String) -> String {
    data.isEmpty ? "" : HTML.element("path", ["class": kind, "d": data])
  }

  private func number(_ value: Double) -> String { DecimalText.fixed(value, digits: value == value.rounded() ? 0 : 1) }

  // MARK: Words

  private func labels(_ frame: MapFrame, _ circles: [Circle]) -> [String] {
    func label(_ words: String, _ place: Coordinate, above units: Double = 0, lower: Bool = false) -> String {
      var point = frame.point(place)
      point.y -= units
      let share = point.x / MapFrame.width
      return HTML.element(
        "text",
        [
          "x": ReportNumber.percent(share), "y": ReportNumber.percent(point.y / frame.height),
          "dy": lower ? "20" : "-6",
          "text-anchor": share < 0.15 ? "start" : share > 0.85 ? "end" : "middle",
        ], HTML.text(words))
    }
    var labels = circles.prefix(Self.labelsMax).map {
      label($0.identifier, $0.center, above: frame.units(ofMeters: $0.radiusMeters, at: $0.center))
    }
    if let first = track.points.first, let last = track.points.last {
      if Geodesic.distanceMeters(from: first.place, to: last.place) < 40 * frame.metersPerUnit {
        labels.append(label("start and end", first.place, lower: true))
      } else {
        labels.append(label("start", first.place, lower: true))
        labels.append(label("end", last.place, lower: true))
      }
    }
    if let pole = frame.pole { labels.append(label(pole.latitude > 0 ? "North Pole" : "South Pole", pole)) }
    return labels
  }

  private var north: String {
    HTML.element(
      "div", ["class": "north"],
      HTML.element(
        "svg", ["viewBox": "0 0 20 26", "width": "20", "height": "26", "aria-hidden": "true"],
        HTML.element("path", ["d": "M10 0 L17 24 L10 19 L3 24 Z"])) + "N")
  }

  /// Where an arrow would promise too much.
  private func directions(_ frame: MapFrame) -> String {
    if frame.isNorthUpEverywhere { return "" }
    let words =
      frame.pole == nil
      ? "So near to a pole north is up in the middle of the map only."
      : "Across a pole no direction of the map is north everywhere."
    return HTML.element("p", [:], words)
  }

  private func scale(_ frame: MapFrame) -> String {
    let meters = frame.scaleMeters
    let width = ReportNumber.percent(meters / frame.metersPerUnit / MapFrame.width)
    return HTML.element(
      "div", ["class": "scale", "style": "width: \(width)"], ReportNumber.length(meters))
  }

  private func legend(_ circleCount: Int) -> String {
    var entries = [("way", "the recording")]
    if !notes.locations.isEmpty { entries.append(("told", "a location told")) }
    if circleCount > 0 { entries.append(("region", "a region")) }
    if !notes.visits.isEmpty { entries.append(("visit", "a visit")) }
    if notes.pauses.contains(where: \.isPaused) { entries.append(("pause", "updates paused")) }
    let items = entries.map { HTML.element("li", [:], HTML.element("span", ["class": "key \($0.0)"], "") + $0.1) }
    let missing = regions.count - circleCount
    let note =
      missing > 0 ? HTML.element("p", [:], "Not on the map, too far away, too large or beacons: \(missing).") : ""
    return HTML.element("ul", ["class": "legend"], items.joined()) + note
  }
}
