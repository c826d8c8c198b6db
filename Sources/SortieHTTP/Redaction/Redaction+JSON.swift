internal import SortieBase

extension Redaction {
    /// Masks the values of secret keys in JSON text and preserves all other bytes.
    ///
    /// A text that is not JSON stays unchanged.
    package func maskedJSON(_ text: String) -> String {
        guard !isOff else { return text }
        var result: [UInt8] = []
        Array(text.utf8).withUnsafeBytes { bytes in
            maskJSON(bytes, isLines: false, afterEach: {}) { result.append(contentsOf: $0) }
        }
        // A number or a word may be a text that is not JSON.
        let isDocument = result.first { $0 > 0x20 }.map { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") } ?? false
        return hidingValues(result, in: isDocument ? .json(isLines: false) : .bytes)
    }

    /// Writes JSON in pieces with the values of secret keys masked and all other bytes preserved.
    ///
    /// - Parameters:
    ///   - isLines: whether values are line-delimited, so that a malformed value does not affect the next one.
    ///   - window: the number of bytes that are processed at once.
    ///   - depth: the nesting depth of the document in others.
    ///   - afterEach: called after each window.
    func maskJSON(
        _ bytes: UnsafeRawBufferPointer, isLines: Bool, window: Int = Redaction.window, depth: Int = 0, afterEach: () -> Void,
        into write: (UnsafeRawBufferPointer) -> Void
    ) {
        var finder = SecretValueFinder(bytes: bytes, redaction: self, nesting: depth)
        var tokenizer = JSONTokenizer(allowsManyValues: true, rowLimit: .max)
        var limit = 0
        var written = 0
        while limit < bytes.count {
            limit = min(bytes.count, limit + window)
            finder.advance(&tokenizer, limit: limit, isLines: isLines)
            let end = finder.settled(limit, tokenizer)
            for (range, replacement) in finder.takeFound() where range.upperBound > written {
                if written < range.lowerBound { write(bytes[rebased: written..<range.lowerBound]) }
                replacement.withUnsafeBytes { write($0) }
                written = range.upperBound
            }
            if written < end {
                write(bytes[rebased: written..<end])
                written = end
            }
            afterEach()
        }
    }

    /// The ranges to replace in JSON and their replacements, in order.
    package func replacements(inJSON bytes: UnsafeRawBufferPointer) -> [(Range<Int>, [UInt8])] {
        var finder = SecretValueFinder(bytes: bytes, redaction: self, nesting: 0)
        var tokenizer = JSONTokenizer(allowsManyValues: true, rowLimit: .max)
        finder.advance(&tokenizer, limit: bytes.count, isLines: false)
        return finder.takeFound()
    }

    static let quotedMask = Array("\"\(HeaderField.mask)\"".utf8)

    /// Masks the values of secret keys at every depth, and hidden values in every string.
    package func masked(_ value: JSONValue) -> JSONValue {
        guard !isOff else { return value }
        return switch value {
        case .string(let text): .string(masked(text: text))
        case .array(let items): .array(items.map { masked($0) })
        case .object(let members):
            .object(
                members.map { member in
                    let hides = isSecret(member.key) && member.value != .null
                    return JSONValue.Member(hidingValues(member.key), hides ? .string(HeaderField.mask) : masked(member.value))
                })
        case .number(let text): hidingValues(text) == text ? value : .string(HeaderField.mask)
        case .null, .bool: value
        }
    }
}

extension Redaction {
    /// Masks the secrets of a JSON string, also where it is a document itself.
    private func masked(text: String) -> String {
        var text = text
        guard text.withUTF8({ Self.mayBeNested(UnsafeRawBufferPointer($0)) }),
            let nested = text.withUTF8({ maskedNested(UnsafeRawBufferPointer($0), depth: 1) })
        else { return masked(text) }
        return hidingValues(String(decoding: nested, as: UTF8.self))
    }
}

/// Finds the values of secret names, containers as a whole, and strings with URLs that contain a secret.
private struct SecretValueFinder: JSONRowSink {
    let bytes: UnsafeRawBufferPointer
    let redaction: Redaction
    /// The nesting depth of the document in others.
    let nesting: Int
    /// The ranges to replace and their replacements.
    private var found: [(Range<Int>, [UInt8])] = []
    private var isBehindSecretName = false
    private var depth = 0
    private var secretStart: (offset: Int, depth: Int)?
    /// The end of the last token, and its start where it is a string.
    private var end = 0
    private var textStart: Int?
    /// Continues after a syntax error.
    private var reader: BrokenJSONReader?

    init(bytes: UnsafeRawBufferPointer, redaction: Redaction, nesting: Int) {
        (self.bytes, self.redaction, self.nesting) = (bytes, redaction, nesting)
    }

