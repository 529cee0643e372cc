import Testing

@testable import LocationService

@Suite("What the kernel's files say of a process")
struct ProcessTextTests {
  private let tail = "S 1 2 2 0 -1 4194560 100 0 0 0 1 2 0 0 20 0 1 0 73051 2265088 200 18446744073709551615"

  @Test("The start is the 22nd field, whatever the program calls itself (proc(5))")
  func start() {
    #expect(ProcessText.startTicks(stat: "12 (maps) \(tail)") == 73_051)
    #expect(ProcessText.startTicks(stat: "12 (a) S 1 2 (b c) \(tail)") == 73_051)
    #expect(ProcessText.startTicks(stat: "12 (a\n) \(tail)\n") == 73_051)
  }

  @Test("A line that is too short or no line has no start", arguments: ["", "12", "12 (maps)", "12 (maps) S 1 2"])
  func noStart(text: String) {
    #expect(ProcessText.startTicks(stat: text) == nil)
  }

  @Test("Users, groups and the filter of system calls are read; the effective user counts")
  func status() {
    let text = "Name:\tmaps\nUid:\t1000\t1001\t1000\t1000\nGid:\t100\t100\t100\t100\nGroups:\t27 100 \nSeccomp:\t2\n"
    #expect(
      ProcessText.status(text)
        == .init(effectiveUser: 1001, groups: [100, 100, 100, 100, 27, 100], hasSystemCallFilter: true))
  }

  @Test("A kernel without filters has no line for them; a file without users is none")
  func statusWithout() {
    #expect(ProcessText.status("Uid:\t0\t0\t0\t0\n")?.hasSystemCallFilter == false)
    #expect(ProcessText.status("Uid:\t0\t0\t0\t0\nSeccomp:\t0\n")?.hasSystemCallFilter == false)
    #expect(ProcessText.status("Name:\tmaps\nSeccomp:\t2\n") == nil)
    #expect(ProcessText.status("Uid:\t-1\tx\n") == nil)
  }
}

@Suite("Where systemd has put a process")
struct ControlGroupTests {
  @Test(
    "A service of the system's manager is one, in whatever slice and group below it",
    arguments: [
      "0::/system.slice/tracker.service", "0::/system.slice/system-getty.slice/tracker.service/inner",
      "5:devices:/\n1:name=systemd:/system.slice/tracker.service\n0::/", "0::/tracker.service",
    ])
  func system(text: String) {
    #expect(ControlGroup(text: text + "\n") == .systemService("tracker.service"))
  }

  @Test("An instance and a name that the kernel would take for its own keep theirs")
  func names() {
    #expect(ControlGroup(text: "0::/system.slice/track@a.service") == .systemService("track@a.service"))
    #expect(ControlGroup(text: "0::/system.slice/_cgroup.service") == .systemService("cgroup.service"))
  }

