extension Redaction {
    /// How many bytes of a body are looked at in one go.
    static let window = 1 << 20

    /// The bytes of a body with its secrets masked, as ``mask(_:contentType:into:)`` has it.
    public func maskedBody(_ bytes: [UInt8], contentType: String?) -> [UInt8] {
        guard !isOff, !bytes.isEmpty else { return bytes }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        mask(BodyBytes(bytes), contentType: contentType) { result.append(contentsOf: $0) }
        return result
    }

    /// Hands out a body in pieces of 1 MiB at most, with its secrets masked; a body of any size takes little memory.
    ///
    /// JSON and forms are masked by the names in them, text by the URLs in it, and the values of secrets that were used wherever they are, in bytes of any
    /// kind. Who cannot take a piece notes that, and lets the rest pass.
    public func mask(_ body: BodyBytes, contentType: String?, into write: (UnsafeRawBufferPointer) -> Void) {
        var hiding = ValueHiding(spellings: spellings)
        body.withUnsafeBytes { bytes in
            func hide(_ piece: UnsafeRawBufferPointer) {
                for start in stride(from: 0, to: piece.count, by: Redaction.window) {
                    hiding.append(piece[rebased: start..<min(piece.count, start + Redaction.window)], into: write)
                }
            }
            func release() { if bytes.count > Redaction.window { body.releaseMemory() } }
            switch names.isEmpty ? .bytes : MaskingRule(contentType: contentType, body: body) {
            case .json(let isLines): maskJSON(bytes, isLines: isLines, afterEach: release, into: hide)
            case .form: maskForm(bytes, into: hide)
            case .text: maskLines(bytes, afterEach: release, into: hide)
            case .encoded(let encoding): maskEncoded(bytes, encoding, into: hide)
            case .bytes:
                for start in stride(from: 0, to: bytes.count, by: Redaction.window) {
                    hide(bytes[rebased: start..<min(bytes.count, start + Redaction.window)])
                    release()
                }
            }
        }
        hiding.finish(into: write)
    }

    /// A form, item by item.
    private func maskForm(_ bytes: UnsafeRawBufferPointer, into write: (UnsafeRawBufferPointer) -> Void) {
        var start = 0
        while start < bytes.count {
            let end = bytes.firstIndex(of: UInt8(ascii: "&"), in: start..<bytes.count) ?? bytes.count
            let equals = bytes.firstIndex(of: UInt8(ascii: "="), in: start..<min(end, start + 4096))
            // The item with the `&` behind it.
            let next = min(bytes.count, end + 1)
            if let equals, equals + 1 < end, isSecretPath(PercentEncoding.decode(bytes[rebased: start..<equals].text, plusIsSpace: true)) {
                write(bytes[rebased: start..<equals + 1])
                Array(HeaderField.mask.utf8).withUnsafeBytes { write($0) }
                write(bytes[rebased: end..<next])
            } else {
                write(bytes[rebased: start..<next])
            }
            start = next
        }
    }

    /// Text, line by line: the URLs in it, and JSON of events.
    private func maskLines(
        _ bytes: UnsafeRawBufferPointer, afterEach: () -> Void, into write: (UnsafeRawBufferPointer) -> Void
    ) {
        var start = 0
        var released = 0
        // What needs no look is handed out in long pieces.
        var waiting = 0
        while start < bytes.count {
            let window = start..<min(bytes.count, start + Redaction.window)
            let end = bytes.firstIndex(of: 0x0A, in: window).map { $0 + 1 } ?? place(toCut: bytes, window)
            let line = bytes[rebased: start..<end]
            if mayTell(line) {
                if waiting < start { write(bytes[rebased: waiting..<start]) }
                maskedLine(line).withUnsafeBytes { write($0) }
                waiting = end
            }
            start = end
            if start - released >= Redaction.window {
                if waiting < start { write(bytes[rebased: waiting..<start]) }
                waiting = start
                released = start
                afterEach()
            }
        }
        if waiting < bytes.count { write(bytes[rebased: waiting..<bytes.count]) }
    }

    /// Where a line that is too long for one go is divided: where a URL ends, or between two items of its query.
    private func place(toCut bytes: UnsafeRawBufferPointer, _ window: Range<Int>) -> Int {
        guard window.upperBound < bytes.count else { return bytes.count }
        let last = window.lowerBound + window.count / 2..<window.upperBound
        return last.last { " \t\"'<>?#".utf8.contains(bytes[$0]) } ?? last.last { bytes[$0] == UInt8(ascii: "&") } ?? window.upperBound
    }

