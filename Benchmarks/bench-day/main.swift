import BenchmarkSupport
import CoreLocation

// A day at 1 Hz: 86,400 points of a GPX file to 86,400 calls of a delegate on the main thread's run loop, the recording
// played as fast as it is heard. Processor seconds of the whole process, from before the file is opened.

let day = DayListener(points: CommandLine.arguments.contains("--tiny") ? 864 : 86_400)
day.begin()
RunLoop.main.run()
