import SortieHTTP
import Testing

/// Tests the frames that a client sends (RFC 6455 §5).
@Suite struct WebSocketFrameTests {
    @Test func `a masked text has the bytes of the example in section 5-7`() {
        let frame = WebSocketMessage.text("Hello").frame
        #expect(frame.bytes(mask: 0x37fa_213d) == [0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58])
    }

    @Test(
        arguments: [(125, [0xfd]), (126, [0xfe, 0, 126]), (65535, [0xfe, 0xff, 0xff]), (65536, [0xff, 0, 0, 0, 0, 0, 1, 0, 0])]
            as [(Int, [UInt8])])
    func `the length has its shortest form`(count: Int, length: [UInt8]) {
        let bytes = WebSocketMessage.binary(Array(repeating: 0, count: count)).frame.bytes(mask: 0)
        #expect(Array(bytes.prefix(1 + length.count)) == [0x82] + length)
        #expect(bytes.count == 1 + length.count + 4 + count)
    }

    @Test func `a fragment has no final bit`() {
        #expect(WebSocketFrame(isFinal: false, opcode: .continuation).bytes(mask: 1) == [0x00, 0x80, 0, 0, 0, 1])
    }

    @Test(arguments: [999, 1005, 1006, 1015, 5000] as [UInt16])
    func `a code that frames must not have is not sent`(code: UInt16) {
        #expect(throws: WebSocketError(.closeCode, "the code is \(code)")) { try WebSocketClose(code: code) }
    }

    @Test func `a reason that does not fit into a control frame is not sent`() {
        let error = #expect(throws: WebSocketError.self) { try WebSocketClose(code: 1000, reason: String(repeating: "é", count: 62)) }
        #expect(error?.rule == .controlLength)
    }

    @Test func `a Close frame has its code and its reason`() throws {
        #expect(try WebSocketClose(code: 1000, reason: "a").payload == [0x03, 0xe8, 0x61])
        #expect(try WebSocketClose(code: nil).payload == [])
    }
}
