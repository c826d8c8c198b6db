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
