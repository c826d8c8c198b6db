import Foundation
import SortieBase

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

/// The response of a client to a challenge of NTLM (MS-NLMP 2.2.1.3).
struct NTLMResponse: Sendable {
    /// The user name.
    let user: String
    /// The domain of the user; empty for none.
    let domain: String
    private let response: [UInt8]

    /// Reads a message; nil when a part is missing.
    init?(_ bytes: [UInt8]) {
        guard let response = NTLMMessage.span(bytes, at: 20), let domain = NTLMMessage.span(bytes, at: 28),
            let user = NTLMMessage.span(bytes, at: 36), let flags = NTLMMessage.integer(bytes, at: 60, size: 4)
        else { return nil }
        self.response = response
        let isUnicode = flags & NTLMMessage.unicode != 0
        self.user = Self.text(user, isUnicode)
        self.domain = Self.text(domain, isUnicode)
    }

    /// Whether it is one of NTLMv2: a code of 16 bytes and a structure, instead of 24 bytes.
    var isVersion2: Bool { response.count > 24 }

    /// Whether it was made with a password for a challenge (MS-NLMP 3.3.2).
    ///
    /// - Parameter hash: The MD4 of the password in UTF-16.
    func isValid(for challenge: [UInt8], hash: [UInt8]) -> Bool {
        let key = Self.code(NTLMMessage.utf16(user.uppercased() + domain), hash)
        return Self.code(challenge + response.dropFirst(16), key) == Array(response.prefix(16))
    }

    private static func code(_ bytes: [UInt8], _ key: [UInt8]) -> [UInt8] {
        HashFunction.md5.authenticationCode(of: bytes, key: key)
    }

    private static func text(_ bytes: [UInt8], _ isUnicode: Bool) -> String {
        guard isUnicode else { return String(decoding: bytes, as: UTF8.self) }
        return String(decoding: stride(from: 0, to: bytes.count - 1, by: 2).map { UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8 }, as: UTF16.self)
    }
}
