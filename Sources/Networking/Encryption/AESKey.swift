internal import Crypto
internal import FoundationEssentials
internal import Model

/// A key of 128, 192 or 256 bits, read from text.
enum AESKey {
    /// Reads hexadecimal digits or base64, with or without `hex:` or `base64:` before it.
    ///
    /// Without a prefix, text that is all hexadecimal digits and has the length of a key is that: 32 digits are also the base64 of 24 bytes, but
    /// base64 of chance looks like that once in 10¹⁵ times.
    static func read(_ text: String) throws(NetworkError) -> SymmetricKey {
        let bytes: [UInt8]?
        if text.hasPrefix("hex:") {
            bytes = HexDigits.bytes(text.dropFirst("hex:".count))
        } else if text.hasPrefix("base64:") {
            bytes = base64(String(text.dropFirst("base64:".count)))
        } else if let hex = HexDigits.bytes(text), lengths.contains(hex.count) {
            bytes = hex
        } else {
            bytes = base64(text) ?? HexDigits.bytes(text)
        }
        guard let bytes else {
            throw NetworkError(.invalidOption, "the encryption key is neither base64 nor hexadecimal digits", hint: hint)
        }
        guard lengths.contains(bytes.count) else {
            throw NetworkError(.invalidOption, "the encryption key has \(bytes.count) bytes; AES takes 16, 24 or 32", hint: hint)
        }
        return SymmetricKey(data: bytes)
    }

    private static let lengths = [16, 24, 32]
    private static let hint = "make one with: openssl rand -hex 32"

    private static func base64(_ text: String) -> [UInt8]? {
        Data(base64Encoded: text).map { Array($0) }
    }
}
