import TrackerDay

// Prints the table of a simulated day.

for line in try await DayTable.lines() { print(line) }
