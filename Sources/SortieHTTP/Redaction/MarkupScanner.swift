internal import SortieBase

/// Finds the secrets of XML and HTML by the names of elements and attributes, in one pass, also in malformed documents.
///
/// Secrets are: the content of an element and the value of an attribute with a secret name in any namespace (`wsse:Password`); the value of an
/// element to which an attribute assigns a secret name (`<input name="csrf_token" value="…">`, `<meta name="csrf-token" content="…">`, `<string
/// name="api_key">…`); and the element that follows one whose content is a secret name (`<key>password</key><string>…</string>`).
struct MarkupScanner {
    /// An attribute of a tag.
    private struct Attribute {
        package var name: Range<Int>
        package var value: Range<Int>
    }

    private let bytes: UnsafeRawBufferPointer
    private let redaction: Redaction
    private let isHTML: Bool
    private let depth: Int
    private var offset = 0
    /// The ranges to replace and their replacements.
    private var found: [(Range<Int>, [UInt8])] = []
    /// The element whose content is secret: the range of its name, the offset of its content, and the number of open elements with that name.
    private var secret: (name: Range<Int>, content: Int, open: Int)?
    /// The offset of an element's content that may be the name of the value in the next element.
    private var label: Int?
    private var isNextSecret = false

    private static let mask = Array(HeaderField.mask.utf8)
    private static let naming: Set<String> = ["name", "id", "key", "property", "itemprop", "n", "field", "header"]
    private static let valued: Set<String> = ["value", "content", "data-value", "default", "val"]
    private static let labels: Set<String> = ["key", "name", "n", "header", "field"]
    /// Void elements of HTML (WHATWG HTML §13.1.2), and the obsolete `param`.
    private static let empty: Set<String> = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr",
    ]
    /// Elements of HTML whose content is their value.
    private static let fields: Set<String> = ["textarea", "output", "data", "button", "option", "span", "td", "dd"]

    init(bytes: UnsafeRawBufferPointer, redaction: Redaction, isHTML: Bool, depth: Int) {
        (self.bytes, self.redaction, self.isHTML, self.depth) = (bytes, redaction, isHTML, depth)
    }

    /// Reads about one window; returns the offset up to which the secrets are known, nil at the end.
    package mutating func advance() -> Int? {
        guard offset < bytes.count else { return nil }
        let limit = offset + Redaction.window
        while offset < min(limit, bytes.count) {
            guard let open = bytes.firstIndex(of: UInt8(ascii: "<"), in: offset..<bytes.count) else {
                offset = bytes.count
                break
            }
            offset = open
            tag()
        }
        offset = min(offset, bytes.count)
        if offset == bytes.count, let secret {
            close(secret.content, at: bytes.count)
            self.secret = nil
        }
        return secret?.content ?? offset
    }

    /// Returns the replacements found since the last call, in order.
    mutating func takeFound() -> [(Range<Int>, [UInt8])] { Swift.exchange(&found, with: []) }

    // MARK: Reading

    private mutating func tag() {
        let next = offset + 1 < bytes.count ? bytes[offset + 1] : 0
        switch next {
        case UInt8(ascii: "!"): declaration()
        case UInt8(ascii: "?"): offset = end(of: "?>", from: offset + 2)
        case UInt8(ascii: "/"): endTag()
        case let byte where ASCII.isLetter(byte) || byte == UInt8(ascii: "_") || byte >= 0x80: startTag()
        default: offset += 1
        }
    }

    private mutating func declaration() {
        let rest = bytes[offset...]
        if rest.starts(with: "<!--".utf8) {
            offset = end(of: "-->", from: offset + 4)
        } else if rest.starts(with: "<![CDATA[".utf8) {
            offset = end(of: "]]>", from: offset + 9)
        } else if rest.starts(with: "<!ENTITY".utf8) {
            let close = bytes.firstIndex(of: UInt8(ascii: ">"), in: offset..<bytes.count) ?? bytes.count
            let name = passing(passing(offset + 8) { $0 <= 0x20 || $0 == UInt8(ascii: "%") }) { $0 > 0x20 && $0 != UInt8(ascii: ">") }
            let nameStart = bytes[offset + 8..<name].lastIndex { $0 <= 0x20 }.map { $0 + 1 } ?? offset + 8
            let quote = passing(name) { $0 <= 0x20 }
            if quote < close, bytes[quote] == UInt8(ascii: "\"") || bytes[quote] == UInt8(ascii: "'"), isSecret(nameStart..<name) {
                let last = bytes.firstIndex(of: bytes[quote], in: quote + 1..<bytes.count) ?? bytes.count
                hide(quote + 1..<last)
                offset = last
            } else {
                offset = close
            }
        } else {
            // The declarations inside a document type are read like other text.
            offset += 2
        }
    }

    private mutating func endTag() {
        let open = offset
        let nameEnd = self.nameEnd(from: open + 2)
        offset = bytes.firstIndex(of: UInt8(ascii: ">"), in: nameEnd..<bytes.count).map { $0 + 1 } ?? bytes.count
        if var element = secret {
            guard isEqual(element.name, open + 2..<nameEnd) else { return }
            element.open -= 1
            secret = element
            if element.open == 0 {
                close(element.content, at: open)
                secret = nil
            }
            return
        }
        if let start = label, open - start <= 256 {
            isNextSecret = redaction.isSecretName(bytes[rebased: start..<open].text)
        } else {
            isNextSecret = false
        }
        label = nil
    }

    private mutating func startTag() {
        let nameRange = offset + 1..<nameEnd(from: offset + 1)
        var attributes: [Attribute] = []
        let isClosed = readAttributes(from: nameRange.upperBound, into: &attributes)
        if var element = secret {
            if !isClosed, isEqual(element.name, nameRange) {
                element.open += 1
                secret = element
            }
            return
        }
        let name = localName(nameRange)
        let named = hideValues(of: attributes)
        let hasContent = !isClosed && !(isHTML && Self.empty.contains(name))
        label = hasContent && Self.labels.contains(name) ? offset : nil
        let isField = named && (!isHTML || Self.fields.contains(name))
        if hasContent, isNextSecret || isField || redaction.isSecret(name) { secret = (nameRange, offset, 1) }
        isNextSecret = false
        if isHTML, secret == nil, hasContent, name == "script" || name == "style" { rawText(name) }
    }

    /// Reads attributes up to the end of the tag; returns whether the tag closes the element.
    private mutating func readAttributes(from start: Int, into attributes: inout [Attribute]) -> Bool {
        var index = start
        while true {
            index = passing(index) { $0 <= 0x20 }
            guard index < bytes.count else {
                offset = bytes.count
                return false
            }
            switch bytes[index] {
            case UInt8(ascii: ">"):
                offset = index + 1
                return false
            case UInt8(ascii: "/"):
                index += 1
                if index < bytes.count, bytes[index] == UInt8(ascii: ">") {
                    offset = index + 1
                    return true
                }
                continue
            case UInt8(ascii: "<"):
                // The tag was not closed; the next tag begins here.
                offset = index
                return false
            default: break
            }
            let nameStart = index
            index = passing(index + 1) { $0 > 0x20 && !"=>/<".utf8.contains($0) }
            let name = nameStart..<index
            let equals = passing(index) { $0 <= 0x20 }
            guard equals < bytes.count, bytes[equals] == UInt8(ascii: "=") else { continue }
            let valueStart = passing(equals + 1) { $0 <= 0x20 }
            guard valueStart < bytes.count else {
                index = valueStart
                continue
            }
            let quote = bytes[valueStart]
            let value: Range<Int>
            if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
                let last = bytes.firstIndex(of: quote, in: valueStart + 1..<bytes.count) ?? bytes.count
                value = valueStart + 1..<last
                index = min(bytes.count, last + 1)
            } else {
                index = passing(valueStart) { $0 > 0x20 && $0 != UInt8(ascii: ">") }
                value = valueStart..<index
            }
            if !value.isEmpty { attributes.append(Attribute(name: name, value: value)) }
        }
    }

    /// Masks secret attributes; returns whether an attribute gives the element a secret name.
    private mutating func hideValues(of attributes: [Attribute]) -> Bool {
        let names = attributes.map { localName($0.name) }
        var isNamed = false
        var givesName = false
        for (name, attribute) in zip(names, attributes) where Self.naming.contains(name) && attribute.value.count <= 256 {
            guard redaction.isSecretName(bytes[rebased: attribute.value].text) else { continue }
            givesName = true
            if name != "id" { isNamed = true }
        }
        for (name, attribute) in zip(names, attributes) {
            if redaction.isSecret(name) || name.hasPrefix("data-") && redaction.isSecret(String(name.dropFirst(5)))
                || givesName && Self.valued.contains(name)
            {
                hide(attribute.value)
            } else {
                hideInside(attribute.value)
            }
        }
        return isNamed
    }

    /// Masks the secrets of JSON in an attribute, as used by components of web pages.
    private mutating func hideInside(_ value: Range<Int>) {
        guard let first = bytes[value].first(where: { $0 > 0x20 }), first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
            depth + 1 < Redaction.nestingLimit
        else { return }
        let text = bytes[rebased: value].text
        let plain = Array(text.replacing(scalars: "&quot;", with: "\"").utf8)
        guard let masked = plain.withUnsafeBytes({ redaction.maskedNested($0, depth: depth + 1) }) else { return }
        found.append((value, Array(String(decoding: masked, as: UTF8.self).replacing(scalars: "\"", with: "&quot;").utf8)))
    }

    /// Skips the text of a script or a style sheet, which contains no tags.
    private mutating func rawText(_ name: String) {
        let start = offset
        var close = bytes.count
        while let open = bytes.firstIndex(of: UInt8(ascii: "<"), in: offset..<bytes.count) {
            offset = open + 1
            if offset < bytes.count, bytes[offset] == UInt8(ascii: "/"), localName(offset + 1..<nameEnd(from: offset + 1)) == name {
                close = open
                break
            }
        }
        offset = close
        guard name == "script", close > start else { return }
        let text = bytes[rebased: start..<close]
        let beginning = BodyBytes(Array(text.prefix(BodyKind.sniffedBytes + 1)))
        let rule = MaskingRule(contentType: "application/javascript", body: beginning, isDecoded: true)
        var masked: [UInt8] = []
        redaction.mask(text, by: rule, depth: depth + 1, afterEach: {}) { masked.append(contentsOf: $0) }
        if !masked.elementsEqual(text) { found.append((start..<close, masked)) }
    }

    // MARK: Parts

    private mutating func close(_ content: Int, at end: Int) {
        if bytes[content..<end].contains(where: { $0 > 0x20 }) { hide(content..<end) }
    }

    private mutating func hide(_ range: Range<Int>) { found.append((range, Self.mask)) }

    private func isSecret(_ name: Range<Int>) -> Bool { redaction.isSecret(localName(name)) }

    /// The lower-case name without its namespace prefix.
    private func localName(_ range: Range<Int>) -> String {
        let name = bytes[range].prefix(256)
        let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
        return String(decoding: local.map(ASCII.lowercased), as: UTF8.self)
    }

    private func isEqual(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
        one.count == other.count && zip(bytes[one], bytes[other]).allSatisfy { ASCII.lowercased($0) == ASCII.lowercased($1) }
    }

    private func nameEnd(from start: Int) -> Int { passing(start) { $0 > 0x20 && !"/><".utf8.contains($0) } }

    private func passing(_ start: Int, _ passes: (UInt8) -> Bool) -> Int {
        var index = min(start, bytes.count)
        while index < bytes.count, passes(bytes[index]) { index += 1 }
        return index
    }

    /// The end of the next occurrence of `text`; the end of the bytes where there is none.
    private func end(of text: String, from start: Int) -> Int {
        let text = Array(text.utf8)
        var index = min(start, bytes.count)
        while let place = bytes.firstIndex(of: text[0], in: index..<bytes.count) {
            if bytes[place...].starts(with: text) { return place + text.count }
            index = place + 1
        }
        return bytes.count
    }
}

