internal import Foundation
public import Model

/// A file of HTTP Archive 1.2 that grows: whole after each entry, so that other tools can open it at any time (S3.3).
///
/// Each entry stands on a line of its own. It is written over the brackets that close the file, brackets included, in one go; what a crash in between
/// leaves is repaired when the file is opened the next time. Not for use from two places at once: it holds a lock on the file.
public final class HARFile {
    /// Where it is.
    public let path: String
    /// How many entries are in it.
    public private(set) var count = 0
    /// Whether other users can read what is appended: the file was there with such a mode, which is left as it is.
    public private(set) var isReadableByOthers = false
    private let descriptor: Int32
    /// Where the closing brackets begin.
    private var end: off_t = 0

    /// Opens a file to go on with it, or begins one; private to the user.
    ///
    /// - Parameter version: that of the program.
    /// - Throws: when it cannot be written, when another program writes it, or when it is one that Sortie did not write; that one is left alone.
    public init(path: String, version: String) throws(WorkspaceError) {
        self.path = path
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw HARFile.failure(path, String(cString: strerror(errno)).lowercased()) }
        var information = stat()
        guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { throw HARFile.failure(path, "it is not a file") }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw HARFile.failure(path, "another program is writing it") }
        isReadableByOthers = information.st_size > 0 && information.st_mode & 0o077 != 0
        try goOn(size: Int(information.st_size), version: version)
    }

    deinit { close(descriptor) }

    /// Finds the place for the next entry, and closes what a crash left open.
    private func goOn(size: Int, version: String) throws(WorkspaceError) {
        let head = Array(HAR.head(version: version).utf8)
        let bytes: Data
        do { bytes = size == 0 ? Data() : try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped) } catch {
            throw HARFile.failure(path, "\(error.localizedDescription)")
        }
        let opening = Array(HAR.opening.utf8)
        let isOther = WorkspaceError(.exists, file: path, "there is a file already that Sortie did not record; choose another name")
        guard bytes.prefix(opening.count).elementsEqual(opening.prefix(bytes.count)) else { throw isOther }
        if size == 0, fchmod(descriptor, 0o600) != 0 { throw HARFile.failure(path, String(cString: strerror(errno)).lowercased()) }
        guard let firstLine = bytes.firstIndex(of: 0x0a) else {
            // Nothing but a head of ours that a crash tore off: other programs write an archive on one line.
            guard head.starts(with: bytes) else { throw isOther }
            try write(head + Array(HAR.tail.utf8), at: 0)
            end = off_t(head.count)
            return
        }
        guard bytes[..<firstLine].suffix(12).elementsEqual(Array("\"entries\": [".utf8)) else { throw isOther }
        // Lines that are whole entries, up to the first that is none.
        var place = firstLine
        while place < bytes.endIndex {
            let next = bytes[(place + 1)...].firstIndex(of: 0x0a) ?? bytes.endIndex
            let line = bytes[(place + 1)..<next].drop { $0 == UInt8(ascii: ",") }
            guard line.first == UInt8(ascii: "{"), next < bytes.endIndex || isWhole(Data(line)) else { break }
            count += 1
            place = next
        }
        end = off_t(place)
        guard !bytes[place...].elementsEqual(Array(HAR.tail.utf8)) else { return }
        guard ftruncate(descriptor, end) == 0 else { throw HARFile.failure(path, String(cString: strerror(errno)).lowercased()) }
        try write(Array(HAR.tail.utf8), at: end)
    }

    private func isWhole(_ line: Data) -> Bool {
        do {
            _ = try JSONSerialization.jsonObject(with: line)
            return true
        } catch { return false }
    }

    /// Adds an entry.
    public func append(_ entry: JSONValue) throws(WorkspaceError) {
        let text = Array((HAR.separator(isFirst: count == 0) + entry.text).utf8)
        do throws(WorkspaceError) { try write(text + Array(HAR.tail.utf8), at: end) } catch {
            // What was whole stays so, on a full disk too: the brackets take less room than they had.
            if ftruncate(descriptor, end) == 0 { try write(Array(HAR.tail.utf8), at: end) }
            throw error
        }
        end += off_t(text.count)
        count += 1
    }

    private func write(_ bytes: [UInt8], at place: off_t) throws(WorkspaceError) {
        var offset = 0
        while offset < bytes.count {
            let written = bytes[offset...].withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, place + off_t(offset)) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw HARFile.failure(path, String(cString: strerror(errno)).lowercased()) }
            offset += written
        }
    }

    private static func failure(_ path: String, _ reason: String) -> WorkspaceError {
        WorkspaceError(.unwritable, file: path, "what passes cannot be recorded: \(reason)")
    }
}
