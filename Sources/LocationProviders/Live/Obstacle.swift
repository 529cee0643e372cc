/// What is in the way of a source's locations, by the cure that it needs.
package enum Obstacle: Hashable, Sendable {
  /// There is no such device or file.
  case missing
  case forbidden
  case inUse
  /// A device that no receiver can be behind, such as /dev/null.
  case noPort
  /// Nobody answers at this address, or nobody can be asked.
  case unreachable
  /// The name of the machine to ask has no address.
  case unknownHost
  /// The other side has ended it, or it was unplugged.
  case closed
  /// It is open, and not a byte has come.
  case silent
  /// It was understood, and nothing comes any more.
  case fellSilent
  /// Bytes come, and none of them is what is spoken here.
  case foreign
  /// gpsd's protocol where sentences were looked for.
  case speaksGPSD
  /// Sentences where gpsd was looked for.
  case speaksSentences
  /// gpsd of another major version of its protocol.
  case otherVersion
  /// gpsd knows of no receiver.
  case withoutReceiver
  /// gpsd knows receivers and hears nothing of them.
  case receiverSilent
}

/// What a source has to speak to be understood.
package enum SourceLanguage: Hashable, Sendable {
  case gpsd
  case sentences
  /// Over a serial port, whose speed is found.
  case sentencesAtAnySpeed
  /// Not a stream of bytes.
  case other
}

extension ProviderStatus {
  /// Fewer bytes than any sentence has, such as a line picks up when a plug goes in, count as nothing said.
  package static let foreignBytesMin = 16

  /// Why a source that is open gives nothing, as far as was heard by now.
  ///
  /// - Parameter isStillHeard: bytes have come of late, for a source that was understood before: what it said before it
  ///   fell silent may have ended in the middle of a sentence.
  package func silence(isStillHeard: Bool = true) -> (obstacle: Obstacle, problem: String) {
    let wasUnderstood = isServing || phase == .lost
    if foreignByteCount >= Self.foreignBytesMin && (isStillHeard || !wasUnderstood) { return (.foreign, foreignText) }
    if language == .gpsd, sender != nil {
      let receivers = devices.joined(separator: ", ")
      if receivers.isEmpty { return (.withoutReceiver, "\(name) has no receiver") }
      return (.receiverSilent, "\(name) hears nothing \(wasUnderstood ? "more " : "")from \(receivers)")
    }
    return wasUnderstood ? (.fellSilent, "\(name) has fallen silent") : (.silent, "\(name) says nothing")
  }

  private var foreignText: String {
    switch language {
    case .gpsd: "\(name) sends what is not gpsd's protocol"
    case .sentencesAtAnySpeed: "\(name) sends bytes that are not NMEA 0183, at any speed that was tried"
    case .sentences, .other: "\(name) sends bytes that are not NMEA 0183"
    }
  }

  /// As it stands when nobody listens any longer: a source that is open and was not understood has a problem by then.
  package var concluded: ProviderStatus {
    guard isOpen, phase == .starting else { return self }
    var status = self
    let (obstacle, problem) = silence()
    status.obstacle = obstacle
    status.problem = problem
    return status
  }
}