  @Test("A unit below a user's manager is the user's, also where it is called like one of the system")
  func user() {
    let manager = "0::/user.slice/user-1000.slice/user@1000.service"
    #expect(
      ControlGroup(text: manager + "/app.slice/app-gnome-org.example.Maps-12.scope")
        == .userUnit("app-gnome-org.example.Maps-12.scope", manager: 1000))
    #expect(
      ControlGroup(text: manager + "/system.slice/tracker.service") == .userUnit("tracker.service", manager: 1000))
    #expect(ControlGroup(text: manager + "/init.scope") == .userUnit(nil, manager: 1000))
    #expect(ControlGroup(text: manager) == .userUnit(nil, manager: 1000))
  }

  @Test(
    "Sessions, containers, names of the moment and groups out of sight are nothing to know an app by",
    arguments: [
      "/user.slice/user-1000.slice/session-3.scope", "/machine.slice/machine-a.scope", "/user.slice",
      "/system.slice/docker-0123456789ab.scope", "/../../system.slice/tracker.service",
      "/system.slice/run-u12.service", "/system.slice/run-r0123456789abcdef0123456789abcdef.service",
      "/system.slice/.service",
    ])
  func other(path: String) {
    #expect(ControlGroup(text: "0::\(path)\n") == .other(path))
  }

  @Test(
    "A group that is not named as systemd names them is none",
    arguments: [
      "0::/", "", "nonsense", "0::/docker/0123456789ab", "0::/elogind/3",
      "1:name=systemd:/\n0::/system.slice/a.service",
      "7:cpu:/system.slice/tracker.service",
    ])
  func none(text: String) {
    #expect(ControlGroup(text: text) == .none)
  }

  @Test("A service whose name only begins like those of systemd-run keeps it")
  func runLike() {
    #expect(ControlGroup(text: "0::/system.slice/run-uplink.service") == .systemService("run-uplink.service"))
  }

  @Test("Flatpak's scopes are named after the application, escaped as units are")
  func flatpak() {
    let manager = "0::/user.slice/user-1000.slice/user@1000.service/app.slice/"
    #expect(ControlGroup(text: manager + "app-flatpak-org.example.Maps-12.scope").flatpakName == "org.example.Maps")
    #expect(ControlGroup(text: manager + "flatpak-org.example.Maps-12.scope").flatpakName == "org.example.Maps")
    #expect(
      ControlGroup(text: manager + #"app-flatpak-org.example.my\x2dmaps-12.scope"#).flatpakName
        == "org.example.my-maps")
    #expect(ControlGroup(text: manager + #"app-flatpak-org.example.my\x2-12.scope"#).flatpakName == nil)
    #expect(ControlGroup(text: manager + "app-flatpak-12.scope").flatpakName == nil)
    #expect(ControlGroup(text: manager + "app-gnome-org.example.Maps-12.scope").flatpakName == nil)
    #expect(ControlGroup(text: "0::/system.slice/flatpak-org.example.Maps-12.scope").flatpakName == nil)
  }

  @Test("snapd's units are named after the snap")
  func snap() {
    let manager = "0::/user.slice/user-1000.slice/user@1000.service/app.slice/"
    #expect(ControlGroup(text: manager + "snap.maps.maps-0a1b.scope").snapName == "maps")
    #expect(ControlGroup(text: "0::/system.slice/snap.maps.watch.service").snapName == "maps")
    #expect(ControlGroup(text: "0::/system.slice/snapd.service").snapName == nil)
    #expect(ControlGroup(text: "0::/system.slice/snap.Maps!.x.service").snapName == nil)
  }
}

@Suite("What security modules say of a process")
struct SecurityLabelTests {
  @Test(
    "Who is not confined, or only watched, is free",
    arguments: [
      "unconfined\n", "unconfined\0", "", "kernel\n", "chrome (unconfined)\n", "/usr/bin/maps (complain)\n",
      "unconfined_u:unconfined_r:unconfined_t:s0-s0:c0.c1023\0",
      "system_u:system_r:unconfined_service_t:s0\0",
    ])
  func free(text: String) {
    #expect(SecurityLabel(text: text) == .unconfined)
  }

  @Test(
    "Every other label confines",
    arguments: [
      "/usr/bin/maps (enforce)", "bwrap//&unpriv_bwrap (enforce)", "system_u:system_r:gpsd_t:s0",
      "staff_u:staff_r:staff_t:s0", ":lxd-a:unconfined (mixed)", "snapd (enforce)",
    ])
  func confined(label: String) {
    #expect(SecurityLabel(text: label + "\n") == .confined(label))
  }

  @Test("A snap's label names it, also in developer mode and in a stack of labels")
  func snap() {
    #expect(SecurityLabel(text: "snap.maps.maps (enforce)\n") == .snap(name: "maps", label: "snap.maps.maps (enforce)"))
    #expect(
      SecurityLabel(text: "snap.maps_two.hook.install (complain)")
        == .snap(name: "maps_two", label: "snap.maps_two.hook.install (complain)"))
    let stack = "snap.maps.maps//&:ns:unconfined (enforce)"
    #expect(SecurityLabel(text: stack) == .snap(name: "maps", label: stack))
  }
}

@Suite("What Flatpak writes into a sandbox")
struct FlatpakInfoTests {
  @Test("The name of the application and the number of its start are read from their groups")
  func info() {
    let text =
      "[Context]\nname=org.example.Other\n\n[Application]\nname=org.example.Maps\nruntime=x/y/z\n"
      + "name=org.example.Second\n[Instance]\ninstance-id=123\n"
    let info = FlatpakInfo(text: text)
    #expect(info?.application == "org.example.Maps")
    #expect(info?.instance == "123")
  }

  @Test(
    "A file that names no application names none",
    arguments: [
      "", "[Runtime]\nname=org.example.Platform\n", "name=org.example.Maps\n", "[Application]\nname=\n",
      "[Application]\nname=maps\n", "[Application]\nname=org..Maps\n", "[Application]\nname=org.example/../Maps\n",
      "[Application]\nname=org.example.Maps evil\n", "[Application]\nname=org.example.\u{1B}[2J\n",
    ])
  func nameless(text: String) {
    #expect(FlatpakInfo(text: text) == nil)
  }
}
