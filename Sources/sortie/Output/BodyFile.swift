internal import Foundation
internal import Model

/// Writes a body of any size to a file, all of it or nothing (architecture, rule 8).
enum BodyFile {
    static func write(_ body: BodyBytes, to path: String) throws {
        let target = URL(fileURLWithPath: path)
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: target.path, isDirectory: &isFolder), isFolder.boolValue {
            throw CommandFailure(.file, "\(path) is a folder", hint: "name a file in it")
        }
        // A device or a pipe is written to, not replaced.
        var status = stat()
        if stat(target.path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            try writeChunks(of: body, to: target.path, flags: O_WRONLY, shown: path)
            return
        }
        let temporary = target.deletingLastPathComponent().appendingPathComponent(".\(target.lastPathComponent).\(getpid()).tmp")
            .path
        do {
            try writeChunks(of: body, to: temporary, flags: O_WRONLY | O_CREAT | O_EXCL, shown: path)
            guard rename(temporary, target.path) == 0 else { throw failure(path) }
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Writes a body into a file that is there, and private, already.
    static func write(_ body: BodyBytes, into path: String) throws {
        try writeChunks(of: body, to: path, flags: O_WRONLY, shown: path)
    }

    private static func writeChunks(of body: BodyBytes, to place: String, flags: Int32, shown path: String) throws {
        let descriptor = open(place, flags | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        var offset = 0
        while offset < body.count {
            let end = min(offset + 4 << 20, body.count)
            let written = body.withUnsafeBytes(in: offset..<end) { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw failure(path) }
            offset += written
            body.releaseMemory()
        }
    }

    private static func failure(_ path: String) -> CommandFailure {
        CommandFailure(.file, "\(path) cannot be written: \(String(cString: strerror(errno)).lowercased())")
    }
}
