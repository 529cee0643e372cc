/// Where bytes come from.
package enum StreamEndpoint: Hashable, Sendable {
  case tcp(host: String, port: UInt16)
  /// Datagrams that come to this machine.
  case udp(port: UInt16)
  /// A serial port, another character device or a named pipe; the speed counts for serial ports alone.
  case device(path: String, SerialSpeed)
  case standardInput
}

/// What happens to a stream, in this order: `opened` once, `bytes` any number of times, `ended` once.
package enum StreamEvent {
  case opened
  /// Valid during the call. One datagram where the stream is made of them.
  case bytes(UnsafeRawBufferPointer)
  /// It could not be opened, or it is over.
  case ended(StreamEnd)
}

/// Why a stream is over.
package enum StreamEnd: Hashable, Sendable {
  /// The other side has closed it.
  case closed
  case failed(SystemError)
  /// A name without an address, in the resolver's words.
  case unknownHost(String)
  /// Another program has the device; nil where the system does not tell which.
  case busy(DeviceHolder?)

  /// Such as "Connection refused".
  package var text: String {
    switch self {
    case .closed: "closed by the other side"
    case .failed(let error): error.text
    case .unknownHost(let text): text
    case .busy(let holder?): "in use by \(holder)"
    case .busy(nil): "in use by another program"
    }
  }

  /// The person may not open it.
  package var isRefused: Bool {
    if case .failed(let error) = self { error.isRefused } else { false }
  }

  /// There is no such device now.
  package var isMissingDevice: Bool {
    if case .failed(let error) = self { error.isMissing } else { false }
  }
}
