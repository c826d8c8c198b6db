internal import Foundation
internal import SortieBase

/// Writing files of workspaces and of the program's state.
extension AtomicFile {
    /// Where a file is written.
    struct Place {
        /// The path for the system, of which no part is a link.
        var path: String
        /// The path for messages.
        var shown: String
    }

    /// Replaces the file at `path` and preserves its mode and owner; a symbolic link is followed and stays a link.
    ///
    /// - Parameters:
    ///   - newMode: the mode of a file that did not exist; nil for the default mode of new files.
    ///   - mode: the mode in every case, for private content.
    ///   - check: called immediately before the file is replaced; if it throws, the file is not changed.
    static func write(
        _ bytes: [UInt8], to path: String, newMode: mode_t? = nil, mode: mode_t? = nil, unless check: () throws(WorkspaceError) -> Void = {}
    ) throws(WorkspaceError) {
        let real = RealPath.of(path)
        try write(bytes, to: Place(path: real, shown: real), newMode: newMode, mode: mode, unless: check)
    }

    /// Replaces the file at a place and preserves its mode and owner.
    static func write(
        _ bytes: [UInt8], to place: Place, newMode: mode_t? = nil, mode: mode_t? = nil, unless check: () throws(WorkspaceError) -> Void = {}
    ) throws(WorkspaceError) {
        var refusal: WorkspaceError?
        do throws(Failure) {
            try replace(BodyBytes(bytes), at: place.path, newMode: newMode, mode: mode, followsLinks: false) {
                do throws(WorkspaceError) { try check() } catch { refusal = error }
                return refusal == nil
            }
        } catch {
            throw failure(error, place)
        }
        if let refusal { throw refusal }
    }

    /// Writes a file that must not exist yet.
    ///
    /// - Parameters:
    ///   - mode: the mode; nil for the default mode of new files.
    ///   - isSynchronized: whether the file is on disk afterwards; false where the caller synchronizes many files at once.
    static func create(_ bytes: [UInt8], at path: String, mode: mode_t? = nil, isSynchronized: Bool = true) throws(WorkspaceError) {
        try create(bytes, at: Place(path: path, shown: path), mode: mode, isSynchronized: isSynchronized)
    }

    /// Writes a file that must not exist yet at a place.
    static func create(_ bytes: [UInt8], at place: Place, mode: mode_t? = nil, isSynchronized: Bool = true) throws(WorkspaceError) {
        let isCreated: Bool
        do throws(Failure) { isCreated = try add(BodyBytes(bytes), at: place.path, mode: mode, isSynchronized: isSynchronized) } catch {
            throw failure(error, place)
        }
        guard isCreated else { throw WorkspaceError(.exists, file: place.shown, "the file already exists; choose another name") }
    }

    private static func failure(_ failure: Failure, _ place: Place) -> WorkspaceError {
        switch failure {
        case .notRegularFile:
            WorkspaceError(.unwritable, file: place.shown, "it is not a regular file, so it is not replaced; name another file")
        case .system(let code): WorkspaceError(.unwritable, file: place.shown, "it cannot be written: \(WriteRefusal(code: code))")
        case .unsynced(let code):
            WorkspaceError(.unsynced, file: place.shown, "it was written, and may be lost in a power failure: \(String(cString: strerror(code)))")
        }
    }
}
