import LinuxIO
import LocationModel
import LocationProviders
import Testing

@Suite("The compass of a machine: the proxy's, else the magnetometer")
struct MachineCompassTests {
  /// A sensor that says what the test says.
  private final class Sensor: HeadingSensor {
    private let events = Locked<(@Sendable (ProviderEvent) -> Void)?>(nil)
    private let wanted = Locked(false)

    var isWanted: Bool { wanted.withLock { $0 } }

    func connect(_ events: @escaping @Sendable (ProviderEvent) -> Void) { self.events.withLock { $0 = events } }

    func setWanted(_ isWanted: Bool) { wanted.withLock { $0 = isWanted } }

    func say(_ event: ProviderEvent) { events.withLock { $0 }?(event) }

    func point(_ degrees: Double) {
      say(.heading(HeadingSample(.magnetic(degrees: degrees), time: WallTime(secondsSince1970: 0))))
    }
  }

  /// Both sensors, and what their machine says of them, in words.
  private final class Machine {
    let proxy = Sensor()
    let magnetometer = Sensor()
    let compass: MachineCompass
    private let words = Locked<[String]>([])

    init() {
      compass = MachineCompass(proxy: proxy, magnetometer: magnetometer)
      compass.connect { [words] event in
        let word: String
        switch event {
        case .headingAvailable(let isAvailable): word = isAvailable ? "there" : "not there"
        case .heading(let sample):
          guard case .magnetic(let degrees) = sample.measurement else { return }
          word = "\(degrees)"
        case .notice(let sentence): word = sentence
        case .fix, .state: word = "no word of a compass"
        }
        words.withLock { $0.append(word) }
      }
    }

    /// What was said, once all that was asked for has been carried out.
    var said: [String] {
      compass.settle()
      return words.withLock { $0 }
    }
  }

  @Test("A magnetometer does until the proxy has a compass, and again once that is gone or refused")
  func change() {
    let machine = Machine()
    machine.magnetometer.say(.headingAvailable(true))
    machine.compass.setWanted(true)
    machine.magnetometer.point(10)
    #expect(machine.said == ["there", "10.0"])
    #expect(machine.magnetometer.isWanted && machine.proxy.isWanted)
    machine.proxy.say(.headingAvailable(true))
    machine.proxy.point(20)
    machine.magnetometer.point(11)
    #expect(machine.said == ["there", "10.0", "20.0"])
    #expect(!machine.magnetometer.isWanted, "two sensors run for one heading")
    machine.proxy.say(.headingAvailable(false))
    machine.proxy.point(21)
    machine.magnetometer.point(12)
    #expect(machine.said == ["there", "10.0", "20.0", "12.0"])
    #expect(machine.magnetometer.isWanted)
  }

  @Test("There is a compass while either has one; it is said once")
  func availability() {
    let machine = Machine()
    machine.proxy.say(.headingAvailable(true))
    machine.magnetometer.say(.headingAvailable(true))
    machine.proxy.say(.headingAvailable(false))
    machine.magnetometer.say(.headingAvailable(false))
    machine.proxy.say(.headingAvailable(true))
    #expect(machine.said == ["there", "not there", "there"])
  }

  @Test("Nothing is told, and no sensor runs, while no heading is wanted; a notice is handed on all the same")
  func unwanted() {
    let machine = Machine()
    machine.magnetometer.say(.headingAvailable(true))
    machine.magnetometer.point(10)
    machine.proxy.say(.notice("refused"))
    machine.compass.setWanted(true)
    machine.compass.setWanted(false)
    machine.magnetometer.point(10)
    #expect(machine.said == ["there", "refused"])
    #expect(!machine.magnetometer.isWanted && !machine.proxy.isWanted)
  }
}
