internal import FoundationEssentials

/// A random text that takes the place of a masked value while a request is rebuilt.
///
/// A part of the rebuilt request that contains it depends on a value that is not stored. The letters and digits of the text are the same in every
/// notation of a request; only Base64 changes them.
struct UnknownValue {
    let text: String

    init() { text = "masked" + (0..<2).map { _ in String(UInt64.random(in: 0 ... .max), radix: 36) }.joined() }

    /// Whether a part of a request contains the value, also as a user name or password of Basic.
    func occurs(in part: some StringProtocol) -> Bool {
        if part.contains(text) { return true }
        guard part.lowercased().hasPrefix("basic "), let decoded = Data(base64Encoded: String(part.dropFirst(6))) else { return false }
        return String(decoding: decoded, as: UTF8.self).contains(text)
    }

    func occurs(in bytes: [UInt8]) -> Bool { bytes.firstRange(of: Array(text.utf8)) != nil }
}
