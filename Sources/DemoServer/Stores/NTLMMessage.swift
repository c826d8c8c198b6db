/// The messages of NTLM that begin a handshake (MS-NLMP 2.2.1).
enum NTLMMessage {
    /// A message of a client.
    enum Kind {
        /// The first message, with the flags that the client offers.
        case negotiate(UInt32)
        /// The response to a challenge.
        case authenticate
    }

    private static let signature = Array("NTLMSSP\0".utf8)
    static let unicode: UInt32 = 0x1
    private static let oem: UInt32 = 0x2
    /// The target has a name and is a server; NTLM with extended session security and a list about the target.
    private static let flags: UInt32 = 0x4 | 0x200 | 0x8000 | 0x2_0000 | 0x8_0000 | 0x80_0000

    /// The kind of a client's message; nil for other bytes.
    static func kind(of bytes: [UInt8]) -> Kind? {
        guard bytes.starts(with: signature), let type = integer(bytes, at: 8, size: 4) else { return nil }
        switch type {
        case 1: return integer(bytes, at: 12, size: 4).map { .negotiate($0) }
        case 3: return .authenticate
        default: return nil
        }
    }

    /// The message with a challenge of eight bytes.
    ///
    /// - Parameters:
    ///   - offered: The flags of the client.
    ///   - domain: The name of the server and of its domain.
    static func challenge(_ challenge: [UInt8], to offered: UInt32, from domain: String) -> [UInt8] {
        let isUnicode = offered & unicode != 0
        let name = isUnicode ? utf16(domain) : Array(domain.utf8)
        // Pairs of a number and a text: the names of the domain (2) and of the server (1), and the end.
        let target = pair(2, utf16(domain)) + pair(1, utf16(domain)) + pair(0, [])
        let start = 48
        return signature + little(2, size: 4) + span(name.count, at: start) + little(flags | (isUnicode ? unicode : oem), size: 4) + challenge
            + [UInt8](repeating: 0, count: 8) + span(target.count, at: start + name.count) + name + target
    }

    /// An unsigned integer, least significant byte first; nil beyond the end.
    static func integer(_ bytes: [UInt8], at index: Int, size: Int) -> UInt32? {
        guard index + size <= bytes.count else { return nil }
        return bytes[index..<index + size].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The bytes that the length and the offset at an index describe; nil beyond the end.
    static func span(_ bytes: [UInt8], at index: Int) -> [UInt8]? {
        guard let length = integer(bytes, at: index, size: 2), let start = integer(bytes, at: index + 4, size: 4),
            Int(start) + Int(length) <= bytes.count
        else { return nil }
        return Array(bytes[Int(start)..<Int(start) + Int(length)])
    }

    static func utf16(_ text: String) -> [UInt8] { text.utf16.flatMap { little(UInt32($0), size: 2) } }

    private static func span(_ length: Int, at start: Int) -> [UInt8] {
        little(UInt32(length), size: 2) + little(UInt32(length), size: 2) + little(UInt32(start), size: 4)
    }

    private static func pair(_ number: UInt32, _ bytes: [UInt8]) -> [UInt8] {
        little(number, size: 2) + little(UInt32(bytes.count), size: 2) + bytes
    }

    private static func little(_ value: UInt32, size: Int) -> [UInt8] { (0..<size).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
}
