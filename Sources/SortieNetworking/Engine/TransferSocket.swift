internal import CLinux
internal import Glibc

/// The socket of a transfer, as far as it is known, and its state in the kernel.
///
/// libcurl owns the descriptor and may close it at any time. Queries about a closed descriptor return nil or false.
struct TransferSocket {
    let descriptor: Int32
    /// When libcurl opened the socket for this transfer (monotonic nanoseconds); nil for a reused connection.
    let openedAt: UInt64?

    init(_ descriptor: Int32, openedAt: UInt64? = nil) {
        self.descriptor = descriptor
        self.openedAt = openedAt
    }

    /// Whether the connection is established.
    var isConnected: Bool {
        var address = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &address) { bytes in
            guard let generic = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return false }
            return getpeername(descriptor, generic, &size) == 0
        }
    }

    /// The number of bytes that the kernel accepted and the peer has not acknowledged; nil when the kernel does not
    /// report it.
    var unacknowledged: Int64? {
        let count = clinux_unacknowledged(descriptor)
        return count < 0 ? nil : Int64(count)
    }
}
