/// The bus's own services: properties of objects, and who has a name.
extension BusConnection {
  private static let properties = "org.freedesktop.DBus.Properties"

  /// Sets a property; the answer is the error that the object gave, or nil.
  package func setProperty(
    _ name: String, of interface: String, at path: String, of destination: String, to value: BusValue,
    timeoutSeconds: Double, answer: @escaping (BusError?) -> Void
  ) {
    let arguments: [BusValue] = [.string(interface), .string(name), .variant(value)]
    call(
      BusCall(destination, path: path, interface: Self.properties, "Set", arguments), timeoutSeconds: timeoutSeconds
    ) { result in
      switch result {
      case .success: answer(nil)
      case .failure(let error): answer(error)
      }
    }
  }

  /// All properties of an interface of an object.
  package func getProperties(
    of interface: String, at path: String, of destination: String, timeoutSeconds: Double,
    answer: @escaping (Result<[String: BusValue], BusError>) -> Void
  ) {
    call(
      BusCall(destination, path: path, interface: Self.properties, "GetAll", [.string(interface)]),
      timeoutSeconds: timeoutSeconds
    ) { result in
      answer(
        result.flatMap { reply in
          guard let values = reply.values.first?.dictionary else {
            return .failure(BusError(name: BusError.invalidArguments, text: "GetAll gave no dictionary"))
          }
          return .success(values)
        })
    }
  }

  /// Hears each change of a property's interface: the names and values that changed.
  package func listenToProperties(
    of interface: String, at path: String, of sender: String, _ heard: @escaping ([String: BusValue]) -> Void
  ) throws(BusError) -> BusSubscription {
    let signal = BusSignal(
      sender: sender, path: path, interface: Self.properties, "PropertiesChanged", subject: interface)
    return try listen(to: signal) { event in
      if event.values.count > 1, let changed = event.values[1].dictionary { heard(changed) }
    }
  }

  /// Hears when a name gets another owner: the owner's unique name, or nil when nobody has it.
  package func watch(
    name: String, _ changed: @escaping (String?) -> Void
  ) throws(BusError) -> BusSubscription {
    let signal = BusSignal(
      sender: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
      "NameOwnerChanged", subject: name)
    return try listen(to: signal) { event in
      guard event.values.count == 3, let owner = event.values[2].text else { return }
      changed(owner.isEmpty ? nil : owner)
    }
  }
}
