import SortieHTTP

/// 3: reserved bits; 4: reserved opcodes.
enum ReservedCases {
    private static let hello = Array("Hello, world!".utf8)
    private static let text = ServerFrame.bytes(1, hello)
    private static let ping = ServerFrame.ping()

    static let bits: [ConformanceCase] = [
        ConformanceCase("3.1", "a text with RSV3", [ServerFrame.bytes(1, hello, reserved: 1)], ends: .violation(.reservedBits)),
        ConformanceCase(
            "3.2", "a text, a text with RSV2, a ping", [text, ServerFrame.bytes(1, hello, reserved: 2), ping], messages: [.text("Hello, world!")],
            ends: .violation(.reservedBits)),
        ConformanceCase(
            "3.3", "a text, a text with RSV2 and RSV3, a ping, frame by frame", [text, ServerFrame.bytes(1, hello, reserved: 3), ping], .frames,
            messages: [.text("Hello, world!")], ends: .violation(.reservedBits)),
        ConformanceCase(
            "3.4", "a text, a text with RSV1, a ping, octet by octet", [text, ServerFrame.bytes(1, hello, reserved: 4), ping], .chops(1),
            messages: [.text("Hello, world!")], ends: .violation(.reservedBits)),
        ConformanceCase(
            "3.5", "a binary message with RSV1 and RSV3", [ServerFrame.bytes(2, [UInt8](repeating: 0xff, count: 8), reserved: 5)],
            ends: .violation(.reservedBits)),
        ConformanceCase("3.6", "a ping with RSV1 and RSV2", [ServerFrame.bytes(9, hello, reserved: 6)], ends: .violation(.reservedBits)),
        ConformanceCase("3.7", "a Close frame with all reserved bits", [ServerFrame.bytes(8, reserved: 7)], ends: .violation(.reservedBits)),
    ]

    static let opcodes = dataOpcodes + controlOpcodes

    private static let dataOpcodes = cases("4.1", from: 3)
    private static let controlOpcodes = cases("4.2", from: 11)

    /// The first two opcodes are used at once, the others after a text and before a ping; the last one octet by octet.
    private static func cases(_ group: String, from first: UInt8) -> [ConformanceCase] {
        (0..<5 as Range<UInt8>).map { index in
            let payload = index == 0 || index == 2 ? [] : hello
            let frame = ServerFrame.bytes(first + index, payload)
            let title = "the opcode \(first + index)" + (payload.isEmpty ? "" : " with a payload")
            guard index > 1 else { return ConformanceCase("\(group).\(index + 1)", title, [frame], ends: .violation(.opcode)) }
            return ConformanceCase(
                "\(group).\(index + 1)", "a text, \(title), a ping", [text, frame, ping], index == 4 ? .chops(1) : .whole,
                messages: [.text("Hello, world!")], ends: .violation(.opcode))
        }
    }
}
