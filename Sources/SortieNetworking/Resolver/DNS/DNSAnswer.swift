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
