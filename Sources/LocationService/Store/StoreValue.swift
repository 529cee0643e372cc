import CSQLite
import LocationModel

/// A value on its way into the database.
enum StoreValue {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case bytes([UInt8])

  static func flag(_ flag: Bool) -> StoreValue { .integer(flag ? 1 : 0) }
  static func number(_ number: Int) -> StoreValue { .integer(Int64(number)) }
  static func time(_ time: WallTime) -> StoreValue { .integer(time.nanosecondsSince1970) }

  static func optional<Value>(_ value: Value?, _ make: (Value) -> StoreValue) -> StoreValue {
    value.map(make) ?? .null
  }

  func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    switch self {
    case .null: return sqlite3_bind_null(statement, index)
    case .integer(let number): return sqlite3_bind_int64(statement, index, number)
    case .real(let number): return sqlite3_bind_double(statement, index, number)
    case .text(var text):
      return text.withUTF8 { bytes in
        guard let count = Int32(exactly: bytes.count) else { return SQLITE_TOOBIG }
        // An empty buffer may have no address, which would stand for no text at all.
        guard let base = bytes.baseAddress else { return corelocation_bind_text(statement, index, "", 0) }
        return base.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
          corelocation_bind_text(statement, index, $0, count)
        }
      }
    case .bytes(let bytes):
      guard let count = Int32(exactly: bytes.count) else { return SQLITE_TOOBIG }
      if count == 0 { return sqlite3_bind_zeroblob(statement, index, 0) }
      return bytes.withUnsafeBytes { corelocation_bind_blob(statement, index, $0.baseAddress, count) }
    }
  }
}

/// One row that a statement has come to; good until the statement moves on.
struct StoreRow {
  fileprivate let statement: OpaquePointer

  init(statement: OpaquePointer) {
    self.statement = statement
  }

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }
  func real(_ column: Int32) -> Double { sqlite3_column_double(statement, column) }
  func flag(_ column: Int32) -> Bool { integer(column) != 0 }
  func time(_ column: Int32) -> WallTime { WallTime(nanosecondsSince1970: integer(column)) }

  func bytes(_ column: Int32) -> [UInt8] {
    let start = sqlite3_column_blob(statement, column)
    let count = Int(sqlite3_column_bytes(statement, column))
    return Array(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }

  func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }

  func optional<Value>(_ column: Int32, _ read: (Int32) -> Value) -> Value? {
    isNull(column) ? nil : read(column)
  }
}
