import SortieHTTP
import Testing

/// Tests what a client accepts from a WebSocket server, and what it must reject (RFC 6455).
@Suite struct WebSocketReaderTests {
    private static let limit = 70_000

    /// A frame of a server; `length` replaces the length bytes.
    private static func frame(_ first: UInt8, _ payload: [UInt8] = [], length: [UInt8]? = nil) -> [UInt8] {
        [first] + (length ?? [UInt8(payload.count)]) + payload
    }

    private static func events(_ bytes: [UInt8], chunk: Int? = nil) throws(WebSocketError) -> [WebSocketReader.Event] {
        var reader = WebSocketReader(limit: limit)
        var events: [WebSocketReader.Event] = []
        let chunk = chunk ?? max(1, bytes.count)
        for start in stride(from: 0, to: bytes.count, by: chunk) {
            reader.append(bytes[start..<min(start + chunk, bytes.count)])
            while let event = try reader.next() { events.append(event) }
        }
        return events
    }

    struct Rejection: Sendable, CustomTestStringConvertible {
        let name: String
        let rule: WebSocketError.Rule
        let code: UInt16
        let bytes: [UInt8]

        init(_ name: String, _ rule: WebSocketError.Rule, _ bytes: [UInt8], code: UInt16 = 1002) {
            self.name = name
            self.rule = rule
            self.code = code
            self.bytes = bytes
        }

        var testDescription: String { name }
    }

    private static let rejections: [Rejection] =
        [
            Rejection("a ping of 126 bytes", .controlLength, frame(0x89, Array(repeating: 0, count: 126), length: [126, 0, 126])),
            Rejection("a Close frame with a 64-bit length", .controlLength, frame(0x88, length: [127, 0, 0, 0, 0, 0, 1, 0, 0])),
            Rejection("a fragmented ping", .controlFragment, frame(0x09)),
            Rejection("a fragmented Close frame", .controlFragment, frame(0x08)),
            Rejection("a length with the top bit", .lengthRange, frame(0x82, length: [127, 0x80, 0, 0, 0, 0, 1, 0, 0])),
            Rejection("a frame over the limit", .frameLimit, frame(0x82, length: [127, 0, 0, 0, 0, 0, 1, 0x11, 0x71]), code: 1009),
            Rejection("a frame of 2^62 bytes", .frameLimit, frame(0x82, length: [127, 0x40, 0, 0, 0, 0, 0, 0, 0]), code: 1009),
            Rejection(
                "a message over the limit", .messageLimit,
                frame(0x02, Array(repeating: 0, count: 40_000), length: [126, 0x9c, 0x40])
                    + frame(0x80, Array(repeating: 0, count: 40_000), length: [126, 0x9c, 0x40]), code: 1009),
            Rejection("125 in 16 bits", .minimalLength, frame(0x82, length: [126, 0, 125])),
            Rejection("65535 in 64 bits", .minimalLength, frame(0x82, length: [127, 0, 0, 0, 0, 0, 0, 0xff, 0xff])),
            Rejection("RSV1", .reservedBits, frame(0xc1)), Rejection("RSV2", .reservedBits, frame(0xa1)),
            Rejection("RSV3", .reservedBits, frame(0x91)),
            Rejection("a masked frame", .masked, frame(0x81, [1, 2, 3, 4], length: [0x80])),
            Rejection("a lone continuation", .loneContinuation, frame(0x80)),
            Rejection("a continuation after a whole message", .loneContinuation, frame(0x81, [0x61]) + frame(0x80)),
            Rejection("a new message within a fragmented one", .interruptedMessage, frame(0x01, [0x61]) + frame(0x81, [0x62])),
            Rejection("a binary message within a fragmented text", .interruptedMessage, frame(0x01) + frame(0x82)),
            Rejection("an overlong character", .textEncoding, frame(0x81, [0xc0, 0xaf]), code: 1007),
            Rejection("an overlong character of three bytes", .textEncoding, frame(0x81, [0xe0, 0x80, 0xaf]), code: 1007),
            Rejection("an overlong character of four bytes", .textEncoding, frame(0x81, [0xf0, 0x80, 0x80, 0xaf]), code: 1007),
            Rejection("a surrogate", .textEncoding, frame(0x81, [0xed, 0xa0, 0x80]), code: 1007),
            Rejection("a value above U+10FFFF", .textEncoding, frame(0x81, [0xf4, 0x90, 0x80, 0x80]), code: 1007),
            Rejection("a text that ends within a character", .textEncoding, frame(0x81, [0xe2, 0x82]), code: 1007),
            Rejection("an invalid byte in a first fragment", .textEncoding, frame(0x01, [0xff]), code: 1007),
            Rejection("an invalid byte across fragments", .textEncoding, frame(0x01, [0xe2]) + frame(0x80, [0x41]), code: 1007),
            Rejection("a Close payload of 1 byte", .closePayload, frame(0x88, [3])),
            Rejection("an invalid reason", .closeReason, frame(0x88, [0x03, 0xe8, 0xff]), code: 1007),
        ] + ([3, 4, 5, 6, 7, 0xb, 0xc, 0xd, 0xe, 0xf] as [UInt8]).map { Rejection("the opcode \($0)", .opcode, frame(0x80 | $0)) }
        + ([0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65535] as [UInt16]).map {
            Rejection("the close code \($0)", .closeCode, frame(0x88, [UInt8($0 >> 8), UInt8($0 & 0xff)]))
        }

