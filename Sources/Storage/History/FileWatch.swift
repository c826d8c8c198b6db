internal import Dispatch
internal import Foundation

/// Reports writes to a file by any process, and that one which can write closes it, with inotify instead of polling.
final class FileWatch: @unchecked Sendable {
    // `@unchecked Sendable`: the source is set once, and only cancelled after that.
    private let source: any DispatchSourceRead

    /// Watches the file at `path`; nil when the file does not exist, or the system cannot add a watch.
    ///
    /// - Parameter changed: Called on `queue`, once for several writes in quick succession.
    init?(_ path: String, queue: DispatchQueue, changed: @escaping @Sendable () -> Void) {
        let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        guard inotify_add_watch(descriptor, path, UInt32(IN_MODIFY | IN_CLOSE_WRITE)) >= 0 else {
            close(descriptor)
            return nil
        }
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler {
            var events = [UInt8](repeating: 0, count: 4096)
            while read(descriptor, &events, events.count) > 0 {}
            changed()
        }
        source.setCancelHandler { close(descriptor) }
        source.resume()
        self.source = source
    }

    deinit { source.cancel() }
}
