internal import Foundation
internal import GRDB

/// Errors of the history's file, with their remedies.
enum HistoryTrouble {
    /// The file was written by a later version.
    struct Newer: Error {}
    static let newer = Newer()

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
        return !(error is Newer || error is WorkspaceError)
    }

    /// The instructions to start a new history without losing what can be recovered of the old one, whose last pages and bodies are
    /// in other files.
    private static func wayOut(_ path: String) -> String {
        let name = (path as NSString).lastPathComponent
        return "to begin a new one, move \(name), \(name)-wal, \(name)-shm and the folder bodies beside it away, all together"
    }

    /// Why the file cannot be opened, and what is used instead.
    static func opening(_ path: String, _ error: any Error, instead: String) -> WorkspaceError {
        switch error {
        case is Newer:
            return WorkspaceError(
                .unreadable, file: path, "the history was written by a newer Sortie and is left as it is: \(instead); use the newer one")
        case let error as WorkspaceError: return WorkspaceError(error.code, file: error.file, "\(error.message): \(instead)")
        case let error as DatabaseError where isDamage(error):
            return WorkspaceError(
                .unreadable, file: path,
                "the history cannot be read, its file is damaged or no database; it is left as it is: \(instead); \(wayOut(path))")
        case let error as DatabaseError where error.resultCode == .SQLITE_BUSY || error.resultCode == .SQLITE_LOCKED:
            return WorkspaceError(
                .unreadable, file: path, "the history is locked by another program: \(instead); end that program and start again")
        case let error as DatabaseError where error.resultCode == .SQLITE_FULL:
            return WorkspaceError(.unwritable, file: path, "the disk is full: \(instead); make room and start again")
        case let error as SystemFailure:
            return WorkspaceError(
                .unwritable, file: path, "the file cannot be written (\(error.text)): \(instead); give yourself the right to write it")
        case let error as DatabaseError:
            return WorkspaceError(
                .unwritable, file: path, "the file cannot be written (\(reason(error))): \(instead); look whether its folder can be written")
        default:
            return WorkspaceError(
                .unwritable, file: path, "the file cannot be made (\((error as NSError).localizedDescription)): \(instead)")
        }
    }

    /// Why a read or a write failed.
    static func working(_ path: String, _ error: any Error, whileWriting: Bool) -> WorkspaceError {
        guard let error = error as? DatabaseError else {
            if let error = error as? WorkspaceError { return error }
            if let error = error as? DamagedRow { return WorkspaceError(.damagedRow, file: path, error.description) }
            return WorkspaceError(whileWriting ? .unwritable : .unreadable, file: path, "the history fails: \(error)")
        }
        let code: WorkspaceError.Code = whileWriting ? .unwritable : .unreadable
        let message: String =
            switch error.resultCode {
            case .SQLITE_FULL: "the disk is full; the last exchanges wait in memory until there is room again"
            case .SQLITE_CORRUPT, .SQLITE_NOTADB: "the history's file is damaged; it is left as it is; \(wayOut(path))"
            case .SQLITE_BUSY, .SQLITE_LOCKED: "the history is locked by another program; the last exchanges wait in memory until it ends"
            case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN: "the history's file cannot be written any more: \(reason(error))"
            case .SQLITE_INTERRUPT: "the question to the history was given up"
            default: "the history fails: \(reason(error))"
            }
        return WorkspaceError(code, file: path, message)
    }

    private static func isDamage(_ error: DatabaseError) -> Bool { error.resultCode == .SQLITE_CORRUPT || error.resultCode == .SQLITE_NOTADB }

    private static func reason(_ error: DatabaseError) -> String { error.message ?? error.resultCode.description }
}
