import CoreLocation

// One way to own a location manager, named by the argument; prints what its delegate hears, and where.
// The main thread runs its run loop, as most programs for Apple's platforms do.

let scenario = CommandLine.arguments.dropFirst().first ?? ""
let run = Scenarios.named(scenario)
guard let run else {
  print("unknown scenario \(scenario)")
  exit(2)
}
run()
RunLoop.main.run()
