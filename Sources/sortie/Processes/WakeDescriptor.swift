internal import Foundation

/// A descriptor that another thread makes readable; closed with the last reference to it.
final class WakeDescriptor: Sendable {
    let descriptor: Int32

    /// - Parameter descriptor: an eventfd, which is owned from now on.
    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    func wake() {
        var one: UInt64 = 1
        _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
    }
}
