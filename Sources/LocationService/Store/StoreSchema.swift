/// The layout of the store's file, as the steps that lead to it. A step that was released is never changed: a new
/// layout is a new step at the end.
struct StoreSchema: Sendable {
  /// Step N takes a file of version N to version N + 1; an empty file has version 0.
  var migrations: [String]

  var version: Int { migrations.count }

  /// Marks the file as one of ours: "CLLx" in ASCII.
  static let applicationNumber: Int64 = 0x434C_4C78

  static let current = StoreSchema(migrations: [firstLayout, regionMargins, bundles, lives, runningLives])

  /// Values stand in columns of their own and not in encoded pieces, so that SQL can migrate them and a person can
  /// read them. Times are nanoseconds since 1970. What is unknown is NULL.
  private static let firstLayout = """
    CREATE TABLE identity (
      id INTEGER PRIMARY KEY,
      -- -1 where the service serves one user: NULLs would never be equal.
      user INTEGER NOT NULL,
      name TEXT NOT NULL,
      UNIQUE (user, name)
    ) STRICT;

    CREATE TABLE app (
      identity INTEGER PRIMARY KEY REFERENCES identity (id),
      level INTEGER NOT NULL CHECK (level BETWEEN 0 AND 3),
      is_provisional INTEGER NOT NULL,
      is_precise INTEGER NOT NULL,
      has_requested_always INTEGER NOT NULL,
      is_restricted INTEGER NOT NULL,
      decided_at INTEGER,
      kind TEXT,
      executable_path TEXT
    ) STRICT;

    CREATE TABLE description (
      identity INTEGER PRIMARY KEY REFERENCES app (identity) ON DELETE CASCADE,
      when_in_use_usage TEXT,
      always_and_when_in_use_usage TEXT,
      always_usage TEXT,
      prefers_reduced_accuracy INTEGER NOT NULL,
      has_location_background_mode INTEGER NOT NULL,
      requires_explicit_service_session INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE temporary_usage (
      identity INTEGER NOT NULL REFERENCES description (identity) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      purpose_key TEXT NOT NULL,
      text TEXT NOT NULL,
      PRIMARY KEY (identity, position)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE registration (
      identity INTEGER PRIMARY KEY REFERENCES app (identity) ON DELETE CASCADE,
      monitors_significant_changes INTEGER NOT NULL,
      monitors_visits INTEGER NOT NULL,
      engine_state BLOB
    ) STRICT;

    CREATE TABLE region (
      identity INTEGER NOT NULL REFERENCES registration (identity) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      identifier TEXT NOT NULL,
      latitude REAL, longitude REAL, radius_meters REAL,
      uuid BLOB, major INTEGER, minor INTEGER,
      notifies_on_entry INTEGER NOT NULL,
      notifies_on_exit INTEGER NOT NULL,
      notifies_entry_state_on_display INTEGER NOT NULL,
      state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 2),
      PRIMARY KEY (identity, position),
      CHECK (
        (uuid IS NULL AND latitude IS NOT NULL AND longitude IS NOT NULL AND radius_meters IS NOT NULL
          AND major IS NULL AND minor IS NULL)
        OR (length(uuid) = 16 AND latitude IS NULL AND longitude IS NULL AND radius_meters IS NULL)),
      CHECK (major BETWEEN 0 AND 65535),
      CHECK (minor BETWEEN 0 AND 65535)
    ) STRICT, WITHOUT ROWID;

    -- A number that was given once is never given again, also after the last row is gone.
    CREATE TABLE pending_event (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      identity INTEGER NOT NULL REFERENCES app (identity) ON DELETE CASCADE,
      event BLOB NOT NULL
    ) STRICT;
    CREATE INDEX pending_event_of_app ON pending_event (identity, id);

    CREATE TABLE last_fix (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      latitude REAL NOT NULL, longitude REAL NOT NULL,
      horizontal_accuracy_meters REAL,
      altitude_meters REAL, ellipsoidal_altitude_meters REAL, vertical_accuracy_meters REAL,
      speed_meters_per_second REAL, speed_accuracy_meters_per_second REAL,
      course_degrees REAL, course_accuracy_degrees REAL,
      floor INTEGER,
      time INTEGER NOT NULL,
      is_simulated INTEGER NOT NULL,
      is_from_accessory INTEGER NOT NULL,
      source INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

    -- Outlives the app: what was is not changed by forgetting who did it. Never a place.
    CREATE TABLE access (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      identity INTEGER NOT NULL REFERENCES identity (id),
      service TEXT NOT NULL,
      is_precise INTEGER NOT NULL,
      began_at INTEGER NOT NULL,
      ended_at INTEGER
    ) STRICT;
    CREATE INDEX access_of_app ON access (identity, id);

    CREATE TABLE write_probe (id INTEGER PRIMARY KEY CHECK (id = 1), count INTEGER NOT NULL) STRICT;
    INSERT INTO write_probe VALUES (1, 0);
    """

  /// How far beyond its edge an app wants to be told of a circle (behaviour 5.24).
  private static let regionMargins = """
    ALTER TABLE region ADD COLUMN margin_meters REAL;
    """

  /// What is installed. The user stands here too, for the look-up of a program and its being one app's only.
  private static let bundles = """
    CREATE TABLE bundle (
      identity INTEGER PRIMARY KEY REFERENCES app (identity) ON DELETE CASCADE,
      user INTEGER NOT NULL,
      path TEXT NOT NULL,
      executable_path TEXT NOT NULL,
      installed_at INTEGER NOT NULL,
      UNIQUE (user, executable_path),
      UNIQUE (user, path)
    ) STRICT;

    CREATE TABLE background_mode (
      identity INTEGER NOT NULL REFERENCES bundle (identity) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      mode TEXT NOT NULL,
      PRIMARY KEY (identity, position)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE device_requirement (
      identity INTEGER NOT NULL REFERENCES bundle (identity) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      capability TEXT NOT NULL,
      is_present INTEGER NOT NULL,
      PRIMARY KEY (identity, position)
    ) STRICT, WITHOUT ROWID;
    """

  /// What of an app's life outlives its process.
  private static let lives = """
    CREATE TABLE life (
      identity INTEGER PRIMARY KEY REFERENCES app (identity) ON DELETE CASCADE,
      was_force_quit INTEGER NOT NULL,
      had_background_activity INTEGER NOT NULL,
      had_always_session INTEGER NOT NULL,
      allows_background_refresh INTEGER NOT NULL
    ) STRICT;
    """

  /// How an app runs.
  private static let runningLives = """
    ALTER TABLE life ADD COLUMN running INTEGER NOT NULL DEFAULT 0 CHECK (running BETWEEN 0 AND 2);
    """
}
