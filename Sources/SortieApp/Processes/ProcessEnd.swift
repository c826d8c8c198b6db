internal import Dispatch
internal import Foundation
internal import Subprocess

/// Waits for the end of a process without reaping it, so that its ID and that of its group are not used again.
enum ProcessEnd {
    /// Returns when the process has ended; at once on a system without descriptors of processes (before Linux 5.4).
    static func wait(for process: ProcessIdentifier) async {
        guard process.processDescriptor >= 0 else { return }
        // The descriptor of a process is readable after its end (pidfd_open(2)).
        let (ended, continuation) = AsyncStream<Void>.makeStream()
        let source = DispatchSource.makeReadSource(fileDescriptor: process.processDescriptor, queue: .global())
        source.setEventHandler { continuation.finish() }
        source.activate()
        for await _ in ended {}
        // Its owner closes the descriptor, which the source must not use then.
        await withCheckedContinuation { continuation in
            source.setCancelHandler { continuation.resume() }
            source.cancel()
        }
    }
}
