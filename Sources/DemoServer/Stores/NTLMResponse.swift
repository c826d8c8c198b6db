import Foundation
import SortieBase

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
