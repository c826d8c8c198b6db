internal import SortieBase

/// Writes the values of templates into a URL, each in the notation of its component (RFC 3986 §3).
struct URLTemplateText {
    /// A component of a URL.
    private enum Component {
        case authority, path, query, fragment
    }

    /// The end of the text read so far, which determines how a value is written.
    ///
    /// The text is read byte by byte, so that many values in a long text take linear time.
    private enum Position {
        /// Letters and digits; then also the other characters of a scheme.
        case word, scheme
        /// `scheme:` and `scheme:/`.
        case colon, slash
        case component(Component)
    }

    private let beginsWithAuthority: Bool
    private var output = ""
    private var position = Position.word
    /// The offsets of values in the path, in UTF-8.
    private var pathValues: [(offset: Int, template: Template.Segment)] = []

    /// - Parameter beginsWithAuthority: whether a text without a scheme begins with user information or a host instead of a path.
    /// - Throws: A ``TemplateError`` for a value that would change another component, and for one that would form a dot segment.
    package static func text(of pieces: [TemplatePiece], beginsWithAuthority: Bool) throws(TemplateError) -> String {
        var writer = URLTemplateText(beginsWithAuthority: beginsWithAuthority)
        let endings = endsUserInformation(pieces)
        for index in pieces.indices {
            switch pieces[index] {
            case .text(let text), .value(let text, _, isRaw: true): writer.append(text)
            case .value(let value, let template, isRaw: false):
                try writer.write(value, template, rest: pieces[(index + 1)...], isUserInformation: endings[index])
            }
        }
        try writer.checkDotSegments()
        return writer.output
    }

    private init(beginsWithAuthority: Bool) {
        self.beginsWithAuthority = beginsWithAuthority
    }

    private mutating func write(
        _ value: String, _ template: Template.Segment, rest: ArraySlice<TemplatePiece>, isUserInformation: Bool
    ) throws(TemplateError) {
        if case .word = position, case .text(let next)? = rest.first, next.hasPrefix("://") {
            guard value.utf8.allSatisfy(URLTemplateText.isOfWord) else {
                throw TemplateError("the value of \(template) is not a URL scheme such as https", of: template)
            }
            append(value)
            return
        }
        if output.isEmpty, URLTemplateText.schemeEnd(of: value) != nil || (beginsWithAuthority && rest.isEmpty) {
            // RFC 3986 §3.5: the following text would be part of the fragment, which is never sent.
            guard rest.isEmpty || !value.utf8.contains(UInt8(ascii: "#")) else {
                throw TemplateError("the value of \(template) is a URL with a fragment (“#”), which is not sent; remove it", of: template)
            }
            append(value)
            return
        }
        switch component {
        case .authority where !isUserInformation:
            if let bad = value.unicodeScalars.first(where: { "/?#@\\".unicodeScalars.contains($0) || $0.value <= 0x20 || $0.value == 0x7f }) {
                let sign = bad.value <= 0x20 || bad.value == 0x7f ? "white space or a control character" : "“\(bad)”"
                throw TemplateError(
                    "the value of \(template) contains \(sign), which would end the host; write \(template.raw) if this is intended", of: template)
            }
            append(value)
        case .path:
            pathValues.append((output.utf8.count, template))
            append(PercentEncoding.encode(value, allowed: .unreserved))
        case .authority, .query, .fragment: append(PercentEncoding.encode(value, allowed: .unreserved))
        }
    }

    /// The component at the end of the written text.
    private var component: Component {
        switch position {
        case .component(let component): component
        case .slash: .path
        case .word, .scheme, .colon: beginsWithAuthority ? .authority : .path
        }
    }

    private mutating func append(_ text: String) {
        let startsWithLetter = (output.utf8.first ?? text.utf8.first).map(ASCII.isLetter) ?? false
        for byte in text.utf8 { position = position(after: byte, startsWithLetter) }
        output += text
    }

    private func position(after byte: UInt8, _ startsWithLetter: Bool) -> Position {
        let component: Component
        switch position {
        case .word where Self.isOfWord(byte): return .word
        case .word where "+-.".utf8.contains(byte), .scheme where Self.isOfWord(byte) || "+-.".utf8.contains(byte): return .scheme
        case .word where byte == UInt8(ascii: ":") && startsWithLetter, .scheme where byte == UInt8(ascii: ":") && startsWithLetter: return .colon
        case .colon where byte == UInt8(ascii: "/"): return .slash
        case .slash where byte == UInt8(ascii: "/"): return .component(.authority)
        case .word, .scheme, .colon: component = beginsWithAuthority ? .authority : .path
        case .slash: component = .path
        case .component(let current): component = current
        }
        switch (component, byte) {
        case (.fragment, _), (_, UInt8(ascii: "#")): return .component(.fragment)
        case (.query, _), (_, UInt8(ascii: "?")): return .component(.query)
        case (.authority, UInt8(ascii: "/")), (.authority, UInt8(ascii: "\\")): return .component(.path)
        default: return .component(component)
        }
    }

    private static func isOfWord(_ byte: UInt8) -> Bool { ASCII.isLetter(byte) || ASCII.isDigit(byte) }

    /// The index after `scheme://`; nil where the text does not begin with it.
    private static func schemeEnd(of text: String) -> String.Index? {
        guard let range = text.firstRange(of: "://"), let first = text.utf8.first, ASCII.isLetter(first),
            text[..<range.lowerBound].utf8.allSatisfy({ isOfWord($0) || "+-.".utf8.contains($0) })
        else { return nil }
        return range.upperBound
    }

    /// For each piece, whether the author's text after it ends the user information with `@` before the end of the authority.
    private static func endsUserInformation(_ pieces: [TemplatePiece]) -> [Bool] {
        var endings = [Bool](repeating: false, count: pieces.count)
        var ends = false
        for index in pieces.indices.reversed() {
            endings[index] = ends
            if case .text(let text) = pieces[index], let sign = text.utf8.first(where: { $0 == UInt8(ascii: "@") || "/?#\\".utf8.contains($0) }) {
                ends = sign == UInt8(ascii: "@")
            }
        }
        return endings
    }

    /// Rejects dot segments, which remove other segments (RFC 3986 §5.2.4).
    ///
    /// Clients of the WHATWG URL standard decode them as well.
    private func checkDotSegments() throws(TemplateError) {
        guard !pathValues.isEmpty else { return }
        let bytes = Array(output.utf8)
        var end = bytes.count
        if let mark = bytes.firstIndex(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) { end = mark }
        var start = 0
        var values = pathValues[...]
        while start <= end {
            let stop = bytes[start..<end].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") } ?? end
            values = values.drop { $0.offset < start }
            // The longest spelling of “..” has six characters (`%2e%2e`).
            let segment = stop - start > 6 ? "" : String(decoding: bytes[start..<stop], as: UTF8.self).lowercased().replacing("%2e", with: ".")
            if segment == "." || segment == "..", let value = values.first, value.offset <= stop {
                throw TemplateError(
                    "the value of \(value.template) makes the path segment “\(segment)”, which leads to another path; write "
                        + "\(value.template.raw) if this is intended", of: value.template)
            }
            start = stop + 1
        }
    }
}
