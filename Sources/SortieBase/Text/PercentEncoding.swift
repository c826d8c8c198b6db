/// Percent-encoding of text for URLs and forms (RFC 3986 §2.1, WHATWG URL §1.3).
package enum PercentEncoding {
    /// The bytes that are not encoded.
    package enum Allowed: Sendable {
        /// Only the unreserved characters of RFC 3986, for names and values of parameters.
        case unreserved
        /// The bytes allowed in a path; an existing `%` is kept.
        case path
        /// The bytes allowed in a query; an existing `%` is kept.
        case query
        /// `application/x-www-form-urlencoded`: a space becomes `+`.
        case form
    }

    /// `text` in UTF-8 with every byte outside `allowed` as `%XX`.
    package static func encode(_ text: some StringProtocol, allowed: Allowed) -> String {
        encode(bytes: text.utf8, allowed: allowed)
    }

    package static func encode(bytes: some Sequence<UInt8>, allowed: Allowed) -> String {
        let isForm = allowed == .form
        return bytes.withContiguousStorageIfAvailable { encode($0, isForm: isForm) { isAllowed($0, allowed) } }
            ?? Array(bytes).withUnsafeBufferPointer { encode($0, isForm: isForm) { isAllowed($0, allowed) } }
    }

    /// `text` in UTF-8 with every byte as `%XX` that is no letter, no digit and none of these characters.
    package static func encode(_ text: String, except characters: String) -> String {
        Array(text.utf8).withUnsafeBufferPointer {
            encode($0, isForm: false) { ASCII.isDigit($0) || ASCII.isLetter($0) || characters.utf8.contains($0) }
        }
    }

    private static func encode(_ bytes: UnsafeBufferPointer<UInt8>, isForm: Bool, isAllowed: (UInt8) -> Bool) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for byte in bytes {
            if isAllowed(byte) {
                result.append(byte)
            } else if isForm, byte == UInt8(ascii: " ") {
                result.append(UInt8(ascii: "+"))
            } else {
                result.append(UInt8(ascii: "%"))
                result.append(hexDigits[Int(byte >> 4)])
                result.append(hexDigits[Int(byte & 15)])
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// `text` with `%XX` decoded to bytes and read as UTF-8; an invalid escape is kept.
    package static func decode(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String {
        String(decoding: decodedBytes(text.utf8, plusIsSpace: plusIsSpace), as: UTF8.self)
    }

    package static func decodedBytes(_ bytes: some Sequence<UInt8>, plusIsSpace: Bool = false) -> [UInt8] {
        bytes.withContiguousStorageIfAvailable { decodedBytes($0, plusIsSpace) }
            ?? Array(bytes).withUnsafeBufferPointer { decodedBytes($0, plusIsSpace) }
    }

    private static func decodedBytes(_ bytes: UnsafeBufferPointer<UInt8>, _ plusIsSpace: Bool) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count, let high = ASCII.hexValue(bytes[index + 1]),
                let low = ASCII.hexValue(bytes[index + 2])
            {
                result.append(high << 4 | low)
                index += 3
            } else {
                result.append(plusIsSpace && bytes[index] == UInt8(ascii: "+") ? UInt8(ascii: " ") : bytes[index])
                index += 1
            }
        }
        return result
    }

    private static let hexDigits = Array("0123456789ABCDEF".utf8)

    private static func isAllowed(_ byte: UInt8, _ allowed: Allowed) -> Bool {
        if ASCII.isDigit(byte) || ASCII.isLetter(byte) { return true }
        switch allowed {
        case .unreserved:
            return "-._~".utf8.contains(byte)
        case .form:
            return "-._*".utf8.contains(byte)
        case .path:
            return byte > 0x20 && byte < 0x7f && !"\"#<>?`{}^".utf8.contains(byte)
        case .query:
            return byte > 0x20 && byte < 0x7f && !"\"#<>'".utf8.contains(byte)
        }
    }
}