extension Redaction {
    /// Writes XML or HTML in pieces with its secrets masked.
    func maskMarkup(
        _ bytes: UnsafeRawBufferPointer, isHTML: Bool, depth: Int, afterEach: () -> Void, into write: (UnsafeRawBufferPointer) -> Void
    ) {
        let lines = LineMasking(redaction: self, readsNames: false)
        var scanner = MarkupScanner(bytes: bytes, redaction: self, isHTML: isHTML, depth: depth)
        var written = 0
        while let end = scanner.advance() {
            for (range, replacement) in scanner.takeFound() where range.lowerBound >= written {
                if written < range.lowerBound { lines.mask(bytes[rebased: written..<range.lowerBound], afterEach: {}, into: write) }
                replacement.withUnsafeBytes { write($0) }
                written = range.upperBound
            }
            if written < end {
                lines.mask(bytes[rebased: written..<end], afterEach: {}, into: write)
                written = end
            }
            afterEach()
        }
    }

    /// Whether a text is the name of a secret, possibly with blanks around it or as a path: `user[password]`.
    func isSecretName(_ text: String) -> Bool {
        let name = text.drop(while: \.isWhitespace).prefix { !$0.isWhitespace }
        return name.count > 0 && isSecretPath("\(name)") && text.drop(while: \.isWhitespace).dropFirst(name.count).allSatisfy(\.isWhitespace)
    }
}
