internal import Foundation
internal import SortieBase
internal import SortieStorage

/// Writes a file that the user named, in one way for all commands (`CONTRIBUTING.md`, rule 8).
///
/// | path | what happens |
/// |---|---|
/// | a regular file, or nothing | replaced completely or not at all; mode and owner stay |
/// | a link | followed; the link stays |
/// | a device, a pipe | written to |
/// | `/dev/stdout`, `/dev/fd/N` and links to them | written to the descriptor, also where it is a file |
/// | a folder, a socket | refused |
enum OutputFile {
    /// Writes a text in place of the file's content.
    static func write(_ text: String, to path: String, _ folders: UserFolders) throws {
        try write(BodyBytes(Array(text.utf8)), to: path, folders)
    }

    /// Writes a body of any size in place of the file's content.
    ///
    /// - Parameters:
    ///   - path: the path as typed; `~/` is the home folder.
    ///   - overwrites: whether an existing file is replaced.
    ///   - followsLinks: whether a link is followed instead of replaced; false for a path that the user did not type.
    /// - Returns: False where a file exists and was not changed.
    @discardableResult
    static func write(_ body: BodyBytes, to path: String, _ folders: UserFolders, overwrites: Bool = true, followsLinks: Bool = true) throws -> Bool {
        let place = folders.absolute(path)
        let descriptor = followsLinks ? ProtectedLocation.descriptor(of: place) : nil
        let target = followsLinks ? RealPath.of(place) : place
        var status = stat()
        let isThere = descriptor == nil && lstat(target, &status) == 0
        let kind = isThere ? status.st_mode & S_IFMT : S_IFREG
        if kind == S_IFDIR { throw CommandFailure(.file, "\(path) is a folder", hint: "name a file in it") }
        if kind == S_IFSOCK || !followsLinks && kind != S_IFREG && kind != S_IFLNK {
            throw CommandFailure(.file, "\(path) is \(kind == S_IFSOCK ? "a socket" : "not a regular file")", hint: "name another file")
        }
        return try passing(path) { () throws(AtomicFile.Failure) in
            if let descriptor {
                try AtomicFile.write(body, to: descriptor)
                return true
            }
            guard kind == S_IFREG || kind == S_IFLNK else {
                try AtomicFile.overwrite(body, at: target)
                return true
            }
            guard overwrites else { return isThere ? false : try AtomicFile.add(body, at: target, isSynchronized: false) }
            return try AtomicFile.replace(body, at: target, followsLinks: false, isSynchronized: false, overwritesInPlace: true)
        }
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
    static func writeIncomplete(_ body: BodyBytes, of path: String, _ folders: UserFolders) throws -> String {
        let place = folders.absolute(path)
        var status = stat()
        let isFile = stat(place, &status) != 0 || status.st_mode & S_IFMT == S_IFREG || status.st_mode & S_IFMT == S_IFDIR
        guard isFile, ProtectedLocation.descriptor(of: place) == nil else {
            try write(body, to: path, folders)
            return path
        }
        try write(body, to: path + ".partial", folders, followsLinks: false)
        return path + ".partial"
    }

    private static func passing<Value>(_ path: String, _ write: () throws(AtomicFile.Failure) -> Value) throws -> Value {
        do throws(AtomicFile.Failure) { return try write() } catch {
            throw CommandFailure(.file, "\(path) cannot be written: \(String(cString: strerror(error.code)).lowercased())")
        }
    }
}
