internal import Glibc

/// The values of `format` that are evaluated (JSON Schema validation 2020-12, 7.3, and the OpenAPI format registry).
enum SchemaFormat: String, Sendable, CaseIterable {
    case dateTime = "date-time"
    case date, time, duration, email
    case internationalEmail = "idn-email"
    case hostname, ipv4, ipv6, uri
    case uriReference = "uri-reference"
    case uuid
    case jsonPointer = "json-pointer"
    /// Base64 text.
    case byte
    case int32, int64

    /// Whether a value has the format; a value of a type to which the format does not apply has it.
    func accepts(_ value: JSONValue) -> Bool {
        switch (self, value) {
        case (.int32, .number(let text)): JSONDecimal(text).integer.map { Int32(exactly: $0) != nil } ?? false
        case (.int64, .number(let text)): Int64(text) != nil || JSONDecimal(text).integer != nil
        case (.int32, _), (.int64, _): true
        case (_, .string(let text)): accepts(text)
        default: true
        }
    }

    private func accepts(_ text: String) -> Bool {
        switch self {
        case .dateTime: InternetTimeReader.read(text) { $0.date() != nil && $0.skip("Tt") ? $0.time() : nil } != nil
        case .date: InternetTimeReader.read(text) { $0.date() } != nil
        case .time: InternetTimeReader.read(text) { $0.time() } != nil
        case .duration: Self.isDuration(text)
        case .email, .internationalEmail: isEmail(text)
        case .hostname: Self.isHostname(text)
        case .ipv4: Self.isAddress(text, AF_INET)
        case .ipv6: Self.isAddress(text, AF_INET6)
        case .uri: Self.isReference(text) && Self.hasScheme(text)
        case .uriReference: Self.isReference(text)
        case .uuid: Self.isUUID(text)
        case .jsonPointer: Self.isPointer(text)
        case .byte: Base64.bytes(text) != nil
        case .int32, .int64: true
        }
    }

    /// ISO 8601 durations as in RFC 3339, appendix A.
    private static func isDuration(_ text: String) -> Bool {
        guard text.first == "P", text.utf8.count > 1, text.last != "T" else { return false }
        var (units, isTime) = ("YMWD"[...], false)
        var hasDigits = false
        for character in text.dropFirst() {
            if character == "T", !isTime, !hasDigits {
                (units, isTime) = ("HMS", true)
            } else if character.isASCII, character.isNumber || hasDigits && character == "." {
                hasDigits = true
            } else if hasDigits, let place = units.firstIndex(of: character) {
                units = units[units.index(after: place)...]
                hasDigits = false
            } else {
                return false
            }
        }
        return !hasDigits
    }

    private func isEmail(_ text: String) -> Bool {
        guard let mark = text.utf8.lastIndex(of: UInt8(ascii: "@")), mark != text.startIndex else { return false }
        let (local, domain) = (text[..<mark], text[text.index(after: mark)...])
        guard local.utf8.first == UInt8(ascii: "\"") || Self.isLocalPart(local) else { return false }
        if Self.isHostname(domain) { return true }
        guard !domain.isEmpty, !domain.contains(where: \.isWhitespace) else { return false }
        return self == .internationalEmail || domain.hasPrefix("[") && domain.hasSuffix("]")
    }

    /// Whether a text is the part of an address before `@`, without quotes: no blank and no `@`, and periods only between other characters.
    private static func isLocalPart(_ text: Substring) -> Bool {
        var (last, isASCII) = (UInt8(ascii: "."), true)
        for byte in text.utf8 {
            guard byte != 0x20, !(0x09...0x0D).contains(byte), byte != UInt8(ascii: "@"), byte != UInt8(ascii: ".") || last != byte
            else { return false }
            isASCII = isASCII && byte < 0x80
            last = byte
        }
        // The properties of characters are looked up for other texts only.
        return last != UInt8(ascii: ".") && (isASCII || !text.contains(where: \.isWhitespace))
    }

    private static func isHostname(_ text: some StringProtocol) -> Bool {
        guard (1...253).contains(text.utf8.count) else { return false }
        let mark = UInt8(ascii: "-")
        var (length, last) = (0, mark)
        for byte in text.utf8 {
            if byte == UInt8(ascii: ".") {
                guard last != mark else { return false }
                (length, last) = (0, mark)
                continue
            }
            // A label neither begins nor ends with a hyphen.
            guard ASCII.isDigit(byte) || ASCII.isLetter(byte) || byte == mark && length > 0, length < 63 else { return false }
            (length, last) = (length + 1, byte)
        }
        return last != mark
    }

    private static func isAddress(_ text: String, _ family: Int32) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 16)
        return !text.utf8.contains(0) && inet_pton(family, text, &bytes) == 1
    }

    /// Whether the characters are those of a URI reference (RFC 3986, 2), with valid percent-encoding.
    private static func isReference(_ text: String) -> Bool {
        var escape = 0
        for byte in text.utf8 {
            if escape > 0 {
                guard ASCII.hexValue(byte) != nil else { return false }
                escape -= 1
            } else if byte == UInt8(ascii: "%") {
                escape = 2
            } else {
                guard ASCII.isDigit(byte) || ASCII.isLetter(byte) || "-._~:/?#[]@!$&'()*+,;=".utf8.contains(byte) else { return false }
            }
        }
        return escape == 0
    }

    private static func hasScheme(_ text: String) -> Bool {
        let scheme = text.utf8.prefix { $0 != UInt8(ascii: ":") }
        guard scheme.count < text.utf8.count, let first = scheme.first, ASCII.isLetter(first) else { return false }
        return scheme.allSatisfy { ASCII.isDigit($0) || ASCII.isLetter($0) || "+-.".utf8.contains($0) }
    }

    private static func isUUID(_ text: String) -> Bool {
        guard text.utf8.count == 36 else { return false }
        for (index, byte) in text.utf8.enumerated() {
            let isMark = index == 8 || index == 13 || index == 18 || index == 23
            guard isMark ? byte == UInt8(ascii: "-") : ASCII.hexValue(byte) != nil else { return false }
        }
        return true
    }

    private static func isPointer(_ text: String) -> Bool {
        guard text.isEmpty || text.hasPrefix("/") else { return false }
        return text.split(separator: "~", omittingEmptySubsequences: false).dropFirst().allSatisfy { $0.hasPrefix("0") || $0.hasPrefix("1") }
    }
}
