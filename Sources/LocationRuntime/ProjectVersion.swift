/// The version that every program of this package names.
package enum ProjectVersion {
  package static let text = "0.1.0"
}
