/// A value in a place of its own, so that what holds it is short; a value still, since an array of one is.
///
/// The engine, its apps and their sessions are handed from function to function for every fix, and are copied on the
/// way as far as they are not boxed.
@propertyWrapper
struct Boxed<Value> {
  private var place: [Value]

  init(wrappedValue: Value) {
    place = [wrappedValue]
  }

  var wrappedValue: Value {
    get { place[0] }
    _modify { yield &place[0] }
  }
}

/// The same for a value that is seldom there: without it there is no place.
@propertyWrapper
struct SeldomBoxed<Value> {
  /// Empty, or one that is there.
  private var place: [Value?]

  init(wrappedValue: Value?) {
    place = wrappedValue == nil ? [] : [wrappedValue]
  }

  var wrappedValue: Value? {
    get { place.isEmpty ? nil : place[0] }
    _modify {
      if place.isEmpty {
        var value: Value?
        defer { if value != nil { place = [value] } }
        yield &value
      } else {
        yield &place[0]
        if place[0] == nil { place = [] }
      }
    }
  }
}

extension Boxed: Sendable where Value: Sendable {}
extension SeldomBoxed: Sendable where Value: Sendable {}
