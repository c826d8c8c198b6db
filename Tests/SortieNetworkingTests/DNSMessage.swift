@testable import SortieNetworking

/// A response of a DNS server, built by a test.
struct DNSMessage: Sendable {
    enum Record: Sendable {
        case address(String, [UInt8], lifetime: UInt32)
        case alias(String, String, lifetime: UInt32)
    }

    var bytes: [UInt8]

    /// A response to the query for records of `type` of `host`.
    init(_ host: String, _ type: UInt8, _ records: [Record], code: UInt8 = 0) {
        bytes = [0, 0, 0x81, 0x80 | code, 0, 1, 0, UInt8(records.count), 0, 0, 0, 0] + Self.name(host) + [0, type, 0, 1]
        for record in records {
            switch record {
            case .address(let owner, let data, let lifetime): append(owner, data.count == 16 ? 28 : 1, lifetime, data)
            case .alias(let owner, let other, let lifetime): append(owner, 5, lifetime, Self.name(other))
            }
        }
    }

    private mutating func append(_ owner: String, _ type: UInt8, _ lifetime: UInt32, _ data: [UInt8]) {
        bytes += Self.name(owner) + [0, type, 0, 1] + (0..<4).reversed().map { UInt8(truncatingIfNeeded: lifetime >> ($0 * 8)) }
        bytes += [0, UInt8(data.count)] + data
    }

    private static func name(_ text: String) -> [UInt8] {
        text.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0]
    }
}
