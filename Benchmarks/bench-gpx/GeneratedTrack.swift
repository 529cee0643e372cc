import Glibc

/// Writes a GPX 1.1 file of 10 segments at 1 Hz, coordinates with 7 decimals, height and time: the file of which the
/// peers' figures are known. Nothing in it is random.
enum GeneratedTrack {
  static func write(to path: String, pointCount: Int) -> Bool {
    guard let file = fopen(path, "w") else { return false }
    fputs(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<gpx version=\"1.1\" creator=\"benchmark\" "
        + "xmlns=\"http://www.topografix.com/GPX/1/1\">\n<trk><name>generated</name>\n", file)
    let segmentLength = max(pointCount / 10, 1)
    for index in 0..<pointCount {
      if index % segmentLength == 0 { fputs(index == 0 ? "<trkseg>\n" : "</trkseg>\n<trkseg>\n", file) }
      writePoint(index, to: file)
    }
    fputs("</trkseg>\n</trk>\n</gpx>\n", file)
    return fclose(file) == 0
  }

  private static func writePoint(_ index: Int, to file: UnsafeMutablePointer<FILE>) {
    let angle = Double(index) * 1e-4
    let arguments: [any CVarArg] = [
      47.4979 + 0.5 * sin(angle), 19.0402 + 0.5 * cos(angle * 1.3), 150 + 50 * sin(angle * 7),
    ]
    withVaList(arguments) {
      _ = vfprintf(file, "  <trkpt lat=\"%.7f\" lon=\"%.7f\">\n    <ele>%.2f</ele>\n    <time>", $0)
    }
    var seconds = time_t(1_780_300_800 + index)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    var text = [CChar](repeating: 0, count: 32)
    strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
    fputs(text, file)
    fputs("</time>\n  </trkpt>\n", file)
  }
}
