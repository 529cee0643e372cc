import Glibc

/// The three descriptors that a program is started with.
enum StandardDescriptors {
  /// Occupies those that the caller has closed, so that no file or queue of the program's own gets their number. Each
  /// is opened the wrong way round, standard output for reading: using it fails as it would on a closed one.
  static func occupyClosed() {
    for (descriptor, flags) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
    where fcntl(descriptor, F_GETFD) < 0 {
      // Gets the lowest free number, which is this one.
      _ = open("/dev/null", flags)
    }
  }

  /// Whether results go into a plain file, which nobody watches.
  static var outputIsFile: Bool {
    var status = stat()
    return fstat(STDOUT_FILENO, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}
