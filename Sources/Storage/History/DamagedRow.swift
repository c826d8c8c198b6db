internal import GRDB

/// A row of the history whose values are not of the types that Sortie writes: the file was changed by another program, or damaged.
struct DamagedRow: Error, CustomStringConvertible {
    /// The number of the exchange.
    let number: Int64
    /// What is wrong: “the column startedAt holds text”.
    let problem: String

    init(_ number: Int64, _ problem: String) {
        (self.number, self.problem) = (number, problem)
    }

    /// What is wrong and the way out.
    var description: String {
        "number \(number) cannot be read: \(problem); the other exchanges can; sortie history delete \(number) removes it"
    }
}

extension Row {
    /// The value of a column, converted without a trap: GRDB's own conversions end the program where a type does not fit.
    ///
    /// - Parameters:
    ///   - column: its name, for the error.
    ///   - number: the exchange that the row is about, for the error.
    func value<Value: DatabaseValueConvertible>(
        _ index: Int, _ column: String, of number: Int64, as type: Value.Type = Value.self
    ) throws(DamagedRow) -> Value {
        guard let value: Value = try optional(index, column, of: number) else { throw DamagedRow(number, "the column \(column) is empty") }
        return value
    }

    /// The value of a column that may be empty.
    func optional<Value: DatabaseValueConvertible>(
        _ index: Int, _ column: String, of number: Int64, as type: Value.Type = Value.self
    ) throws(DamagedRow) -> Value? {
        try (self[index] as DatabaseValue).converted(column, of: number)
    }

    /// The value of a column that may be empty, found by its name.
    func optional<Value: DatabaseValueConvertible>(_ column: String, of number: Int64, as type: Value.Type = Value.self) throws(DamagedRow) -> Value?
    {
        guard let stored: DatabaseValue = self[column] else { return nil }
        return try stored.converted(column, of: number)
    }
}

extension DatabaseValue {
    fileprivate func converted<Value: DatabaseValueConvertible>(_ column: String, of number: Int64) throws(DamagedRow) -> Value? {
        if isNull { return nil }
        guard let value = Value.fromDatabaseValue(self) else { throw DamagedRow(number, "the column \(column) contains \(typeName)") }
        return value
    }

    fileprivate var typeName: String {
        switch storage {
        case .null: "nothing"
        case .int64: "an unexpected whole number"
        case .double: "an unexpected number"
        case .string: "unexpected text"
        case .blob: "unexpected bytes"
        }
    }
}