    @Test(arguments: rejections)
    func `a violation ends the connection with the error of its rule, however it is divided`(_ rejection: Rejection) {
        for chunk in [nil, 1, 3] as [Int?] {
            let error = #expect(throws: WebSocketError.self) { try Self.events(rejection.bytes, chunk: chunk) }
            #expect(error?.rule == rejection.rule)
            #expect(error?.closeCode == rejection.code)
        }
    }

    @Test func `every rule names its source`() {
        for rule in WebSocketError.Rule.allCases { #expect(rule.text.contains(/\(RFC (6455|7692) §/)) }
    }

    @Test(arguments: [nil, 1, 2, 7] as [Int?])
    func `control frames between the fragments of a text do not change it`(chunk: Int?) throws {
        let bytes =
            Self.frame(0x01, [0x61, 0xe2]) + Self.frame(0x89, [7]) + Self.frame(0x00, [0x82]) + Self.frame(0x8a) + Self.frame(0x80, [0xac])
            + Self.frame(0x82, [0xff]) + Self.frame(0x88, [0x03, 0xe9] + Array("é".utf8))
        #expect(
            try Self.events(bytes, chunk: chunk) == [
                .ping([7]), .pong([]), .message(.text("a€")), .message(.binary([0xff])), .close(WebSocketClose(code: 1001, reason: "é")),
            ])
    }

    @Test(arguments: [0, 1, 125, 126, 65535, 65536, 70000])
    func `a payload of each form of the length is read`(count: Int) throws {
        let payload = [UInt8](repeating: 0x61, count: count)
        let digits = [UInt8(count >> 16), UInt8(count >> 8 & 255), UInt8(count & 255)]
        let length = count < 126 ? [digits[2]] : count < 65536 ? [126] + digits[1...] : [127, 0, 0, 0, 0, 0] + digits
        #expect(try Self.events(Self.frame(0x82, payload, length: length)) == [.message(.binary(payload))])
    }

    @Test(arguments: [1000, 1003, 1007, 1014, 3000, 4999] as [UInt16])
    func `a Close frame with an allowed code is read`(code: UInt16) throws {
        #expect(try Self.events(Self.frame(0x88, [UInt8(code >> 8), UInt8(code & 0xff)])) == [.close(WebSocketClose(code: code))])
    }

    @Test(arguments: [nil, 1] as [Int?])
    func `bytes after a Close frame are discarded`(chunk: Int?) throws {
        let close = Self.frame(0x88, [0x03, 0xe8])
        for rest in [Self.frame(0x81, [0x61]), Self.frame(0x89), close, [0xff, 0xff]] {
            #expect(try Self.events(close + rest, chunk: chunk) == [.close(WebSocketClose(code: 1000))])
        }
    }

    @Test func `an invalid byte of a text is rejected before its frame is complete`() {
        #expect(throws: WebSocketError(.textEncoding)) { try Self.events([0x81, 100, 0x61, 0xff]) }
    }

    @Test func `a message over the limit is rejected with the header of its last frame`() {
        let first = Self.frame(0x02, Array(repeating: 0, count: 40_000), length: [126, 0x9c, 0x40])
        let error = #expect(throws: WebSocketError.self) { try Self.events(first + [0x80, 126, 0x9c, 0x40]) }
        #expect(error?.rule == .messageLimit)
    }

    @Test func `an empty Close frame has no code`() throws {
        #expect(try Self.events(Self.frame(0x88)) == [.close(WebSocketClose(code: nil))])
    }

    @Test func `reading stops at a limit of its work, to which each small frame adds, and goes on later`() throws {
        var reader = WebSocketReader(limit: Self.limit)
        for _ in 0..<100 { reader.append(Self.frame(0x82)) }
        var count = 0
        while try reader.next(untilWork: 10 * WebSocketReader.overhead) != nil { count += 1 }
        #expect(count == 10 && reader.work == 10 * WebSocketReader.overhead)
        while try reader.next() != nil { count += 1 }
        #expect(count == 100)
    }

    @Test func `discarded messages are no events and are not checked, and the Close frame after them is one`() throws {
        var reader = WebSocketReader(limit: Self.limit)
        reader.append(Self.frame(0x01, [0xff]) + Self.frame(0x80, [0xff]) + Self.frame(0x81, [0xff]) + Self.frame(0x88, [0x03, 0xe8]))
        reader.discardsMessages = true
        #expect(try reader.next() == .close(WebSocketClose(code: 1000)))
    }
}