    /// Reads up to `limit`, also after syntax errors.
    mutating func advance(_ tokenizer: inout JSONTokenizer, limit: Int, isLines: Bool) {
        while true {
            if reader != nil {
                readOn(limit)
                guard isLines, let reader, reader.isAtEnd, reader.offset < bytes.count else { return }
                tokenizer = JSONTokenizer(linesAt: reader.offset)
                begin(at: reader.offset)
            }
            do throws(JSONFault) {
                try tokenizer.advance(over: bytes, limit: limit, isEnd: limit == bytes.count, into: &self)
                return
            } catch { beginReader(fault: tokenizer.offset, isLines: isLines) }
        }
    }

    /// Masking continues after a syntax error, because a malformed body contains secrets, too.
    private mutating func beginReader(fault: Int, isLines: Bool) {
        let secret = secretStart?.offset ?? (isBehindSecretName ? end : nil)
        var reader = BrokenJSONReader(bytes, from: secret ?? textStart ?? end, fault: fault, isLine: isLines)
        if let secret { reader.take(bytes, valueAt: secret) { found.append(($0, Redaction.quotedMask)) } }
        self.reader = reader
    }

    private mutating func readOn(_ limit: Int) {
        guard var reader else { return }
        // Collected locally: the closures may not change this value while it is in use.
        var all: [(Range<Int>, [UInt8])] = []
        reader.advance(over: bytes, limit: limit, isSecret: redaction.isSecret) { range in
            if let masked = redaction.maskedURLs(in: bytes[rebased: range]) {
                all.append((range, masked))
            } else if let masked = maskedEscaped(range) {
                all.append((range, masked))
            }
        } secret: { range in
            all.append((range, Redaction.quotedMask))
        }
        found += all
        self.reader = reader
    }

    /// Begins another text after a malformed one.
    private mutating func begin(at offset: Int) {
        reader = nil
        isBehindSecretName = false
        secretStart = nil
        textStart = nil
        depth = 0
        end = offset
    }

    /// The offset up to which the replacements are known, at most `limit`.
    func settled(_ limit: Int, _ tokenizer: JSONTokenizer) -> Int {
        if let reader { return limit == bytes.count ? limit : min(limit, reader.settled) }
        let isInText = tokenizer.phase == .string || tokenizer.phase == .key
        return min(limit, secretStart?.offset ?? (isBehindSecretName ? end : isInText ? tokenizer.partStart : limit))
    }

    /// Returns the replacements found since the last call.
    mutating func takeFound() -> [(Range<Int>, [UInt8])] { Swift.exchange(&found, with: []) }

    mutating func token(_ kind: BodySpan.Kind, _ range: Range<Int>) {
        end = range.upperBound
        textStart = kind == .key || kind == .string ? range.lowerBound : nil
        switch kind {
        case .punctuation: punctuation(bytes[range.lowerBound], range)
        case .key: if secretStart == nil { isBehindSecretName = redaction.isSecret(JSONStringToken.text(bytes, range)) }
        default:
            if secretStart == nil {
                if isBehindSecretName { found.append((range, Redaction.quotedMask)) } else if kind == .string { text(range) }
            }
            isBehindSecretName = false
        }
    }

    /// Examines a string that is not a secret, but may contain a URL with a secret or be a document.
    private mutating func text(_ range: Range<Int>) {
        let inner = bytes[rebased: range.dropFirst().dropLast()]
        let isNested = nesting + 1 < Redaction.nestingLimit && Redaction.mayBeNested(inner)
        guard isNested || redaction.mayTell(inner) else { return }
        let text = Array(JSONStringToken.text(bytes, range).utf8)
        let masked = text.withUnsafeBytes { text in
            (isNested ? redaction.maskedNested(text, depth: nesting + 1) : nil) ?? redaction.maskedURLs(in: text)
        }
        if let masked { found.append((range, Array(JSONValue.string(String(decoding: masked, as: UTF8.self)).text.utf8))) }
    }

    /// Masks a string without quotes in malformed JSON where it is a document.
    private func maskedEscaped(_ range: Range<Int>) -> [UInt8]? {
        guard nesting + 1 < Redaction.nestingLimit, Redaction.mayBeNested(bytes[rebased: range]) else { return nil }
        let quoted = [UInt8(ascii: "\"")] + bytes[range] + [UInt8(ascii: "\"")]
        let text = Array(quoted.withUnsafeBytes { JSONStringToken.text($0, 0..<$0.count) }.utf8)
        guard let masked = text.withUnsafeBytes({ redaction.maskedNested($0, depth: nesting + 1) }) else { return nil }
        return Array(JSONValue.string(String(decoding: masked, as: UTF8.self)).text.utf8.dropFirst().dropLast())
    }

    private mutating func punctuation(_ byte: UInt8, _ range: Range<Int>) {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            if isBehindSecretName, secretStart == nil { secretStart = (range.lowerBound, depth) }
            isBehindSecretName = false
            depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            depth -= 1
            if let start = secretStart, start.depth == depth {
                found.append((start.offset..<range.upperBound, Redaction.quotedMask))
                secretStart = nil
            }
        default: break
        }
    }
}
