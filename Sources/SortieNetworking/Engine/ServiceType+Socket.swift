internal import Glibc
internal import SortieHTTP

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
