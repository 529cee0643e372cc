import Testing

@testable import LocationService

@Suite("The service's own part of the control groups is found in what the kernel lists")
struct GroupTreeTests {
  private static let unified = "31 23 0:28 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n"

  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var mounts: String
    var groups: String
    var folder: String?
  }

  static let cases = [
    Case(
      testDescription: "a person's service under systemd", mounts: unified,
      groups: "0::/user.slice/user-1000.slice/user@1000.service/app.slice/corelocationd.service\n",
      folder: "/sys/fs/cgroup/user.slice/user-1000.slice/user@1000.service/app.slice/corelocationd.service"),
    Case(testDescription: "the root of all groups", mounts: unified, groups: "0::/\n", folder: "/sys/fs/cgroup"),
    Case(
      testDescription: "beside hierarchies of version 1",
      mounts: "32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
        + "41 31 0:38 / /sys/fs/cgroup/unified rw shared:9 - cgroup2 cgroup2 rw\n",
      groups: "2:cpu:/elsewhere\n0::/service\n", folder: "/sys/fs/cgroup/unified/service"),
    Case(
      testDescription: "a part of the hierarchy, as in a container, at a path with a blank",
      mounts: "41 31 0:38 /machine /mnt/my\\040groups rw - cgroup2 cgroup2 rw\n", groups: "0::/machine/a\n",
      folder: "/mnt/my groups/a"),
    Case(
      testDescription: "a part that the service is not in",
      mounts: "41 31 0:38 /machine /mnt rw - cgroup2 cgroup2 rw\n",
      groups: "0::/machine2/a\n", folder: nil),
    Case(testDescription: "out of sight", mounts: unified, groups: "0::/../other\n", folder: nil),
    Case(
      testDescription: "version 1 only", mounts: "32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n",
      groups: "2:cpu:/a\n", folder: nil),
    Case(testDescription: "lines that are none", mounts: "a - cgroup2\n- - -\n\n", groups: "0::/\n", folder: nil),
  ]

  @Test("The folder of the own group", arguments: cases)
  func folder(entry: Case) {
    #expect(GroupTree.ownFolder(mounts: entry.mounts, groups: entry.groups) == entry.folder)
  }

  @Test("Two services never take each other's groups, and one knows its own again")
  func prefix() {
    #expect(GroupTree.prefix(for: "/run/user/1/a") == GroupTree.prefix(for: "/run/user/1/a"))
    #expect(GroupTree.prefix(for: "/run/user/1/a") != GroupTree.prefix(for: "/run/user/1/b"))
    // FNV-1a of the empty text is its offset basis.
    #expect(GroupTree.prefix(for: "") == "corelocation-cbf29ce484222325-")
  }

  @Test("A group is never taken for a unit of systemd, whatever its app is called")
  func names() throws {
    guard let tree = GroupTree.find(owner: "names") else { return }
    for name in ["org.example.service", "a.scope", "a.slice"] {
      let group = try tree.makeGroup(for: name, launch: "1.2")
      #expect(ControlGroup(text: "0::/\(group.folder.split(separator: "/").last ?? "")\n") == .none)
      #expect(group.remove())
    }
  }
}
