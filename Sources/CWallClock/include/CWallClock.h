#pragma once
// The wall clock of a simulated device: code that belongs to one reads the device's time wherever the C library is
// asked for the time of day, Foundation's Date() included. Every other clock, and all other code, is left alone.

#include <stdbool.h>
#include <time.h>

/// Fills in the time and returns true where the calling code belongs to a device.
typedef bool (*wall_clock_answer)(struct timespec *time);

/// Asks `answer` before the machine's clock, from now on, on every thread. `answer` may read the time itself: a
/// question from inside it goes to the machine.
void wall_clock_ask_first(wall_clock_answer answer);
