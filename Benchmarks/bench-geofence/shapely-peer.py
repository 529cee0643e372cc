"""The peer of bench-geofence: circles' boxes in shapely's STRtree, haversine by numpy, bulk queries of 100,000 points.

Usage: shapely-peer.py FILE CIRCLES FIXES; the file holds doubles, three a circle and then two a fix.
"""

import resource
import sys
import time

import numpy
import shapely

EARTH_RADIUS = 6371008.8
BATCH = 100_000


def haversine(latitude1, longitude1, latitude2, longitude2):
    latitude1, longitude1, latitude2, longitude2 = map(
        numpy.radians, (latitude1, longitude1, latitude2, longitude2)
    )
    along = numpy.sin((latitude2 - latitude1) / 2)
    across = numpy.sin((longitude2 - longitude1) / 2)
    square = along**2 + numpy.cos(latitude1) * numpy.cos(latitude2) * across**2
    return 2 * EARTH_RADIUS * numpy.arcsin(numpy.sqrt(square))


def main():
    name, circle_count, fix_count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    numbers = numpy.fromfile(name)
    circles = numbers[: 3 * circle_count].reshape(-1, 3)
    fixes = numbers[3 * circle_count :].reshape(fix_count, 2)
    latitude, longitude, radius = circles.T

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    high = numpy.degrees(radius / EARTH_RADIUS) * 1.0001
    wide = high / numpy.cos(numpy.radians(numpy.abs(latitude) + high))
    tree = shapely.STRtree(
        shapely.box(longitude - wide, latitude - high, longitude + wide, latitude + high)
    )
    tree.query(shapely.Point(0, 0))
    built = time.process_time()
    growth = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024

    matches = 0
    for first in range(0, fix_count, BATCH):
        part = fixes[first : first + BATCH]
        point, found = tree.query(shapely.points(part[:, 1], part[:, 0]))
        distance = haversine(latitude[found], longitude[found], part[point, 0], part[point, 1])
        matches += int((distance <= radius[found]).sum())
    done = time.process_time()
    print(
        f"  shapely {shapely.__version__} STRtree  build {built - start:.3f} s  "
        f"{fix_count / (done - built) / 1e6:.3f} M fixes/s  {matches} matches  "
        f"{growth / circle_count:.1f} bytes a circle  (haversine, bulk queries)",
        flush=True,
    )


main()
