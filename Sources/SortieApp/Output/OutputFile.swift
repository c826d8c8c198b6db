internal import Foundation
internal import Interchange
internal import SortieBase
internal import SortieHTTP
internal import SortieStorage
internal import SortieTerminal

/// Writes a file that the user named, in one way for all commands (`CONTRIBUTING.md`, rule 8).
///
/// | path | what happens |
/// |---|---|
/// | a regular file, or nothing | replaced completely or not at all; mode and owner stay |
/// | a link | followed; the link stays |
/// | a device, a pipe | written to, as soon as it has a reader; a terminal gets text without control characters |
/// | `/dev/stdout`, `/dev/fd/N` and links to them | written to the descriptor, also where it is a file |
/// | a folder, a socket, a loop of links | refused |
enum OutputFile {
    /// Writes a text in place of the file's content.
    static func write(_ text: String, to path: String, _ folders: UserFolders, _ waits: OutputWaits) throws {
        try write(BodyBytes(Array(text.utf8)), to: path, folders, waits)
    }

    /// Writes a body of any size in place of the file's content.
    ///
    /// - Parameters:
    ///   - path: the path as typed; `~/` is the home folder.
    ///   - overwrites: whether an existing file is replaced.
    ///   - followsLinks: whether a link is followed instead of replaced; false for a path that the user did not type.
    ///   - waitsForReader: whether to wait for the reader of a pipe instead of refusing the pipe.
    ///   - isOver: whether the wait for a device or a pipe that takes no bytes ends; evaluated repeatedly. A signal ends the wait as well.
    /// - Returns: False where a file exists and was not changed.
    @discardableResult
    static func write(
        _ body: BodyBytes, to path: String, _ folders: UserFolders, _ waits: OutputWaits, overwrites: Bool = true, followsLinks: Bool = true,
        waitsForReader: Bool = true, until isOver: () -> Bool = { false }
    ) throws -> Bool {
        let place = folders.absolute(path)
        if followsLinks, let descriptor = ProtectedLocation.descriptor(of: place) {
            try write(body, toStream: descriptor, shown: path, waits, until: isOver)
            return true
        }
        let target = followsLinks ? RealPath.of(place) : place
        var status = stat()
        let isThere = lstat(target, &status) == 0
        let kind = isThere ? status.st_mode & S_IFMT : S_IFREG
        if kind == S_IFDIR {
            throw CommandFailure(.file, path.isEmpty ? "the file to write has no name" : "\(path) is a folder", hint: "name a file")
        }
        // The resolved path has no slash at its end any more, so that a file of that name would be written.
        if path.hasSuffix("/") { throw CommandFailure(.file, "\(path) is not a folder", hint: "name a file, without / at its end") }
        if followsLinks, kind == S_IFLNK {
            // A link whose file is missing was followed to the path of that file.
            throw CommandFailure(.file, "\(path) is a link that leads back to itself", hint: "name another file")
        }
        if kind == S_IFSOCK || !followsLinks && kind != S_IFREG && kind != S_IFLNK {
            throw CommandFailure(.file, "\(path) is \(kind == S_IFSOCK ? "a socket" : "not a regular file")", hint: "name another file")
        }
        guard kind == S_IFREG || kind == S_IFLNK else {
            let descriptor = try openStream(target, shown: path, waits, waitsForReader: waitsForReader, until: isOver)
            defer { close(descriptor) }
            try write(body, toStream: descriptor, shown: path, waits, until: isOver)
            return true
        }
        return try passing(path) { () throws(AtomicFile.Failure) in
            // A power failure must not leave an empty file in place of an earlier one, nor one that is not overwritten. Other new output is made again.
            guard overwrites else { return isThere ? false : try AtomicFile.add(body, at: target) }
            let replaces = isThere && status.st_size > 0
            return try AtomicFile.replace(body, at: target, followsLinks: false, isSynchronized: replaces, overwritesInPlace: true)
        }
    }

    /// Whether a path is written to instead of being replaced: a device, a pipe, a descriptor of the process, and a link to one of them.
    static func isStream(_ path: String, _ folders: UserFolders) -> Bool {
        let place = folders.absolute(path)
        var status = stat()
        if ProtectedLocation.descriptor(of: place) != nil { return true }
        return stat(place, &status) == 0 && [S_IFCHR, S_IFBLK, S_IFIFO].contains(status.st_mode & S_IFMT)
    }

    /// Refuses a path whose folder does not exist.
    static func requireFolder(of path: String, _ folders: UserFolders) throws(CommandFailure) {
        guard access(FilePath.folder(of: folders.absolute(path)), F_OK) != 0, errno == ENOENT else { return }
        throw failure(path, ENOENT, hint: remedy(ENOENT, path))
    }

    /// When the time limit that was set for a call ends the wait for the reader of its output file; nil without one.
    ///
    /// At least a second from now, so that the reader gets what had arrived until the limit.
    static func deadline(of request: Request, startedAt: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        deadline(of: request.options.timeouts, startedAt: startedAt)
    }

