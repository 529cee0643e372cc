/*
 * A plain client of gpsd: asks for JSON, and notes when it has read the first report of each moment.
 *
 *   bench-live-peer PORT SETTLE_SECONDS SECONDS
 *
 * Prints a line for each moment: tenths of a second since 1970, and CLOCK_MONOTONIC in nanoseconds when it was read.
 */
#include <arpa/inet.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MOMENTS_MAX 100000

static int64_t tenths[MOMENTS_MAX];
static int64_t heard[MOMENTS_MAX];

static int64_t now_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* The time of a report in tenths of a second; -1 where the line is no report with a time. */
static int64_t report_tenths(const char *line) {
  if (!strstr(line, "\"class\":\"TPV\"")) return -1;
  const char *text = strstr(line, "\"time\":\"");
  if (!text || !strstr(line, "\"lat\":")) return -1;
  struct tm parts = {0};
  int tenth = 0;
  if (sscanf(text + 8, "%d-%d-%dT%d:%d:%d.%1d", &parts.tm_year, &parts.tm_mon, &parts.tm_mday, &parts.tm_hour,
             &parts.tm_min, &parts.tm_sec, &tenth) < 6)
    return -1;
  parts.tm_year -= 1900;
  parts.tm_mon -= 1;
  return (int64_t)timegm(&parts) * 10 + tenth;
}

static int connect_to(uint16_t port) {
  static const char watch[] = "?WATCH={\"enable\":true,\"json\":true};\n";
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int file = socket(AF_INET, SOCK_STREAM, 0);
  if (file < 0 || connect(file, (struct sockaddr *)&address, sizeof address) != 0 ||
      write(file, watch, sizeof watch - 1) != (ssize_t)sizeof watch - 1) {
    perror("bench-live-peer");
    exit(1);
  }
  return file;
}

int main(int count, char **arguments) {
  if (count != 4) {
    fprintf(stderr, "bench-live-peer PORT SETTLE_SECONDS SECONDS\n");
    return 2;
  }
  int file = connect_to((uint16_t)atoi(arguments[1]));
  int64_t settle = (int64_t)(atof(arguments[2]) * 1e9), length = (int64_t)(atof(arguments[3]) * 1e9);
  int64_t first = 0;
  size_t moments = 0, held = 0;
  static char text[65536];
  while (moments < MOMENTS_MAX) {
    ssize_t size = read(file, text + held, sizeof text - 1 - held);
    int64_t now = now_nanoseconds();
    if (size <= 0) break;
    held += (size_t)size;
    char *line = text, *end;
    while ((end = memchr(line, '\n', held - (size_t)(line - text)))) {
      *end = 0;
      int64_t moment = report_tenths(line);
      line = end + 1;
      if (moment < 0) continue;
      if (!first) first = now;
      if (now - first >= settle && (!moments || tenths[moments - 1] != moment)) {
        tenths[moments] = moment;
        heard[moments++] = now;
      }
    }
    held -= (size_t)(line - text);
    memmove(text, line, held);
    if (held == sizeof text - 1) held = 0;
    if (first && now - first >= settle + length) break;
  }
  for (size_t index = 0; index < moments; index++)
    printf("%lld %lld\n", (long long)tenths[index], (long long)heard[index]);
  return 0;
}
