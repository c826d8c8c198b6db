internal import FoundationEssentials
internal import SortieHTTP

/// Parses keys of 128, 192 or 256 bits.
enum AESKey {
    /// Parses hexadecimal digits or base64, with or without the prefix `hex:` or `base64:`.
    ///
    /// Without a prefix, text that consists of hexadecimal digits and has the length of a key is read as hexadecimal. 32 digits are also the base64
    /// form of 24 bytes, but the base64 form of random bytes looks like that with a probability of 10⁻¹⁵.
    ///
    /// - Throws: `invalidOption` for another form or another length.
    static func read(_ text: String) throws(NetworkError) -> AESGCM {
        let bytes: [UInt8]?
        if text.hasPrefix("hex:") {
            bytes = HexDigits.bytes(text.dropFirst("hex:".count))
        } else if text.hasPrefix("base64:") {
            bytes = base64(String(text.dropFirst("base64:".count)))
        } else if let hex = HexDigits.bytes(text), AESGCM.keySizes.contains(hex.count) {
            bytes = hex
        } else {
            bytes = base64(text) ?? HexDigits.bytes(text)
        }
        guard let bytes else {
            throw NetworkError(.invalidOption, "the encryption key is neither base64 nor hexadecimal digits", hint: hint)
        }
        guard let key = AESGCM(key: bytes) else {
            throw NetworkError(.invalidOption, "the encryption key has \(bytes.count) bytes; AES requires 16, 24 or 32", hint: hint)
        }
        return key
    }

    private static let hint = "create one with: openssl rand -hex 32"

    private static func base64(_ text: String) -> [UInt8]? {
        Data(base64Encoded: text).map { Array($0) }
    }
}