    /// Whether there may be a URL with a query or a password in it, or an event.
    func mayTell(_ line: UnsafeRawBufferPointer) -> Bool {
        let all = 0..<line.count
        func has(_ character: Unicode.Scalar) -> Bool { line.firstIndex(of: UInt8(ascii: character), in: all) != nil }
        return has("=") && (has("?") || has("&") || has("#")) || has("@") && has(":") || line.starts(with: Redaction.eventStart)
    }

    private static let eventStart = Array("data:".utf8)

    private func maskedLine(_ line: UnsafeRawBufferPointer) -> [UInt8] {
        if line.starts(with: Redaction.eventStart) {
            // Server-sent events (WHATWG HTML §9.2) carry JSON more often than not.
            var result = Redaction.eventStart
            maskJSON(line[rebased: Redaction.eventStart.count..<line.count], isLines: true, afterEach: {}) { result.append(contentsOf: $0) }
            return result
        }
        return maskedText(line)
    }

    private func maskedText(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        if let text = String(validating: bytes, as: UTF8.self) { return Array(maskedURLs(text).utf8) }
        // Not UTF-8: a character for each byte, and back.
        let text = maskedURLs(String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })))
        return text.unicodeScalars.flatMap { $0.value < 0x100 ? [UInt8($0.value)] : Array(String($0).utf8) }
    }

    /// A text of JSON with the secrets of the URLs in it masked; nil where there are none.
    func maskedURLs(in text: UnsafeRawBufferPointer) -> [UInt8]? {
        guard mayTell(text), hasScheme(text) else { return nil }
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var start = 0
        while start < text.count {
            let end = place(toCut: text, start..<min(text.count, start + Redaction.window))
            result += maskedText(text[rebased: start..<end])
            start = end
        }
        return result.elementsEqual(text) ? nil : result
    }

    /// Whether `://` is in it, or as JSON may write it, `:\/\/`.
    private func hasScheme(_ text: UnsafeRawBufferPointer) -> Bool {
        var start = 0
        while let colon = text.firstIndex(of: UInt8(ascii: ":"), in: start..<text.count) {
            let rest = text[(colon + 1)...]
            if rest.starts(with: "//".utf8) || rest.starts(with: #"\/\/"#.utf8) { return true }
            start = colon + 1
        }
        return false
    }

    /// Text in an encoding in which ASCII cannot be found byte by byte, which is rare: as a whole.
    private func maskEncoded(
        _ bytes: UnsafeRawBufferPointer, _ encoding: TextEncoding, into write: (UnsafeRawBufferPointer) -> Void
    ) {
        let text = encoding.decode(bytes)
        let start = text.unicodeScalars.first { !$0.properties.isWhitespace && $0 != "\u{FEFF}" }
        let masked = start == "{" || start == "[" ? maskedJSON(text) : masked(text)
        guard masked != text else { return write(bytes) }
        // A character that the encoding lacks, like that of the mask, is written as a question mark: nothing secret may stay because of it.
        let result = encoding.encode(masked) ?? masked.unicodeScalars.flatMap { encoding.encode(String($0)) ?? [UInt8(ascii: "?")] }
        result.withUnsafeBytes { write($0) }
    }
}

/// How a body is looked at for secrets.
private enum MaskingRule {
    case json(isLines: Bool), form, text, encoded(TextEncoding), bytes

    init(contentType: String?, body: BodyBytes) {
        let type = ContentType(contentType)
        if type.mediaType == "application/x-www-form-urlencoded" {
            // What curl's -d sends is called a form, whatever it is.
            self = Self.beginsAsJSON(body) ? .json(isLines: false) : .form
            return
        }
        let (kind, encoding) = BodyKind.detect(type, body, isFinal: true)
        if kind != .binary, encoding.needsWholeText {
            self = .encoded(encoding)
        } else if kind == .json || [.text, .html, .xml].contains(kind) && Self.beginsAsJSON(body) {
            self = .json(isLines: type.isJSONLines)
        } else {
            self = [.text, .html, .xml].contains(kind) ? .text : .bytes
        }
    }

    /// Many a server calls its JSON text, or a script.
    private static func beginsAsJSON(_ body: BodyBytes) -> Bool {
        let first = body.prefix(64).first { $0 > 0x20 && $0 != 0xEF && $0 != 0xBB && $0 != 0xBF }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }
}

extension UnsafeRawBufferPointer {
    fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}
