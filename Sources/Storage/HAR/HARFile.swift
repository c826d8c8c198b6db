internal import Foundation
internal import Glibc
internal import HistoryModel
package import SortieBase

/// Appends entries to an HTTP Archive 1.2 file.
///
/// The file is complete after each entry, so that other tools can open it at any time.
///
/// Each entry takes one line. One write replaces the closing brackets with the entry and the brackets; opening the file repairs what
/// a crash during that write leaves. Not thread-safe. An instance holds an exclusive lock on the file. A device and a pipe get each entry once, and the
/// closing brackets at the end.
package final class HARFile {
    /// The path of the file.
    package let path: String
    /// The number of entries in the file.
    package private(set) var count = 0
    /// Whether other users can read what is appended: the file was there with such a mode, which is left as it is.
    package private(set) var isReadableByOthers = false
    /// Whether the path is that of a device or a pipe.
    package let isStream: Bool
    private let descriptor: Int32
    /// The offset of the closing brackets.
    private var end: off_t = 0

    /// Opens an existing file to append to it, or creates one with mode 0600.
    ///
    /// - Parameter version: The version of the program, for the `creator` of a new file.
    /// - Throws: `unwritable` when the file cannot be written or another program holds its lock; `exists` for a file that Sortie did
    ///   not write, which is left unchanged.
    package init(path: String, version: String) throws(WorkspaceError) {
        self.path = path
        var information = stat()
        isStream = stat(path, &information) == 0 && [S_IFCHR, S_IFIFO].contains(information.st_mode & S_IFMT)
        // Without O_NONBLOCK, opening a pipe waits for its reader, and a serial line for its carrier.
        descriptor = open(path, isStream ? O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC : O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw HARFile.failure(path, errno == ENXIO ? "no program reads the pipe" : String(cString: strerror(errno)).lowercased())
        }
        guard !isStream else {
            _ = fcntl(descriptor, F_SETFL, 0)
            try write(Array(HAR.head(version: version).utf8), at: 0)
            return
        }
        guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { throw HARFile.failure(path, "it is not a file") }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let reason = errno == EWOULDBLOCK ? "another program is writing it" : "it cannot be locked: \(String(cString: strerror(errno)))"
            throw HARFile.failure(path, reason)
        }
        isReadableByOthers = information.st_size > 0 && information.st_mode & 0o077 != 0
        try goOn(size: Int(information.st_size), version: version)
    }

    deinit {
        // An error is that the reader has gone.
        if isStream { do { try write(Array(HAR.tail.utf8), at: 0) } catch {} }
        // A child process that is being started has a copy of the descriptor until it executes its program, so closing alone would not release the lock.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Finds the offset of the next entry, and closes a file that a crash left open.
    private func goOn(size: Int, version: String) throws(WorkspaceError) {
        let head = Array(HAR.head(version: version).utf8)
        let bytes: Data
        do { bytes = size == 0 ? Data() : try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped) } catch {
            throw HARFile.failure(path, "\(error.systemReason)")
        }
        let opening = Array(HAR.opening.utf8)
        let isOther = WorkspaceError(.exists, file: path, "the file exists and was not recorded by Sortie; choose another name")
        guard bytes.prefix(opening.count).elementsEqual(opening.prefix(bytes.count)) else { throw isOther }
        if size == 0, fchmod(descriptor, 0o600) != 0 { throw HARFile.failure(path, String(cString: strerror(errno)).lowercased()) }
        guard let firstLine = bytes.firstIndex(of: 0x0a) else {
            // A crash during creation leaves a prefix of the head. Other programs may write a whole archive on one line, so anything
            // else was not written by Sortie.
            guard head.starts(with: bytes) else { throw isOther }
            try write(head + Array(HAR.tail.utf8), at: 0)
            end = off_t(head.count)
            return
        }
        guard bytes[..<firstLine].suffix(12).elementsEqual(Array("\"entries\": [".utf8)) else { throw isOther }
        // Counts the lines that are complete entries, up to the first that is not.
        var place = firstLine
        while place < bytes.endIndex {
            let next = bytes[(place + 1)...].firstIndex(of: 0x0a) ?? bytes.endIndex
            let line = bytes[(place + 1)..<next].drop { $0 == UInt8(ascii: ",") }
            guard line.first == UInt8(ascii: "{"), next < bytes.endIndex || JSONText.problem(in: BodyBytes(Array(line))) == nil else { break }
            count += 1
            place = next
        }
        end = off_t(place)
        guard !bytes[place...].elementsEqual(Array(HAR.tail.utf8)) else { return }
        guard ftruncate(descriptor, end) == 0 else { throw HARFile.failure(path, String(cString: strerror(errno)).lowercased()) }
        try write(Array(HAR.tail.utf8), at: end)
    }

    /// Appends an entry.
    ///
    /// - Throws: `unwritable` when the entry cannot be written; the file keeps its previous entries.
    package func append(_ entry: JSONValue) throws(WorkspaceError) {
        let text = Array((HAR.separator(isFirst: count == 0) + entry.text).utf8)
        if isStream {
            try write(text, at: 0)
            count += 1
            return
        }
        do throws(WorkspaceError) { try write(text + Array(HAR.tail.utf8), at: end) } catch {
            // On a full disk the file is restored: the brackets need no more room than they had before.
            if ftruncate(descriptor, end) == 0 { try write(Array(HAR.tail.utf8), at: end) }
            throw error
        }
        end += off_t(text.count)
        count += 1
    }

    private func write(_ bytes: [UInt8], at place: off_t) throws(WorkspaceError) {
        let isPlaced = isStream || lseek(descriptor, place, SEEK_SET) >= 0
        let code = isPlaced ? bytes.withUnsafeBytes { AtomicFile.write($0, to: descriptor) } : errno
        guard code == 0 else { throw HARFile.failure(path, String(cString: strerror(code)).lowercased()) }
    }

    private static func failure(_ path: String, _ reason: String) -> WorkspaceError {
        WorkspaceError(.unwritable, file: path, "exchanges cannot be recorded: \(reason)")
    }
}
