internal import Glibc

/// An IPv4 or IPv6 address.
public struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    /// The address in its canonical text form (RFC 5952 for IPv6), without brackets.
    public let description: String
    /// Whether it is an IPv6 address.
    public let isV6: Bool

    /// The 4 or 16 bytes in network order.
    package var bytes: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: isV6 ? 16 : 4)
        _ = inet_pton(isV6 ? AF_INET6 : AF_INET, description, &bytes)
        return bytes
    }

    /// Parses four decimal numbers, or an IPv6 address without a zone; nil for other text.
    public init?(_ text: some StringProtocol) {
        let text = String(text)
        var bytes = [UInt8](repeating: 0, count: 16)
        let family: Int32
        if inet_pton(AF_INET, text, &bytes) == 1 {
            family = AF_INET
        } else if inet_pton(AF_INET6, text, &bytes) == 1 {
            family = AF_INET6
        } else {
            return nil
        }
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(family, bytes, &buffer, socklen_t(buffer.count)) != nil else { return nil }
        var canonical = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        isV6 = family == AF_INET6
        if isV6, canonical.contains("."), let colon = canonical.lastIndex(of: ":") {
            // The C library prints the last four bytes in decimal; a URL has them in hexadecimal (WHATWG URL §3.5).
            let high = UInt16(bytes[12]) << 8 | UInt16(bytes[13])
            let low = String(UInt16(bytes[14]) << 8 | UInt16(bytes[15]), radix: 16)
            let isInsideZeros = high == 0 && canonical[...colon] == "::"
            canonical = canonical[...colon] + (isInsideZeros ? low : "\(String(high, radix: 16)):\(low)")
        }
        description = canonical
    }

    /// Creates an address from four or sixteen bytes in network order; nil for another count.
    public init?(bytes: some Collection<UInt8>) {
        var bytes = Array(bytes)
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, &bytes, &buffer, socklen_t(buffer.count)) != nil else { return nil }
        self.init(String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }

    /// The address as in a URL or before a port: IPv6 in brackets.
    package var bracketed: String { isV6 ? "[\(description)]" : description }
}
