extension Redaction {
    /// JSON text with the values of secret keys masked and every other byte as it was; a text that is not JSON stays.
    public func maskedJSON(_ text: String) -> String {
        guard !isOff else { return text }
        let bytes = Array(text.utf8)
        let ranges = bytes.withUnsafeBytes { buffer -> [Range<Int>] in
            var finder = SecretValueFinder(bytes: buffer, redaction: self)
            var tokenizer = JSONTokenizer(rowLimit: .max)
            do throws(JSONFault) {
                try tokenizer.advance(over: buffer, limit: buffer.count, isEnd: true, into: &finder)
            } catch {
                // What was found before the fault is masked all the same: a body cut short still tells its secrets.
                finder.endAtFault()
            }
            return finder.ranges
        }
        var result = ""
        var end = 0
        for range in ranges {
            result += String(decoding: bytes[end..<range.lowerBound], as: UTF8.self) + "\"\(HeaderField.mask)\""
            end = range.upperBound
        }
        return hidingValues(result + String(decoding: bytes[end...], as: UTF8.self))
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
    var ranges: [Range<Int>] = []
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
