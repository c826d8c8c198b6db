internal import Foundation

/// A descriptor that another thread makes readable.
///
/// Closed with the last reference to it.
final class WakeDescriptor: Sendable {
    let descriptor: Int32

    /// - Parameter descriptor: An eventfd; ownership is transferred.
    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    func wake() {
        var one: UInt64 = 1
        _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
    }
}
