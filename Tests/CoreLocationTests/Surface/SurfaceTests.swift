import CoreLocation
import Testing

@Suite("Apple's surface")
struct SurfaceTests {
  @Test("every applicable name is declared as Apple declares it")
  func everyApplicableNameIsDeclared() throws {
    let rows = try SurfaceTable.applicable()
    let declared = DeclaredSurface(try SymbolGraph.extract())
    var differing: [String] = []
    for row in rows {
      if row.isInvisibleToSymbolGraph {
        if !UnderscoredSurface.provenPaths.contains(row.path) { differing.append("\(row): not proven") }
      } else if let difference = declared.difference(from: row) {
        differing.append("\(row)\n    found: \(difference)")
      }
    }
    let declaredCount = rows.count - differing.count
    let share = String(format: "%.1f", 100 * Double(declaredCount) / Double(rows.count))
    print("surface: \(declaredCount) of \(rows.count) applicable rows declared (\(share) %)")
    #expect(differing.count == 0, "\(differing.joined(separator: "\n"))")
  }

  /// What every class of Apple's overrides or answers without a row of its own.
  private static let inherited: Set<String> = [
    "supportsSecureCoding", "encode(with:)", "copy(with:)", "isEqual(_:)", "hash", "description",
    // Every iterator has it, by a default of Swift's where Apple writes none.
    "Iterator.next(isolation:)",
  ]

  /// What stands in for Objective-C: optional calls (clients 1) and errors that are caught by name (clients 8).
  private static let standIns: Set<String> = [
    "CLLocationManagerDelegate.locationManager", "CLLocationManagerDelegate.locationManagerDidChangeAuthorization",
    "CLLocationManagerDelegate.locationManagerDidPauseLocationUpdates",
    "CLLocationManagerDelegate.locationManagerDidResumeLocationUpdates",
    "CLLocationManagerDelegate.locationManagerShouldDisplayHeadingCalibration", "CLError.Code.~=(_:_:)",
    "CLLocationPushServiceError.Code.~=(_:_:)",
  ]

  @Test("no public name is there that Apple has not, but the stand-ins for Objective-C")
  func nothingBeyondApple() throws {
    let declared = DeclaredSurface(try SymbolGraph.extract())
    let beyond = declared.pathsBeyond(try SurfaceTable.applicable()).filter { path in
      !Self.inherited.contains { path.hasSuffix(".\($0)") }
    }
    #expect(Set(beyond) == Self.standIns)
  }

  // Apple's surface has 556 names in the newest SDK that was surveyed, 26.5 with the additions of the 27 beta.
  @Test("the applicable and the excluded names are all of Apple's 556")
  func tablesAreComplete() throws {
    let applicable = try SurfaceTable.applicable()
    #expect(applicable.count + (try SurfaceTable.excludedCount()) == 556)
    let keys = Set(applicable.map { "\($0.path)\t\($0.declaration)" })
    #expect(keys.count == applicable.count)
  }

  @Test("names that the symbol graph leaves out have Apple's values")
  func underscoredNames() {
    #expect(UnderscoredSurface.useMonitoringState() == [0, 1, 2, 3])
    let error = NSError(domain: "any", code: 7)
    #expect(UnderscoredSurface.useErrors(error) == (error, error))
  }
}
