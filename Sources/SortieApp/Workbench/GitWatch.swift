internal import Dispatch
internal import Foundation

/// Reports commits, and changes of the branch and of the index, by other programs (inotify).
///
/// git replaces `HEAD` and `index` by renaming a file, so their folder is watched.
final class GitWatch: Sendable {
    /// The files whose changes are reported.
    private static let names: Set<String> = ["HEAD", "index"]
    /// The period in which changes are collected, in milliseconds.
    private static let collection = 200

    // Safe to share, because it is only resumed at the beginning and cancelled at the end.
    nonisolated(unsafe) private let source: any DispatchSourceRead

    /// Watches the data of a repository in `folder`; nil where the system does not support it.
    ///
    /// - Parameter changed: Called on `queue`.
    init?(_ folder: String, queue: DispatchQueue, changed: @escaping @Sendable () -> Void) {
        let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        guard inotify_add_watch(descriptor, folder, UInt32(IN_CLOSE_WRITE | IN_MOVED_TO) | UInt32(IN_ONLYDIR)) >= 0 else {
            close(descriptor)
            return nil
        }
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setCancelHandler { close(descriptor) }
        source.setEventHandler {
            guard Self.readNames(descriptor).contains(where: Self.names.contains) else { return }
            queue.asyncAfter(deadline: .now() + .milliseconds(Self.collection), execute: changed)
        }
        source.resume()
    }

    deinit { source.cancel() }

    /// The names of the files that have changed.
    private static func readNames(_ descriptor: Int32) -> [String] {
        var names: [String] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return names }
            buffer.withUnsafeBytes { bytes in
                var offset = 0
                while offset + MemoryLayout<inotify_event>.size <= count {
                    let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                    let start = offset + MemoryLayout<inotify_event>.size
                    offset = min(count, start + Int(event.len))
                    names.append(String(decoding: bytes[start..<offset].prefix { $0 != 0 }, as: UTF8.self))
                }
            }
        }
    }
}
