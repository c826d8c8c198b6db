internal import SortieBase

extension Redaction {
    /// The number of body bytes that are processed at once.
    package static let window = 1 << 20
    /// The maximum depth of nested documents: JSON in a JSON string, in a part of a multipart body.
    static let nestingLimit = 4

    /// Masks the secrets in the bytes of a body, see `mask(_:contentType:into:)`.
    package func maskedBody(_ bytes: [UInt8], contentType: String?) -> [UInt8] {
        guard !isOff, !bytes.isEmpty else { return bytes }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        mask(BodyBytes(bytes), contentType: contentType) { result.append(contentsOf: $0) }
        return result
    }

    /// Masks the secrets in the text of a body by the rules for its bytes, regardless of the charset of its type.
    package func maskedBody(_ text: String, contentType: String?) -> String {
        guard !isOff, !text.isEmpty else { return text }
        let bytes = Array(text.utf8)
        guard !names.isEmpty else { return hidingValues(text) }
        let rule = MaskingRule(contentType: contentType, body: BodyBytes(Array(bytes.prefix(BodyKind.sniffedBytes + 1))), isDecoded: true)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        bytes.withUnsafeBytes { mask($0, by: rule, depth: 0, afterEach: {}, into: { result.append(contentsOf: $0) }) }
        return hidingValues(result, in: rule)
    }

    /// Masks the values of used secrets in a text of a notation.
    func hidingValues(_ text: [UInt8], in rule: MaskingRule) -> String {
        guard !spellings.isEmpty else { return String(decoding: text, as: UTF8.self) }
        var hiding = ValueHiding(spellings, in: rule)
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        text.withUnsafeBytes { bytes in hiding.append(bytes) { result.append(contentsOf: $0) } }
        hiding.finish { result.append(contentsOf: $0) }
        return String(decoding: result, as: UTF8.self)
    }

    /// Masks the secrets of a body and writes it in pieces of at most 1 MiB; the memory use is independent of the size.
    ///
    /// Names identify secrets in each notation: JSON, also line-delimited and in event streams, forms, XML, HTML, GraphQL, the parts of multipart
    /// bodies, and lines of `name: value`. In text, the URLs are masked. The values of used secrets are masked everywhere, in any bytes; JSON stays
    /// JSON. `write` cannot stop the output: a caller that cannot process a piece ignores the following ones.
    package func mask(_ body: BodyBytes, contentType: String?, into write: (UnsafeRawBufferPointer) -> Void) {
        let notation = MaskingRule(contentType: contentType, body: body)
        var hiding = ValueHiding(spellings, in: notation)
        body.withUnsafeBytes { bytes in
            func hide(_ piece: UnsafeRawBufferPointer) {
                for start in stride(from: 0, to: piece.count, by: Redaction.window) {
                    hiding.append(piece[rebased: start..<min(piece.count, start + Redaction.window)], into: write)
                }
            }
            func release() { if bytes.count > Redaction.window { body.releaseMemory() } }
            mask(bytes, by: names.isEmpty ? .bytes : notation, depth: 0, afterEach: release, into: hide)
        }
        hiding.finish(into: write)
    }

    /// Returns the first bytes of a body, masked as in the complete body, including a secret that continues after them.
    package func maskedStart(of body: BodyBytes, count: Int, contentType: String?) -> [UInt8] {
        guard !isOff, body.count > count else { return maskedBody(body.prefix(count), contentType: contentType) }
        let masked = maskedBody(body.prefix(count + longestValue), contentType: contentType)
        // The end may contain the beginning of a secret.
        return Array(masked.dropLast(body.count > count + longestValue ? longestValue : 0).prefix(count))
    }

    /// Writes a document, or a part of one, with the values of secret names masked.
    package func mask(
        _ bytes: UnsafeRawBufferPointer, by rule: MaskingRule, depth: Int, afterEach: () -> Void, into write: (UnsafeRawBufferPointer) -> Void
    ) {
        switch rule {
        case .json(let isLines): maskJSON(bytes, isLines: isLines, depth: depth, afterEach: afterEach, into: write)
        case .form: maskForm(bytes, into: write)
        case .text: LineMasking(redaction: self, readsNames: true).mask(bytes, afterEach: afterEach, into: write)
        case .markup(let isHTML): maskMarkup(bytes, isHTML: isHTML, depth: depth, afterEach: afterEach, into: write)
        case .events: EventStreamMasking(redaction: self).mask(bytes, afterEach: afterEach, into: write)
        case .graphQL:
            var end = 0
            for range in GraphQLScanner.secretRanges(in: bytes, isSecret: isSecret) {
                write(bytes[rebased: end..<range.lowerBound])
                self.write(Redaction.quotedMask, write)
                end = range.upperBound
            }
            write(bytes[rebased: end..<bytes.count])
        case .multipart(let boundary):
            MultipartMasking(redaction: self, depth: depth).mask(bytes, boundary: boundary, afterEach: afterEach, into: write)
        case .encoded(let encoding): maskEncoded(bytes, encoding, into: write)
        case .bytes:
            for start in stride(from: 0, to: bytes.count, by: Redaction.window) {
                write(bytes[rebased: start..<min(bytes.count, start + Redaction.window)])
                afterEach()
            }
        }
    }

