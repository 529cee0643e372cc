import CoreLocation

// FirstLocation [SECONDS]: prints each location as it comes, for so long or for ever.

let follower = LocationFollower()

if CommandLine.arguments.count > 1 {
  guard let seconds = TimeInterval(CommandLine.arguments[1]), seconds > 0, seconds.isFinite else {
    print("FirstLocation: SECONDS is a number above zero, not \(CommandLine.arguments[1]).")
    exit(2)
  }
  let end = Timer(fire: Date(timeIntervalSinceNow: seconds), interval: 0, repeats: false) { _ in
    print("\(CommandLine.arguments[1]) seconds have passed.")
    exit(0)
  }
  RunLoop.main.add(end, forMode: .default)
}

RunLoop.main.run()
