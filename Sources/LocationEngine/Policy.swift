/// The rules of one engine: `PolicyFields`, whose fields are read and set here as if they were this value's own.
///
/// A reference to them, since they are long to copy and every step hands them on many times.
@dynamicMemberLookup
package struct Policy: Hashable, Sendable {
  private final class Storage: Sendable {
    let fields: PolicyFields

    init(_ fields: PolicyFields) { self.fields = fields }
  }

  private var storage: Storage

  package init(_ fields: PolicyFields) {
    storage = Storage(fields)
  }

  /// `PolicyFields(era:)`.
  package init(era: Era = .iOS18) {
    self.init(PolicyFields(era: era))
  }

  /// `PolicyFields(fields:)`.
  package init(fields: [(name: String, value: PolicyFields.Value)]) throws(PolicyFields.FieldError) {
    self.init(try PolicyFields(fields: fields))
  }

  package var fields: PolicyFields { storage.fields }

  package subscript<Field>(dynamicMember field: WritableKeyPath<PolicyFields, Field>) -> Field {
    get { storage.fields[keyPath: field] }
    set {
      var fields = storage.fields
      fields[keyPath: field] = newValue
      storage = Storage(fields)
    }
  }

  package static func == (left: Policy, right: Policy) -> Bool {
    left.storage === right.storage || left.fields == right.fields
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(fields)
  }
}
