internal import SortieBase
package import SortieHTTP

/// A path with variables, such as `/orders/{id}`, with which the paths of requests are compared.
package struct PathTemplate: Hashable, Sendable {
    /// One segment of a path.
    package enum Segment: Hashable, Sendable {
        case literal(String)
        /// A segment with variables: any text that is not empty, between a beginning and an end; `name` is that of a single variable.
        case variable(name: String?, prefix: String, suffix: String)

        fileprivate init(_ text: String) {
            // `{{name}}` and `{{name|raw}}` are variables, `{name}` is a parameter of the path.
            guard let open = text.firstIndex(of: "{"), let end = text.lastIndex(of: "}"), end > open else {
                self = .literal(text)
                return
            }
            var name = text[text.index(after: open)..<end]
            if name.first == "{", name.last == "}" { name = name.dropFirst().dropLast().prefix { $0 != "|" } }
            self = .variable(
                name: name.contains { "{}".contains($0) } ? nil : name.trimmingBlanks, prefix: String(text[..<open]),
                suffix: String(text[text.index(after: end)...]))
        }

        /// Whether a segment of a path is one of this form.
        package func matches(_ text: String) -> Bool {
            switch self {
            case .literal(let literal): literal == text
            case .variable(_, let prefix, let suffix):
                text.utf8.count > prefix.utf8.count + suffix.utf8.count && text.hasPrefix(prefix) && text.hasSuffix(suffix)
            }
        }

        /// The order of preference; literal segments precede variables.
        fileprivate var rank: Int {
            switch self {
            case .literal: 0
            case .variable(_, let prefix, let suffix): prefix.isEmpty && suffix.isEmpty ? 2 : 1
            }
        }
    }

    /// The segments.
    package let segments: [Segment]

    /// Creates the template of a path.
    package init(_ path: String) { self.init(segments: Self.segments(of: path)) }

    /// Creates the template of the segments of a path.
    package init(segments: [String]) { self.segments = segments.map(Segment.init) }

    /// The path for display, with `*` in the place of variables.
    package var text: String { Self.text(of: segments) }

    /// The text of segments for display, with `*` in the place of variables.
    package static func text(of segments: some Collection<Segment>) -> String {
        "/"
            + segments.map { segment in
                switch segment {
                case .literal(let text): text
                case .variable(_, let prefix, let suffix): prefix + "*" + suffix
                }
            }.joined(separator: "/")
    }

    /// The name of the variable that is the whole last segment; nil without one.
    package var lastVariable: String? {
        guard case .variable(let name?, "", "")? = segments.last else { return nil }
        return name
    }

    /// Whether a path, in its segments, has this form.
    package func matches(_ path: some Collection<String>) -> Bool {
        path.count == segments.count && zip(segments, path).allSatisfy { $0.matches($1) }
    }

    /// Whether the template is preferred to another one with the same matches: literal segments take precedence over variables, from the left.
    package func precedes(_ other: PathTemplate) -> Bool { segments.map(\.rank).lexicographicallyPrecedes(other.segments.map(\.rank)) }

    /// The values of the variables in a path that has this form, by name.
    package func values(in path: some Collection<String>) -> [String: String] {
        var values: [String: String] = [:]
        for (segment, text) in zip(segments, path) {
            if case .variable(let name?, let prefix, let suffix) = segment {
                values[name] = String(text.dropFirst(prefix.count).dropLast(suffix.count))
            }
        }
        return values
    }

    /// The path of a URL, which may begin with a variable in the place of its scheme and host.
    package static func path(ofURL text: String) -> String {
        let rest = text.firstRange(of: "://").map { text[$0.upperBound...] } ?? text[...]
        return String(rest.drop { $0 != "/" && $0 != "?" && $0 != "#" })
    }

    /// The segments of a path without its query, decoded, and without empty ones at the end.
    package static func segments(of path: String) -> [String] {
        path.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").map { PercentEncoding.decode($0) }
    }
}

extension Endpoint {
    /// The values of the variables of the path in the URL of a request, by name.
    package func pathValues(in url: HTTPURL) -> [String: String] {
        let template = PathTemplate(PathTemplate.path(ofURL: pathTemplate { _ in true }))
        return template.values(in: PathTemplate.segments(of: url.path).suffix(template.segments.count))
    }
}
