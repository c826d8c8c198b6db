internal import CLinux
internal import Glibc
internal import SortieHTTP

/// The socket of a transfer, as far as it is known, and its state in the kernel.
///
/// libcurl owns the descriptor and may close it at any time. Queries about a closed descriptor return nil or false.
struct TransferSocket {
    let descriptor: Int32
    /// When libcurl opened the socket for this transfer (monotonic nanoseconds); nil for a reused connection.
    let openedAt: UInt64?

    init(_ descriptor: Int32, openedAt: UInt64? = nil) {
        (self.descriptor, self.openedAt) = (descriptor, openedAt)
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

    /// The local port; nil for a descriptor that is closed or not of TCP.
    var localPort: UInt16? {
        var address = sockaddr_in6()
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let result = withUnsafeMutableBytes(of: &address) { bytes in
            bytes.baseAddress.map { getsockname(descriptor, $0.assumingMemoryBound(to: sockaddr.self), &size) } ?? -1
        }
        guard result == 0, address.sin6_family == AF_INET || address.sin6_family == AF_INET6 else { return nil }
        // The port has the same place in both kinds of address.
        return UInt16(bigEndian: address.sin6_port)
    }

    /// The number of bytes that the kernel accepted and the peer has not acknowledged; nil when the kernel does not
    /// report it.
    var unacknowledged: Int64? {
        let count = clinux_unacknowledged(descriptor)
        return count < 0 ? nil : Int64(count)
    }

    /// Delays segments that are not full until ``release()``, at most 200 ms (`TCP_CORK`, `tcp(7)`).
    func cork() { setCork(1) }

    /// Sends what ``cork()`` delayed.
    func release() { setCork(0) }

    // A socket without this option sends as usual.
    private func setCork(_ value: Int32) {
        var value = value
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_CORK, &value, socklen_t(MemoryLayout<Int32>.size))
    }
}

extension ServiceType {
    /// Sets the traffic class of a socket (`ip(7)`, `ipv6(7)`).
    ///
    /// A system that refuses it sends the request as best effort: the field is only a hint to the network.
    func mark(_ socket: Int32, family: Int32) {
        guard self != .standard, socket >= 0 else { return }
        var value = Int32(trafficClass)
        let (level, option) = family == AF_INET6 ? (Int32(IPPROTO_IPV6), IPV6_TCLASS) : (Int32(IPPROTO_IP), IP_TOS)
        setsockopt(socket, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
}

extension RequestOptions.Priority {
    /// The weight of an HTTP/2 stream from 1 to 256 (RFC 7540 §5.3.2); nil for the default of 16.
    var streamWeight: Int? {
        switch self {
        case .low: 1
        case .normal: nil
        case .high: 256
        }
    }
}
