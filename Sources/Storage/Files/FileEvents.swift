package import Dispatch
internal import Foundation

/// Reports changes of files and folders by any process (inotify), without using processor time while nothing changes.
package final class FileEvents: Sendable {
    /// A change.
    package struct Event: Sendable {
        /// The number of the watch.
        var watch: Int32
        /// The bits of inotify(7).
        var mask: UInt32
        /// The name of the file in a watched folder.
        package var name: String
    }

    private let descriptor: Int32
    // Safe to share, because it is only activated at the beginning and cancelled at the end.
    nonisolated(unsafe) private let source: any DispatchSourceRead

    /// Creates a reader without watches; nil where the system does not support it.
    package init?(queue: DispatchQueue) {
        descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setCancelHandler { [descriptor] in close(descriptor) }
    }

    deinit {
        source.cancel()
        // The cancel handler of a source that was never activated is not called.
        source.activate()
    }

    /// Adds a watch; returns its number, which is that of an earlier watch of the same file, or a negative number.
    package func add(_ path: String, _ mask: Int) -> Int32 { inotify_add_watch(descriptor, path, UInt32(truncatingIfNeeded: mask)) }

    /// Removes a watch; this fails for a file that was removed, whose watch has ended.
    func remove(_ watch: Int32) { inotify_rm_watch(descriptor, watch) }

    /// Begins to report events, on the queue and several at once where they follow each other quickly.
    package func start(_ report: @escaping @Sendable ([Event]) -> Void) {
        source.setEventHandler { [descriptor] in report(Self.read(descriptor)) }
        source.activate()
    }

    private static func read(_ descriptor: Int32) -> [Event] {
        var events: [Event] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = Foundation.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return events }
            buffer.withUnsafeBytes { bytes in
                var offset = 0
                while offset + MemoryLayout<inotify_event>.size <= count {
                    let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                    let start = offset + MemoryLayout<inotify_event>.size
                    offset = min(count, start + Int(event.len))
                    let name = String(decoding: bytes[start..<offset].prefix { $0 != 0 }, as: UTF8.self)
                    events.append(Event(watch: event.wd, mask: event.mask, name: name))
                }
            }
        }
    }
}
