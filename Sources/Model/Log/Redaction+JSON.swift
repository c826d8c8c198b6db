extension Redaction {
    /// JSON text with the values of secret keys masked and every other byte as it was; a text that is not JSON stays.
    public func maskedJSON(_ text: String) -> String {
        guard !isOff else { return text }
        var result: [UInt8] = []
        Array(text.utf8).withUnsafeBytes { bytes in
            maskJSON(bytes, isLines: false, afterEach: {}) { result.append(contentsOf: $0) }
        }
        return hidingValues(String(decoding: result, as: UTF8.self))
    }

    /// Hands out JSON in pieces, the values of secret keys masked and every other byte as it was.
    ///
    /// - Parameters:
    ///   - isLines: whether values stand on lines of their own, so that one that is broken says nothing about the next.
    ///   - window: how many bytes are looked at in one go.
    ///   - afterEach: called after each window.
    func maskJSON(
        _ bytes: UnsafeRawBufferPointer, isLines: Bool, window: Int = Redaction.window, afterEach: () -> Void,
        into write: (UnsafeRawBufferPointer) -> Void
    ) {
        var finder = SecretValueFinder(bytes: bytes, redaction: self)
        var tokenizer: JSONTokenizer? = JSONTokenizer(allowsManyValues: true, rowLimit: .max)
        var limit = 0
        var written = 0
        while limit < bytes.count {
            limit = min(bytes.count, limit + window)
            while tokenizer != nil {
                do throws(JSONFault) {
                    try tokenizer?.advance(over: bytes, limit: limit, isEnd: limit == bytes.count, into: &finder)
                    break
                } catch {
                    // What was found before the fault is masked all the same: a body cut short still tells its secrets.
                    finder.endAtFault()
                    let next = isLines ? bytes.firstIndex(of: 0x0A, in: (tokenizer?.offset ?? limit)..<bytes.count) : nil
                    tokenizer = next.map { JSONTokenizer(linesAt: $0) }
                    finder.begin()
                }
            }
            let end = finder.settled(limit)
            for range in finder.takeRanges() where range.lowerBound >= written {
                write(bytes[rebased: written..<range.lowerBound])
                Redaction.quotedMask.withUnsafeBytes { write($0) }
                written = range.upperBound
            }
            if written < end {
                write(bytes[rebased: written..<end])
                written = end
            }
            afterEach()
        }
    }

    private static let quotedMask = Array("\"\(HeaderField.mask)\"".utf8)

    /// Where the values of secret keys are in JSON.
    func secretRanges(ofJSON bytes: UnsafeRawBufferPointer) -> [Range<Int>] {
        var finder = SecretValueFinder(bytes: bytes, redaction: self)
        var tokenizer = JSONTokenizer(allowsManyValues: true, rowLimit: .max)
        do throws(JSONFault) {
            try tokenizer.advance(over: bytes, limit: bytes.count, isEnd: true, into: &finder)
        } catch { finder.endAtFault() }
        return finder.takeRanges()
    }

    /// A value with the values of secret keys masked, at every depth, and hidden values in every text of it.
    public func masked(_ value: JSONValue) -> JSONValue {
        guard !isOff else { return value }
        return switch value {
        case .string(let text): .string(masked(text))
        case .array(let items): .array(items.map { masked($0) })
        case .object(let members):
            .object(
                members.map { member in
                    let hides = isSecret(member.key) && member.value != .null
                    return JSONValue.Member(member.key, hides ? .string(HeaderField.mask) : masked(member.value))
                })
        case .null, .bool, .number: value
        }
    }
}

/// Finds the values behind secret names; of one that is a container, the whole of it.
private struct SecretValueFinder: JSONRowSink {
    let bytes: UnsafeRawBufferPointer
    let redaction: Redaction
    private var ranges: [Range<Int>] = []
    private var isBehindSecretName = false
    private var depth = 0
    private var secretStart: (offset: Int, depth: Int)?
    /// Where the last token ended.
    private var end = 0

    init(bytes: UnsafeRawBufferPointer, redaction: Redaction) {
        self.bytes = bytes
        self.redaction = redaction
    }

    mutating func beginRow(at offset: Int, depth: Int, continues: Bool) -> JSONRowAnswer { .goOn }

    mutating func save(_ tokenizer: JSONTokenizer) {}

    /// Masks all the rest when the text breaks off inside a secret value.
    mutating func endAtFault() {
        if let start = secretStart?.offset ?? (isBehindSecretName ? end : nil), start < bytes.count { ranges.append(start..<bytes.count) }
    }

    /// Begins a further text, behind one that was broken.
    mutating func begin() {
        isBehindSecretName = false
        secretStart = nil
        depth = 0
    }

    /// How far it is known what is secret, of the bytes up to `limit`.
    func settled(_ limit: Int) -> Int {
        min(limit, secretStart?.offset ?? (isBehindSecretName ? end : limit))
    }

    /// What was found since the last time.
    mutating func takeRanges() -> [Range<Int>] {
        defer { ranges = [] }
        return ranges
    }

    mutating func token(_ kind: BodySpan.Kind, _ range: Range<Int>) {
        end = range.upperBound
        switch kind {
        case .punctuation: punctuation(bytes[range.lowerBound], range)
        case .key: if secretStart == nil { isBehindSecretName = redaction.isSecret(JSONStringToken.text(bytes, range)) }
        default:
            if isBehindSecretName, secretStart == nil { ranges.append(range) }
            isBehindSecretName = false
        }
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
                ranges.append(start.offset..<range.upperBound)
                secretStart = nil
            }
        default: break
        }
    }
}