    /// The ranges to replace in a document and their replacements, in order.
    package func replacements(in document: [UInt8], by rule: MaskingRule) -> [(Range<Int>, [UInt8])] {
        var found: [(Range<Int>, [UInt8])] = []
        document.withUnsafeBytes { bytes in
            var end = 0
            var replacement: [UInt8] = []
            func keep(_ range: Range<Int>) {
                if range.lowerBound > end { found.append((end..<range.lowerBound, replacement)) }
                replacement = []
                end = range.upperBound
            }
            // An unchanged piece points into the document's bytes.
            mask(bytes, by: rule, depth: 0, afterEach: {}) { piece in
                guard let base = bytes.baseAddress, let start = piece.baseAddress, !piece.isEmpty else { return }
                let offset = start - base
                if offset >= end, offset + piece.count <= bytes.count { keep(offset..<offset + piece.count) } else { replacement += piece }
            }
            keep(bytes.count..<bytes.count)
        }
        return found
    }

    private func write(_ bytes: [UInt8], _ write: (UnsafeRawBufferPointer) -> Void) { bytes.withUnsafeBytes { write($0) } }

    /// Masks a form item by item.
    private func maskForm(_ bytes: UnsafeRawBufferPointer, into write: (UnsafeRawBufferPointer) -> Void) {
        var start = 0
        while start < bytes.count {
            let end = bytes.firstIndex(of: UInt8(ascii: "&"), in: start..<bytes.count) ?? bytes.count
            let equals = bytes.firstIndex(of: UInt8(ascii: "="), in: start..<min(end, start + 4096))
            // The item including the following `&`.
            let next = min(bytes.count, end + 1)
            let name = equals.map { PercentEncoding.decode(bytes[rebased: start..<$0].text, plusIsSpace: true) } ?? ""
            if let equals, equals + 1 < end, let masked = maskedValue(bytes[rebased: equals + 1..<end], of: name) {
                write(bytes[rebased: start..<equals + 1])
                self.write(masked, write)
                write(bytes[rebased: end..<next])
            } else {
                write(bytes[rebased: start..<next])
            }
            start = next
        }
    }

    /// Masks the encoded value of a query or form item; nil where it has no secrets.
    ///
    /// A value may be a document: `payload={"token": …}`, or the parameters of GraphQL over HTTP GET.
    func maskedValue(_ value: UnsafeRawBufferPointer, of name: String) -> [UInt8]? {
        if isSecretPath(name) { return Array(HeaderField.mask.utf8) }
        let openings = ["{", "[", "%7B", "%7b", "%5B", "%5b", "query", "mutation", "subscription"]
        guard value.count < Redaction.window, openings.contains(where: { value.starts(with: $0.utf8) }) else { return nil }
        let text = Array(PercentEncoding.decode(value.text, plusIsSpace: true).utf8)
        guard let masked = text.withUnsafeBytes({ maskedNested($0, depth: 1) }) else { return nil }
        return Array(PercentEncoding.encode(String(decoding: masked, as: UTF8.self), allowed: .form).utf8)
    }

    /// Masks a text inside a document where it is JSON or GraphQL itself; nil where nothing is masked.
    func maskedNested(_ text: UnsafeRawBufferPointer, depth: Int) -> [UInt8]? {
        guard depth < Redaction.nestingLimit, Self.mayBeNested(text) else { return nil }
        var result: [UInt8] = []
        maskJSON(text, isLines: false, depth: depth, afterEach: {}) { result.append(contentsOf: $0) }
        if !result.elementsEqual(text) { return result }
        return maskedGraphQL(text)
    }

    /// Whether a text begins like JSON or GraphQL and contains a name with a value.
    package static func mayBeNested(_ text: UnsafeRawBufferPointer) -> Bool {
        guard let first = text.first(where: { $0 > 0x20 && $0 != UInt8(ascii: "\\") }), "{[qmsfnrt".utf8.contains(first) else { return false }
        guard text.firstIndex(of: UInt8(ascii: ":"), in: 0..<text.count) != nil else { return false }
        // A line break before the first character may be written as an escape.
        let start = text.prefix(24).split(whereSeparator: { $0 <= 0x20 || $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "(") })
        let words = ["{", "[", "query", "mutation", "subscription", "fragment", "n{", "n[", "nquery", "nmutation"]
        return start.first.map { word in words.contains { word.starts(with: $0.utf8) } } ?? false
    }

    /// Masks the values of secret arguments of GraphQL; nil where there are none.
    func maskedGraphQL(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
        Self.replacing(GraphQLScanner.secretRanges(in: text, isSecret: isSecret), of: text, with: Redaction.quotedMask)
    }

    /// A text with a mask in place of each range; nil where there are none.
    static func replacing(_ ranges: [Range<Int>], of text: UnsafeRawBufferPointer, with mask: [UInt8]) -> [UInt8]? {
        guard !ranges.isEmpty else { return nil }
        var result: [UInt8] = []
        var end = 0
        for range in ranges {
            result += text[end..<range.lowerBound]
            result += mask
            end = range.upperBound
        }
        return result + text[end...]
    }

    /// Masks text as a whole in an encoding that is not a superset of ASCII, which is rare.
    private func maskEncoded(
        _ bytes: UnsafeRawBufferPointer, _ encoding: TextEncoding, into write: (UnsafeRawBufferPointer) -> Void
    ) {
        let text = encoding.decode(bytes)
        let start = text.unicodeScalars.first { !$0.properties.isWhitespace && $0 != "\u{FEFF}" }
        let type = start == "<" ? "text/html" : nil
        let masked = maskedBody(text, contentType: type)
        guard masked != text else { return write(bytes) }
        // A character that the encoding lacks, such as that of the mask, is written as a question mark, so that no secret is left unmasked.
        let result = encoding.encode(masked) ?? masked.unicodeScalars.flatMap { encoding.encode(String($0)) ?? [UInt8(ascii: "?")] }
        self.write(result, write)
    }
}

extension UnsafeRawBufferPointer {
    /// The bytes as UTF-8.
    package var text: String { String(decoding: self, as: UTF8.self) }
}
