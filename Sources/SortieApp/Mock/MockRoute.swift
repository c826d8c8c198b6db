internal import Foundation
internal import Interchange
internal import SortieHTTP
internal import WorkspaceModel

/// The method and the path of an endpoint, as `sortie mock` matches requests with them.
struct MockRoute: Sendable {
    /// One segment of a path.
    enum Segment: Hashable {
        case literal(String)
        /// A segment with variables: any text that is not empty, between a beginning and an end.
        case variable(prefix: String, suffix: String)

        func matches(_ text: String) -> Bool {
            switch self {
            case .literal(let literal): literal == text
            case .variable(let prefix, let suffix):
                text.utf8.count > prefix.utf8.count + suffix.utf8.count && text.hasPrefix(prefix) && text.hasSuffix(suffix)
            }
        }

        /// The order of preference; literal segments precede variables.
        var rank: Int {
            switch self {
            case .literal: 0
            case .variable(let prefix, let suffix): prefix.isEmpty && suffix.isEmpty ? 2 : 1
            }
        }
    }

    let method: String
    let endpoint: Endpoint
    let segments: [Segment]
    /// The responses that a description has for it.
    let responses: [DescribedResponse]

    /// Creates the route of an endpoint.
    ///
    /// - Parameters:
    ///   - responses: The responses that a description has for it.
    ///   - server: The URL of its server, whose path precedes that of the endpoint; nil for none.
    ///   - variables: The values of variables in `server` and at the beginning of the path; other variables of the path match one segment.
    init(_ endpoint: Endpoint, server: String?, variables: [String: String], responses: [DescribedResponse] = []) {
        self.endpoint = endpoint
        self.responses = responses
        method = endpoint.method.rawValue
        let path = Self.expandingStart(endpoint.path, variables)
        let isAbsolute = path.contains("://")
        let base = isAbsolute ? [] : Self.segments(of: Self.path(ofURL: Self.expandingStart(server ?? "", variables)))
        segments = (base + Self.segments(of: isAbsolute ? Self.path(ofURL: path) : path)).map(Self.segment)
    }

    /// The path for display, with `{{…}}` as `*`.
    var path: String {
        "/"
            + segments.map { segment in
                switch segment {
                case .literal(let text): text
                case .variable(let prefix, let suffix): prefix + "*" + suffix
                }
            }.joined(separator: "/")
    }

    /// Whether the path of a request, in its segments, is that of the route.
    func matches(_ path: [String]) -> Bool {
        path.count == segments.count && zip(segments, path).allSatisfy { $0.matches($1) }
    }

    /// The segments of a path without its query, decoded, and without empty ones at the end.
    static func segments(of path: String) -> [String] {
        let path = path.prefix { $0 != "?" && $0 != "#" }
        return path.split(separator: "/").map { $0.removingPercentEncoding ?? String($0) }
    }

    private static func segment(_ text: String) -> Segment {
        // `{{name}}` is a variable, `{name}` a parameter of the path.
        guard let open = text.firstIndex(of: "{"), let end = text.lastIndex(of: "}"), end > open else { return .literal(text) }
        return .variable(prefix: String(text[..<open]), suffix: String(text[text.index(after: end)...]))
    }

    /// A URL often begins with a variable that contains its scheme, host and path.
    private static func expandingStart(_ text: String, _ variables: [String: String]) -> String {
        var text = text
        // Variables can name others; a cycle ends after this many.
        for _ in 0..<8 {
            guard text.hasPrefix("{{"), let end = text.firstRange(of: "}}") else { break }
            let name = text[text.index(text.startIndex, offsetBy: 2)..<end.lowerBound].filter { $0 != " " }
            guard let value = variables[name] else { break }
            text = value + text[end.upperBound...]
        }
        return text
    }

    private static func path(ofURL text: String) -> String {
        let rest = text.firstRange(of: "://").map { text[$0.upperBound...] } ?? text[...]
        return String(rest.drop { $0 != "/" && $0 != "?" && $0 != "#" })
    }
}
