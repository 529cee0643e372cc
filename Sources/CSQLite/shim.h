#pragma once
#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast that Swift cannot read: the bytes are copied before the call returns.
static inline int corelocation_bind_text(sqlite3_stmt *statement, int index, const char *bytes, int count) {
  return sqlite3_bind_text(statement, index, bytes, count, SQLITE_TRANSIENT);
}

static inline int corelocation_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
  return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

// Takes a variable number of arguments, which Swift cannot pass. Sets the connection's reserve of small blocks.
static inline int corelocation_set_lookaside(sqlite3 *database, int size, int count) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_LOOKASIDE, (void *)0, size, count);
}

// As above. Closing then leaves the log beside the file, as it is.
static inline int corelocation_keep_log_on_close(sqlite3 *database, int keeps) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keeps, (int *)0);
}
