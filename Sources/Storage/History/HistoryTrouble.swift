internal import Foundation
internal import GRDB
internal import SortieBase

/// Errors of the history's file, with their remedies.
enum HistoryTrouble {
    /// The file was written by a later version.
    struct Newer: Error {}
    static let newer = Newer()

    /// The file was written by a version whose tables are not migrated.
    struct Older: Error {}
    static let older = Older()

    /// A failure of a system call, with its `errno`.
    struct SystemFailure: Error {
        let code: Int32
        var text: String { String(cString: strerror(code)).lowercased() }
    }

    static func system(_ code: Int32) -> SystemFailure { SystemFailure(code: code) }

    /// Whether the file may still be readable.
    static func isAboutWriting(_ error: any Error) -> Bool {
        if let error = error as? DatabaseError {
            return [.SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_AUTH].contains(error.resultCode)
        }
        // A folder that other users can change is not read either.
        return !(error is Newer || error is Older || error is WorkspaceError)
    }

    /// The instructions to start a new history without losing what can be recovered of the old one, whose last pages and bodies are
    /// in other files.
    private static func wayOut(_ path: String) -> String {
        let name = FilePath.name(of: path)
        return "to start a new history, move \(name), \(name)-wal, \(name)-shm and the folder bodies beside it to another place, all together"
    }

    /// Why the file cannot be opened, and what is used instead.
    static func opening(_ path: String, _ error: any Error, instead: String) -> WorkspaceError {
        switch error {
        case is Newer:
            return WorkspaceError(
                .unreadable, file: path, "the history was written by a newer version of Sortie and is not changed: \(instead); use the newer version")
        case is Older:
            return WorkspaceError(
                .unreadable, file: path,
                "the history was written by an older version of Sortie, which this one cannot read, and is not changed: \(instead); \(wayOut(path))")
        case let error as WorkspaceError: return WorkspaceError(error.code, file: error.file, "\(error.message): \(instead)")
        case let error as DatabaseError where isDamage(error):
            return WorkspaceError(
                .unreadable, file: path,
                "the history cannot be read, its file is damaged or not a database and is not changed: \(instead); \(wayOut(path))")
        case let error as DatabaseError where error.resultCode == .SQLITE_BUSY || error.resultCode == .SQLITE_LOCKED:
            return WorkspaceError(
                .unreadable, file: path, "the history is locked by another program: \(instead); end that program and start again")
        case let error as DatabaseError where error.resultCode == .SQLITE_FULL:
            return WorkspaceError(.unwritable, file: path, "the disk is full: \(instead); free some space and start again")
        case let error as SystemFailure:
            return WorkspaceError(
                .unwritable, file: path, "the file cannot be written (\(error.text)): \(instead); make the file writable for you")
        case let error as DatabaseError:
            return WorkspaceError(
                .unwritable, file: path, "the file cannot be written (\(reason(error))): \(instead); check that its folder is writable")
        default:
            return WorkspaceError(
                .unwritable, file: path, "the file cannot be created (\(error.systemReason)): \(instead)")
        }
    }

    /// Why a read or a write failed.
    static func working(_ path: String, _ error: any Error, whileWriting: Bool) -> WorkspaceError {
        guard let error = error as? DatabaseError else {
            if let error = error as? WorkspaceError { return error }
            if let error = error as? DamagedRow {
                return WorkspaceError(.damagedRow, file: path, error.description, remedy: .damagedExchange(error.number))
            }
            return WorkspaceError(whileWriting ? .unwritable : .unreadable, file: path, "the history fails: \(error)")
        }
        let code: WorkspaceError.Code = whileWriting ? .unwritable : .unreadable
        let message: String =
            switch error.resultCode {
            case .SQLITE_FULL: "the disk is full; the last exchanges are not stored until there is space"
            case .SQLITE_CORRUPT, .SQLITE_NOTADB: "the history's file is damaged and is not changed; \(wayOut(path))"
            case .SQLITE_BUSY, .SQLITE_LOCKED: "the history is locked by another program; the last exchanges are not stored until that program ends"
            case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN: "the history's file is no longer writable: \(reason(error))"
            case .SQLITE_INTERRUPT: "the query of the history was cancelled"
            default: "the history fails: \(reason(error))"
            }
        return WorkspaceError(code, file: path, message)
    }

    private static func isDamage(_ error: DatabaseError) -> Bool { error.resultCode == .SQLITE_CORRUPT || error.resultCode == .SQLITE_NOTADB }

    private static func reason(_ error: DatabaseError) -> String { error.message ?? error.resultCode.description }
}

/// A row of the history with values of other types than Sortie writes, because another program changed the file, or it is damaged.
struct DamagedRow: Error, CustomStringConvertible {
    /// The number of the exchange.
    let number: Int64
    /// The problem: “the column startedAt holds text”.
    let problem: String

    init(_ number: Int64, _ problem: String) {
        (self.number, self.problem) = (number, problem)
    }

    /// The description of the problem.
    var description: String { "number \(number) cannot be read: \(problem); the other exchanges can be read, and this one can be deleted" }
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
