internal import CLinux
internal import Glibc

/// The socket that carries a transfer, as far as it is known: what the kernel says of it.
///
/// libcurl owns the descriptor and may close it at any moment; a question about a closed one has no answer.
struct TransferSocket {
    private let descriptor: Int32
    /// When libcurl opened it for this transfer, monotonic nanoseconds; nil for a connection that was open before.
    let openedAt: UInt64?

    init(_ descriptor: Int32, openedAt: UInt64? = nil) {
        self.descriptor = descriptor
        self.openedAt = openedAt
    }

    /// Whether its connection is established.
    var isConnected: Bool {
        var address = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &address) { bytes in
            guard let generic = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return false }
            return getpeername(descriptor, generic, &size) == 0
        }
    }

    /// How many bytes were given to the kernel and are not acknowledged by the peer; nil when the kernel does not say.
    var unacknowledged: Int64? {
        let count = clinux_unacknowledged(descriptor)
        return count < 0 ? nil : Int64(count)
    }
}
