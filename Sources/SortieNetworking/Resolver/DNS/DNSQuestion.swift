/// A DNS question (RFC 1035 §4.1.2): the addresses of one type of one name.
struct DNSQuestion: Hashable, Sendable {
    /// The kind of address.
    enum Kind: Int, Sendable {
        case ipv4 = 1
        case ipv6 = 28
    }

    /// The largest length of a name in bytes (RFC 1035 §2.3.4).
    static let longestName = 255

    let kind: Kind
    /// The name in wire format (a length before each label), in lower case.
    let name: [UInt8]

    /// Creates the question for the addresses of `host`.
    ///
    /// - Throws: `unaskable` for an invalid name: an empty label, a label above 63 bytes, or more than 255 bytes in
    ///   total.
    init(_ kind: Kind, of host: String) throws(DNSMessageError) {
        self.kind = kind
        var name: [UInt8] = []
        let bare = host.hasSuffix(".") ? host.dropLast() : Substring(host)
        for label in bare.split(separator: ".", omittingEmptySubsequences: false) {
            let bytes = Array(label.lowercased().utf8)
            guard (1...63).contains(bytes.count) else { throw .unaskable(host) }
            name.append(UInt8(bytes.count))
            name += bytes
        }
        name.append(0)
        guard name.count > 2, name.count <= Self.longestName else { throw .unaskable(host) }
        self.name = name
    }

    /// The message.
    ///
    /// Its ID is 0, so that equal questions give equal URLs and HTTP caches can answer them (RFC 8484 §4.1).
    var message: [UInt8] {
        // ID, flags (recursion desired), one question, no records.
        [0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0] + name + [0, UInt8(kind.rawValue), 0, 1]
    }
}
