internal import SortieHTTP

/// A DNS server's answer to one question (RFC 1035 §4.1.3).
struct DNSAnswer: Hashable, Sendable {
    /// The addresses in order; empty when the name has none of the requested type.
    private(set) var addresses: [IPAddress] = []
    /// The time to live in seconds: the minimum over all records that lead to the addresses.
    private(set) var lifetime: UInt32?

    /// The longest accepted CNAME chain.
    private static let longestChain = 16

    private struct Record {
        var owner: [UInt8]
        var type: Int
        var lifetime: UInt32
        var address: IPAddress?
        var alias: [UInt8]?
    }

    /// Parses the answer to `question`.
    ///
    /// - Throws: ``DNSMessageError`` when the message is malformed or does not answer the question.
    init(_ bytes: [UInt8], to question: DNSQuestion) throws(DNSMessageError) {
        var reader = DNSReader(bytes)
        _ = try reader.number16()
        let flags = try reader.number16()
        let (questions, count) = (try reader.number16(), try reader.number16())
        _ = try reader.take(4)
        guard flags & 0x8000 != 0 else { throw .otherQuestion }
        guard flags & 0x0200 == 0 else { throw .cut }
        // The shortest question has 5 bytes, the shortest record 11.
        guard questions * 5 + count * 11 <= reader.left else {
            if flags & 0xf != 0 { throw .refused(code: UInt8(flags & 0xf)) }
            throw .tooManyRecords(questions + count)
        }
        for _ in 0..<questions {
            let name = try reader.name()
            let kind = try reader.number16()
            _ = try reader.number16()
            guard name == question.name, kind == question.kind.rawValue else { throw .otherQuestion }
        }
        guard flags & 0xf == 0 else { throw .refused(code: UInt8(flags & 0xf)) }
        var records: [Record] = []
        for _ in 0..<count { records.append(try Self.record(&reader)) }
        collect(records, for: question)
    }

    private static func record(_ reader: inout DNSReader) throws(DNSMessageError) -> Record {
        let owner = try reader.name()
        let (type, recordClass) = (try reader.number16(), try reader.number16())
        let lifetime = try reader.number32()
        let length = try reader.number16()
        var record = Record(owner: owner, type: recordClass == 1 ? type : 0, lifetime: lifetime)
        let end = reader.offset + length
        switch record.type {
        case 1, 28:
            guard length == (record.type == 1 ? 4 : 16) else { throw .badAddress(length: length) }
            record.address = IPAddress(bytes: try reader.take(length))
        case 5:
            record.alias = try reader.name()
            guard reader.offset == end else { throw .badName(at: reader.offset) }
        default:
            _ = try reader.take(length)
        }
        return record
    }

    /// Follows CNAME records in any order.
    private mutating func collect(_ records: [Record], for question: DNSQuestion) {
        var name = question.name
        for _ in 0...Self.longestChain {
            for record in records where record.owner == name && record.type == question.kind.rawValue {
                guard let address = record.address else { continue }
                if !addresses.contains(address) { addresses.append(address) }
                shorten(to: record.lifetime)
            }
            guard addresses.isEmpty, let next = records.first(where: { $0.owner == name && $0.alias != nil }), let alias = next.alias else { return }
            shorten(to: next.lifetime)
            name = alias
        }
    }

    /// Subtracts the time that an HTTP cache stored the answer (RFC 8484 §5.1).
    mutating func age(by seconds: UInt32) {
        lifetime = lifetime.map { $0 - min($0, seconds) }
    }

    private mutating func shorten(to seconds: UInt32) {
        // A value with the highest bit set counts as 0 (RFC 2181 §8).
        lifetime = min(lifetime ?? .max, seconds > 0x7fff_ffff ? 0 : seconds)
    }
}

/// Why a DNS answer from the network cannot be used (RFC 1035 §4).
enum DNSMessageError: Error, Hashable, CustomStringConvertible {
    /// The message is truncated at this byte.
    case ended(at: Int)
    /// A name at this byte is longer than 255 bytes, or a label has an undefined form.
    case badName(at: Int)
    /// A compression pointer does not point backwards, so following it might not terminate.
    case badPointer(at: Int)
    /// The header declares more records than the message can contain.
    case tooManyRecords(Int)
    /// The message is a question, or the answer to another question.
    case otherQuestion
    /// The server truncated the message because it was too long.
    case cut
    /// The server returned this error code (RFC 1035 §4.1.1).
    case refused(code: UInt8)
    /// An address record has this length in bytes.
    case badAddress(length: Int)
    /// The text is not a valid DNS name.
    case unaskable(String)

    var description: String {
        switch self {
        case .ended(let offset): "the DNS message ends in the middle, at byte \(offset)"
        case .badName(let offset): "the DNS message has a malformed name at byte \(offset)"
        case .badPointer(let offset): "the DNS message has a circular pointer at byte \(offset)"
        case .tooManyRecords(let count): "the DNS message announces \(count) records, more than it can contain"
        case .otherQuestion: "the DNS message does not match the query"
        case .cut: "the DNS message was truncated by the server"
        case .refused(let code):
            switch code {
            case 1: "the DNS server did not understand the query (FORMERR)"
            case 2: "the DNS server failed (SERVFAIL)"
            case 3: "the name does not exist"
            case 4: "the DNS server does not support this query (NOTIMP)"
            case 5: "the DNS server refused the query (REFUSED)"
            default: "the DNS server responded with error \(code)"
            }
        case .badAddress(let length): "the DNS message has an address of \(length) bytes"
        case .unaskable(let host): "“\(host)” is not a valid DNS name"
        }
    }
}

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

/// Reads a DNS message sequentially (RFC 1035 §4.1).
///
/// It never reads past the end and always terminates.
struct DNSReader {
    private let bytes: [UInt8]
    /// The index of the next byte.
    private(set) var offset = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The number of unread bytes.
    var left: Int { bytes.count - offset }

    mutating func number16() throws(DNSMessageError) -> Int {
        let pair = try take(2)
        return Int(pair[0]) << 8 | Int(pair[1])
    }

    mutating func number32() throws(DNSMessageError) -> UInt32 {
        try take(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    mutating func take(_ count: Int) throws(DNSMessageError) -> [UInt8] {
        guard count <= left else { throw .ended(at: bytes.count) }
        defer { offset += count }
        return Array(bytes[offset..<offset + count])
    }

    /// Reads a name and expands its compression pointers; lower case, with a length before each label (RFC 1035
    /// §4.1.4).
    ///
    /// Each pointer must point before the start of the labels that it follows. Valid compression always does so, and
    /// the rule excludes loops.
    mutating func name() throws(DNSMessageError) -> [UInt8] {
        var result: [UInt8] = []
        var place = offset
        var begin = offset
        var end: Int?
        while true {
            guard place < bytes.count else { throw .ended(at: bytes.count) }
            let length = bytes[place]
            switch length >> 6 {
            case 0:
                guard result.count + Int(length) + 1 <= DNSQuestion.longestName else { throw .badName(at: place) }
                guard place + Int(length) < bytes.count else { throw .ended(at: bytes.count) }
                result.append(length)
                result += bytes[place + 1..<place + 1 + Int(length)].map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
                place += 1 + Int(length)
                guard length == 0 else { continue }
                offset = end ?? place
                return result
            case 3:
                guard place + 1 < bytes.count else { throw .ended(at: bytes.count) }
                let target = Int(length & 0x3f) << 8 | Int(bytes[place + 1])
                guard target < begin else { throw .badPointer(at: place) }
                end = end ?? place + 2
                place = target
                begin = target
            default: throw .badName(at: place)
            }
        }
    }
}