    /// The same for the time limits of a request that is not complete yet.
    static func deadline(of timeouts: Timeouts, startedAt: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        guard let total = timeouts.total, timeouts.$total != nil else { return nil }
        return max(startedAt + total, .now + .seconds(1))
    }

    /// Writes a body into an existing private file.
    static func write(_ body: BodyBytes, into path: String) throws {
        try passing(path) { () throws(AtomicFile.Failure) in try AtomicFile.overwrite(body, at: path) }
    }

    /// Writes the received part of an interrupted body: beside the file, because a file with that name is complete; into a device or a pipe
    /// directly.
    ///
    /// An earlier incomplete body of the same file is replaced.
    ///
    /// - Returns: The path of the file.
    static func writeIncomplete(_ body: BodyBytes, of path: String, _ folders: UserFolders, _ waits: OutputWaits, until isOver: () -> Bool) throws
        -> String
    {
        let place = folders.absolute(path)
        var status = stat()
        let isFile = stat(place, &status) != 0 || status.st_mode & S_IFMT == S_IFREG || status.st_mode & S_IFMT == S_IFDIR
        guard isFile, ProtectedLocation.descriptor(of: place) == nil else {
            try write(body, to: path, folders, waits, until: isOver)
            return path
        }
        let partial = DownloadName.path(beside: path, ".partial")
        try write(body, to: partial, folders, waits, followsLinks: false)
        return partial
    }

    private static func passing<Value>(_ path: String, _ write: () throws(AtomicFile.Failure) -> Value) throws -> Value {
        do throws(AtomicFile.Failure) { return try write() } catch { throw failure(path, error.code, hint: remedy(error.code, path)) }
    }

    /// What repairs a failure to write a file.
    private static func remedy(_ code: Int32, _ path: String) -> String? {
        switch code {
        case ENOENT: "create its folder: mkdir -p \(ShellQuote.quoted(FilePath.folder(of: path)))"
        case ENOSPC, EDQUOT: "free some space, or name a file on another disk"
        case EACCES, EPERM, EROFS, ENOTDIR, ENAMETOOLONG: "name another file"
        default: nil
        }
    }

    /// Opens a device or a pipe, and waits for a reader of the pipe.
    ///
    /// The descriptor is opened without blocking, because `open(2)` of a pipe waits for its reader, and of a serial line for its carrier, and that wait
    /// cannot be ended.
    private static func openStream(
        _ place: String, shown path: String, _ waits: OutputWaits, waitsForReader: Bool, until isOver: () -> Bool
    ) throws -> Int32 {
        while true {
            let descriptor = open(place, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
            if descriptor >= 0 { return descriptor }
            let code = errno
            if code == EINTR { continue }
            var status = stat()
            guard code == ENXIO, stat(place, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { throw failure(path, code) }
            guard waitsForReader else { throw CommandFailure(.file, "no program reads the pipe \(path)", hint: "start its reader first") }
            if waits.areEnded || isOver() { throw unread("no program reads the pipe \(path)", waits) }
            // The kernel reports no event when a pipe gets its first reader.
            poll(nil, 0, 20)
        }
    }

    /// Writes a body to a device, a pipe or a connection, and waits for its reader.
    private static func write(
        _ body: BodyBytes, toStream descriptor: Int32, shown path: String, _ waits: OutputWaits, until isOver: () -> Bool
    ) throws {
        let output = OutputDescriptor(descriptor, waits: waits)
        let isTerminal = isatty(descriptor) == 1
        var (offset, isUnread) = (0, false)
        func isEnded() -> Bool {
            isUnread = isOver()
            return isUnread
        }
        while offset < body.count {
            let end = min(offset + 4 << 20, body.count)
            let (code, count) = body.withUnsafeBytes(in: offset..<end) { bytes -> (Int32, Int) in
                guard isTerminal else { return (output.write(bytes, until: isEnded), bytes.count) }
                let count = end == body.count ? bytes.count : BodyOutput.visibleCount(bytes, isWhole: true)
                let text = VisibleText.of(String(decoding: bytes.prefix(count), as: UTF8.self))
                return (Array(text.utf8).withUnsafeBytes { output.write($0, until: isEnded) }, count)
            }
            guard code == 0 else { throw failure(path, code) }
            guard !isUnread, !output.isDiscarding else { throw unread("the reader of \(path) did not take all bytes", waits) }
            offset += count
            body.releaseMemory()
        }
    }

    /// The failure for a device or a pipe that takes no bytes until a signal or the time limit.
    private static func unread(_ message: String, _ waits: OutputWaits) -> CommandFailure {
        waits.areEnded ? CommandFailure(.interrupted, message) : CommandFailure(.network, name: "timedOut", "\(message) within the time limit")
    }

    private static func failure(_ path: String, _ code: Int32, hint: String? = nil) -> CommandFailure {
        CommandFailure(.file, "\(path) cannot be written: \(String(cString: strerror(code)).lowercased())", hint: hint)
    }
}
