import Support
import Testing

@testable import SortieNetworking

/// Tests responses of DNS servers (RFC 1035 §4): valid, invalid and hostile.
@Suite struct DNSAnswerTests {
    private static func question(_ host: String = "shop.test", _ kind: DNSQuestion.Kind = .ipv4) throws -> DNSQuestion {
        try DNSQuestion(kind, of: host)
    }

    private func answer(_ message: DNSMessage, to host: String = "shop.test", _ kind: DNSQuestion.Kind = .ipv4) throws -> DNSAnswer {
        try DNSAnswer(message.bytes, to: Self.question(host, kind))
    }

    private func error(_ bytes: [UInt8]) throws -> DNSMessageError? {
        let question = try Self.question()
        do throws(DNSMessageError) { _ = try DNSAnswer(bytes, to: question) } catch { return error }
        return nil
    }

    @Test func `a query has the bytes of RFC 8484 §4.1.1`() throws {
        // The example of the specification: www.example.com, type A.
        let bytes: [UInt8] = [0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 3] + Array("www".utf8) + [7] + Array("example".utf8) + [3] + Array("com".utf8)
        #expect(try DNSQuestion(.ipv4, of: "www.Example.com.").message == bytes + [0, 0, 1, 0, 1])
        #expect(try DNSQuestion(.ipv6, of: "a").message.suffix(4) == [0, 28, 0, 1])
    }

    @Test(arguments: ["", ".", "a..b", String(repeating: "x", count: 64), Array(repeating: "abcdefg", count: 32).joined(separator: ".")])
    func `an invalid name is not queried`(_ host: String) {
        #expect(throws: DNSMessageError.unaskable(host)) { try DNSQuestion(.ipv4, of: host) }
    }

    @Test func `addresses of both families are read, with the shortest lifetime`() throws {
        let four = DNSMessage(
            "shop.test", 1, [.address("shop.test", [127, 0, 0, 2], lifetime: 300), .address("shop.test", [127, 0, 0, 3], lifetime: 60)])
        #expect(try answer(four).addresses.map(\.description) == ["127.0.0.2", "127.0.0.3"])
        #expect(try answer(four).lifetime == 60)
        let six = DNSMessage("shop.test", 28, [.address("shop.test", [UInt8](repeating: 0, count: 15) + [1], lifetime: 9)])
        #expect(try answer(six, to: "shop.test", .ipv6).addresses.map(\.description) == ["::1"])
    }

    @Test func `aliases are followed in any order, and their lifetimes count`() throws {
        let records: [DNSMessage.Record] = [
            .address("c.test", [127, 0, 0, 9], lifetime: 600), .alias("b.test", "c.test", lifetime: 30), .alias("shop.test", "b.test", lifetime: 600),
            .address("other.test", [10, 0, 0, 1], lifetime: 1),
        ]
        let found = try answer(DNSMessage("shop.test", 1, records))
        #expect(found.addresses.map(\.description) == ["127.0.0.9"])
        #expect(found.lifetime == 30)
    }

    @Test func `aliases that refer to each other have no result`() throws {
        let records: [DNSMessage.Record] = [.alias("shop.test", "b.test", lifetime: 5), .alias("b.test", "shop.test", lifetime: 5)]
        #expect(try answer(DNSMessage("shop.test", 1, records)).addresses.isEmpty)
    }

    @Test func `compressed names and other kinds of records are parsed`() throws {
        var message = DNSMessage("shop.test", 1, []).bytes
        message[7] = 2
        // A TXT record, then an address, both with the name at byte 12 as owner.
        message += [0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 5, 0, 3, 2, 65, 66]
        message += [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 5, 0, 4, 127, 0, 0, 4]
        #expect(try DNSAnswer(message, to: Self.question()).addresses.map(\.description) == ["127.0.0.4"])
    }

    @Test func `a response to another query is rejected`() throws {
        #expect(try error(Self.question().message) == .otherQuestion)
        #expect(try error(DNSMessage("else.test", 1, []).bytes) == .otherQuestion)
        #expect(try error(DNSMessage("shop.test", 28, []).bytes) == .otherQuestion)
        var cut = DNSMessage("shop.test", 1, []).bytes
        cut[2] |= 2
        #expect(try error(cut) == .cut)
        for code in UInt8(1)...5 {
            var refused = DNSMessage("shop.test", 1, []).bytes
            refused[3] |= code
            #expect(try error(refused) == .refused(code: code))
        }
    }

    @Test func `a response truncated anywhere is an error and never an address`() throws {
        let whole = DNSMessage("shop.test", 1, [.alias("shop.test", "b.test", lifetime: 1), .address("b.test", [127, 0, 0, 2], lifetime: 1)]).bytes
        for count in 0..<whole.count { #expect(try error(Array(whole.prefix(count))) != nil, "\(count) bytes") }
    }

    @Test func `counts beyond the size of the message are rejected before anything is read`() throws {
        var message = DNSMessage("shop.test", 1, []).bytes
        (message[6], message[7]) = (0xff, 0xff)
        #expect(try error(message) == .tooManyRecords(65_536))
    }

    @Test func `pointers in a cycle, forward, to themselves and beyond the end are rejected`() throws {
        func message(owner: [UInt8]) -> [UInt8] {
            var bytes = DNSMessage("shop.test", 1, []).bytes
            bytes[7] = 1
            return bytes + owner + [0, 1, 0, 1, 0, 0, 0, 5, 0, 4, 127, 0, 0, 4]
        }
        let start = DNSMessage("shop.test", 1, []).bytes.count
        #expect(try error(message(owner: [0xc0, UInt8(start)])) == .badPointer(at: start))
        #expect(try error(message(owner: [0xc0, UInt8(start + 4)])) == .badPointer(at: start))
        #expect(try error(message(owner: [0xff, 0xff])) == .badPointer(at: start))
        // A label, then a pointer back to that label.
        #expect(try error(message(owner: [1, 97, 0xc0, UInt8(start)])) == .badPointer(at: start + 2))
        #expect(try error(message(owner: [0x80, 0])) == .badName(at: start))
    }

    @Test func `an address of another length is rejected`() throws {
        let message = DNSMessage("shop.test", 1, [.address("shop.test", [127, 0, 0], lifetime: 5)])
        #expect(try error(message.bytes) == .badAddress(length: 3))
    }

    @Test(arguments: [UInt64.random(in: 0...UInt64.max)]) func `any bytes result in a response or an error`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let whole = DNSMessage("shop.test", 1, [.alias("shop.test", "b.test", lifetime: 1), .address("b.test", [127, 0, 0, 2], lifetime: 1)]).bytes
        for _ in 0..<20_000 {
            var bytes = whole
            for _ in 0...Int.random(in: 0..<6, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
            }
            _ = try error(bytes)
            _ = try error((0..<Int.random(in: 0..<80, using: &random)).map { _ in .random(in: 0...255, using: &random) })
        }
    }
}
