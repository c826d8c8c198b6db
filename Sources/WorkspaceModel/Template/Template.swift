package import SortieBase

/// Text that contains `{{name}}` and `{{$builtin argument}}`.
///
/// `|raw` before the closing braces (`{{name|raw}}`) inserts the value without encoding, see ``TemplateNotation``.
package struct Template: Hashable, Sendable {
    /// A piece of the text.
    package enum Segment: Hashable, Sendable {
        /// Literal text.
        case text(String)
        /// `{{name}}`, or `{{name|raw}}`.
        case variable(String, isRaw: Bool = false)
        /// `{{$name argument}}`, or `{{$name argument|raw}}`.
        case builtin(name: String, argument: String, isRaw: Bool = false)
        /// `{{` without a following `}}`: the rest of the text, including the braces.
        case unclosed(String)

        /// Whether it is ``unclosed(_:)``.
        package var isUnclosed: Bool {
            if case .unclosed = self { true } else { false }
        }
    }

    /// The pieces in order.
    package let segments: [Segment]

    /// Parses `text`.
    package init(_ text: String) {
        guard text.contains("{{") else {
            segments = text.isEmpty ? [] : [.text(text)]
            return
        }
        var segments: [Segment] = []
        var rest = Substring(text)
        while let open = Template.opening(in: rest) {
            if open.lowerBound > rest.startIndex { segments.append(.text(String(rest[..<open.lowerBound]))) }
            guard let close = rest[open.upperBound...].firstRange(of: "}}") else {
                segments.append(.unclosed(String(rest[open.lowerBound...])))
                rest = ""
                break
            }
            segments.append(Template.segment(rest[open.upperBound..<close.lowerBound]))
            rest = rest[close.upperBound...]
        }
        if !rest.isEmpty { segments.append(.text(String(rest))) }
        self.segments = segments
    }

    /// The braces that open the first template of a text: the last two of several, because no name begins with a brace; nil without a template.
    package static func opening(in text: Substring) -> Range<String.Index>? {
        guard var open = text.firstRange(of: "{{") else { return nil }
        while open.upperBound < text.endIndex, text[open.upperBound] == "{" {
            open = text.index(after: open.lowerBound)..<text.index(after: open.upperBound)
        }
        return open
    }

    /// Whether the text contains no templates.
    package var isPlain: Bool {
        segments.allSatisfy {
            if case .text = $0 { return true }
            return false
        }
    }

    /// Escapes a text so that its template expands to the text itself: each `{{` becomes the built-in `{{$braces}}`.
    package static func quoting(_ text: String) -> String { text.replacing("{{", with: "{{$braces}}") }

    /// Reverts ``quoting(_:)``.
    package static func unquoting(_ text: String) -> String { text.replacing("{{$braces}}", with: "{{") }

    private static func segment(_ whole: Substring) -> Segment {
        var inner = whole
        var isRaw = false
        if whole.contains("|"), let bar = whole.lastIndex(of: "|"), whole[whole.index(after: bar)...].trimmingBlanks == "raw" {
            inner = whole[..<bar]
            isRaw = true
        }
        let content = inner.drop(while: \.isWhitespace)
        guard content.hasPrefix("$") else { return .variable(inner.trimmingBlanks, isRaw: isRaw) }
        let parts = content.dropFirst().split(maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: \.isWhitespace)
        return .builtin(name: String(parts[0]), argument: parts.count > 1 ? parts[1].trimmingBlanks : "", isRaw: isRaw)
    }
}

extension Template.Segment: CustomStringConvertible {
    /// The segment in the notation of a template.
    package var description: String {
        switch self {
        case .text(let text), .unclosed(let text): text
        case .variable(let name, let isRaw): Self.template(name, isRaw)
        case .builtin(let name, let argument, let isRaw): Self.template("$\(name)\(argument.isEmpty ? "" : " \(argument)")", isRaw)
        }
    }

    /// A brace beside those of the template is separated from them.
    private static func template(_ content: String, _ isRaw: Bool) -> String {
        "{{\(content.hasPrefix("{") ? " " : "")\(content)\(isRaw ? "|raw" : content.hasSuffix("}") ? " " : "")}}"
    }
}

extension Template.Segment {
    /// Whether the template ends in `|raw`.
    var isRaw: Bool {
        switch self {
        case .text, .unclosed: false
        case .variable(_, let isRaw), .builtin(_, _, let isRaw): isRaw
        }
    }

