internal import GRDB

/// A row of the history with values of other types than Sortie writes, because another program changed the file, or it is damaged.
struct DamagedRow: Error, CustomStringConvertible {
    /// The number of the exchange.
    let number: Int64
    /// The problem: “the column startedAt holds text”.
    let problem: String

    init(_ number: Int64, _ problem: String) {
        (self.number, self.problem) = (number, problem)
    }

    /// The description of the problem and its remedy.
    var description: String {
        "number \(number) cannot be read: \(problem); the other exchanges can; sortie history delete \(number) removes it"
    }
}

extension Row {
    /// Converts the value of a column; unlike GRDB's conversions, it does not end the program for a value of another type.
    ///
    /// - Parameters:
    ///   - column: the name of the column, for the error.
    ///   - number: the number of the row's exchange, for the error.
    func value<Value: DatabaseValueConvertible>(
        _ index: Int, _ column: String, of number: Int64, as type: Value.Type = Value.self
    ) throws(DamagedRow) -> Value {
        guard let value: Value = try optional(index, column, of: number) else { throw DamagedRow(number, "the column \(column) is empty") }
        return value
    }

    /// The value of a column that may be null.
    func optional<Value: DatabaseValueConvertible>(
        _ index: Int, _ column: String, of number: Int64, as type: Value.Type = Value.self
    ) throws(DamagedRow) -> Value? {
        try (self[index] as DatabaseValue).converted(column, of: number)
    }

    /// The value of a column that may be null, found by its name.
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
