/// Writes the values of templates into a URL, each in the notation of its component (RFC 3986 §3).
struct URLTemplateText {
    /// A component of a URL.
    private enum Component {
        case authority, path, query, fragment
    }

    private let beginsWithAuthority: Bool
    private var output = ""
    /// Where values stand in the path, as offsets in UTF-8.
    private var pathValues: [(offset: Int, template: Template.Segment)] = []

    /// - Parameter beginsWithAuthority: whether a text without a scheme begins with user information or a host instead of a path.
    /// - Throws: for a value that would change another component than its own, and for one that would make a dot segment.
    static func text(of pieces: [TemplatePiece], beginsWithAuthority: Bool) throws(TemplateError) -> String {
        var writer = URLTemplateText(beginsWithAuthority: beginsWithAuthority)
        for index in pieces.indices {
            switch pieces[index] {
            case .text(let text), .value(let text, _, isRaw: true): writer.output += text
            case .value(let value, let template, isRaw: false): try writer.write(value, template, rest: pieces[(index + 1)...])
            }
        }
        try writer.checkDotSegments()
        return writer.output
    }

    private init(beginsWithAuthority: Bool) {
        self.beginsWithAuthority = beginsWithAuthority
    }

    private mutating func write(_ value: String, _ template: Template.Segment, rest: ArraySlice<TemplatePiece>) throws(TemplateError) {
        if output.utf8.allSatisfy(URLTemplateText.isOfWord), case .text(let next)? = rest.first, next.hasPrefix("://") {
            guard value.utf8.allSatisfy(URLTemplateText.isOfWord) else {
                throw TemplateError("the value of \(template) is no scheme of a URL, such as https")
            }
            output += value
            return
        }
        if output.isEmpty, URLTemplateText.schemeEnd(of: value) != nil || (beginsWithAuthority && rest.isEmpty) {
            // RFC 3986 §3.5: what follows a fragment would be a part of it, and is never sent.
            guard rest.isEmpty || !value.utf8.contains(UInt8(ascii: "#")) else {
                throw TemplateError("the value of \(template) is a URL with “#” in it, after which nothing is sent; remove that part")
            }
            output += value
            return
        }
        switch component {
        case .authority where !URLTemplateText.endsUserInformation(rest):
            if let bad = value.unicodeScalars.first(where: { "/?#@\\".unicodeScalars.contains($0) || $0.value <= 0x20 || $0.value == 0x7f }) {
                let sign = bad.value <= 0x20 || bad.value == 0x7f ? "white space or a control character" : "“\(bad)”"
                throw TemplateError(
                    "the value of \(template) has \(sign) in it, which would end the host; write \(template.raw) if that is meant")
            }
            output += value
        case .path:
            pathValues.append((output.utf8.count, template))
            output += PercentEncoding.encode(value, allowed: .unreserved)
        case .authority, .query, .fragment: output += PercentEncoding.encode(value, allowed: .unreserved)
        }
    }

    /// The component at the end of what is written.
    private var component: Component {
        var rest = output.utf8[...]
        if let end = URLTemplateText.schemeEnd(of: output) {
            rest = output.utf8[end...]
        } else if !beginsWithAuthority {
            return URLTemplateText.component(after: rest)
        }
        guard let slash = rest.firstIndex(where: "/?#\\".utf8.contains) else { return .authority }
        return URLTemplateText.component(after: rest[slash...])
    }

    /// The component at the end of a text that begins with the path.
    private static func component(after text: Substring.UTF8View) -> Component {
        if text.contains(UInt8(ascii: "#")) { return .fragment }
        return text.contains(UInt8(ascii: "?")) ? .query : .path
    }

    private static func isOfWord(_ byte: UInt8) -> Bool { ASCII.isLetter(byte) || ASCII.isDigit(byte) }

    /// The index after `scheme://`; nil where the text does not begin so.
    private static func schemeEnd(of text: String) -> String.Index? {
        guard let range = text.firstRange(of: "://"), let first = text.utf8.first, ASCII.isLetter(first),
            text[..<range.lowerBound].utf8.allSatisfy({ isOfWord($0) || "+-.".utf8.contains($0) })
        else { return nil }
        return range.upperBound
    }

    /// Whether the author's text ends the user information with `@` before the authority ends.
    private static func endsUserInformation(_ rest: ArraySlice<TemplatePiece>) -> Bool {
        for case .text(let text) in rest {
            for byte in text.utf8 {
                if byte == UInt8(ascii: "@") { return true }
                if "/?#\\".utf8.contains(byte) { return false }
            }
        }
        return false
    }

    /// RFC 3986 §5.2.4: a dot segment takes other segments away, percent-encoded as well for those who follow the WHATWG.
    private func checkDotSegments() throws(TemplateError) {
        guard !pathValues.isEmpty else { return }
        let bytes = Array(output.utf8)
        var end = bytes.count
        if let mark = bytes.firstIndex(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) { end = mark }
        var start = 0
        while start <= end {
            let stop = bytes[start..<end].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") } ?? end
            let segment = String(decoding: bytes[start..<stop], as: UTF8.self).lowercased().replacing("%2e", with: ".")
            if segment == "." || segment == "..", let value = pathValues.first(where: { $0.offset >= start && $0.offset <= stop }) {
                throw TemplateError(
                    "the value of \(value.template) makes the path segment “\(segment)”, which would lead to another path; write "
                        + "\(value.template.raw) if that is meant")
            }
            start = stop + 1
        }
    }
}
