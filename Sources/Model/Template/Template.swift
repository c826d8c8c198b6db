/// Text with `{{name}}` and `{{$builtin argument}}` in it.
public struct Template: Hashable, Sendable {
    /// A piece of the text.
    public enum Segment: Hashable, Sendable {
        /// Stands for itself.
        case text(String)
        /// `{{name}}`.
        case variable(String)
        /// `{{$name argument}}`.
        case builtin(name: String, argument: String)
    }

    /// The pieces in order.
    public let segments: [Segment]

    /// Reads `text`; braces that are not closed stand for themselves.
    public init(_ text: String) {
        guard text.contains("{{") else {
            segments = text.isEmpty ? [] : [.text(text)]
            return
        }
        var segments: [Segment] = []
        var rest = Substring(text)
        while let open = rest.firstRange(of: "{{"), let close = rest[open.upperBound...].firstRange(of: "}}") {
            if open.lowerBound > rest.startIndex { segments.append(.text(String(rest[..<open.lowerBound]))) }
            segments.append(Template.segment(rest[open.upperBound..<close.lowerBound]))
            rest = rest[close.upperBound...]
        }
        if !rest.isEmpty { segments.append(.text(String(rest))) }
        self.segments = segments
    }

    /// Whether there is nothing to resolve.
    public var isPlain: Bool {
        segments.allSatisfy {
            if case .text = $0 { return true }
            return false
        }
    }

    private static func segment(_ inner: Substring) -> Segment {
        let parts = inner.split(maxSplits: 1, whereSeparator: \.isWhitespace)
        guard let name = parts.first else { return .variable("") }
        if name.hasPrefix("$") {
            return .builtin(name: String(name.dropFirst()), argument: parts.count > 1 ? parts[1].trimmingSpaces : "")
        }
        return .variable(Substring(inner).trimmingSpaces)
    }
}

extension Substring {
    fileprivate var trimmingSpaces: String {
        var text = self
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