    /// What is between the braces, without `|raw`.
    var content: String {
        switch self {
        case .text(let text), .unclosed(let text): text
        case .variable(let name, _): name
        case .builtin(let name, let argument, _):
            String(Template.Segment.builtin(name: name, argument: argument, isRaw: false).description.dropFirst(2).dropLast(2))
        }
    }

    /// The same template with `|raw`.
    var raw: Template.Segment {
        switch self {
        case .text, .unclosed: self
        case .variable(let name, _): .variable(name, isRaw: true)
        case .builtin(let name, let argument, _): .builtin(name: name, argument: argument, isRaw: true)
        }
    }
}

extension Diagnostic {
    /// Creates the problem of a text with a template that has no value.
    ///
    /// - Parameters:
    ///   - field: The name of the text.
    ///   - keys: The keys that lead to the text from the root of its file.
    init(_ location: SourceLocation, _ field: String, _ error: TemplateError, keys: [String] = []) {
        self.init(location, "\(field): \(error.message)", failure: error.failure, remedy: error.remedy, keys: keys, template: error.template)
    }
}

/// The reason why a template has no value.
package struct TemplateError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The description of the mistake.
    package var message: String
    /// The name that nothing defines, with the most similar known one; nil for another mistake.
    package private(set) var undefined: Undefined?
    /// Why the value could not be fetched; nil for a mistake in a file.
    package private(set) var failure: ValueFailure?
    /// What the user can do about it; nil where the message says it.
    package private(set) var remedy: Diagnostic.Remedy?
    /// The content of the template, by which its place in the file is found; nil where the reason is not one template.
    package private(set) var template: String?

    /// A name that nothing defines.
    package struct Undefined: Hashable, Sendable {
        /// The name.
        package let name: String
        /// The most similar known name; nil where none is similar.
        package let nearest: String?
    }

    /// Creates an error with a message.
    package init(_ message: String, failure: ValueFailure? = nil, remedy: Diagnostic.Remedy? = nil) {
        (self.message, self.failure, self.remedy) = (message, failure, remedy)
    }

    /// Creates an error with a message about a template.
    init(_ message: String, of template: Template.Segment) {
        (self.message, self.template) = (message, template.content)
    }

    /// Creates the error of ``Template/Segment/unclosed(_:)``.
    package init(unclosed text: String) {
        self.message = "“\(text.prefix(24))\(text.count > 24 ? "…" : "")” is not closed; write }} after the name, or {{$braces}} for {{ itself"
    }

    /// Creates the error of a name that nothing defines.
    init(undefined name: String, nearest: String?) {
        message = "nothing defines {{\(name)}}\(Self.hint(forUndefined: name, nearest: nearest))"
        template = name
        undefined = Undefined(name: name, nearest: nearest)
    }

    /// The end of the message about a name that nothing defines; other tools read some names otherwise.
    package static func hint(forUndefined name: String, nearest: String?) -> String {
        if name.isEmpty { return "; write a name between the braces, or {{$braces}} for {{ itself" }
        for prefix in ["process.env.", "env."] where name.hasPrefix(prefix) { return "; did you mean {{$env.\(name.dropFirst(prefix.count))}}?" }
        if let mark = name.firstRange(of: ":-") {
            return "; a template has no default, define \(name[..<mark.lowerBound]) under variables: of a file"
        }
        if let nearest { return "; did you mean {{\(nearest)}}?" }
        let isBuiltin = name != "env" && TemplateScope.builtinNames.contains(name)
        return isBuiltin ? "; did you mean {{$\(name)}}?" : "; define it in the environment, or under variables: of a file"
    }

    /// The same error with its template, which is in the message, too, where that has none.
    func naming(_ template: Template.Segment) -> TemplateError {
        var error = self
        if error.template == nil { error.template = template.content }
        if !message.contains("{{") { error.message = "\(template): \(message)" }
        return error
    }

    /// The message.
    package var description: String { message }
}

/// A piece of a text with resolved templates.
enum TemplatePiece: Hashable, Sendable {
    /// The author's text.
    case text(String)
    /// The value of a template, with the template. A raw value is written without encoding.
    case value(String, Template.Segment, isRaw: Bool)
}
