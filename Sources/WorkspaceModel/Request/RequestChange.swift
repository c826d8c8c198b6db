package import SortieHTTP

/// How an endpoint differs from what it was when an earlier request was sent from it.
///
/// The target alone does not identify a request: a file can be replaced, and the name of a draft can be used again. Texts with templates are compared, and
/// the values of the variables in the URL and the body. A masked part of a stored request is equal to any text.
package struct RequestChange {
    /// The endpoint that the earlier request was built from.
    ///
    /// Nil where that is not known, as in a damaged row of the history; then nothing counts as changed.
    private let former: Endpoint?
    private let endpoint: Endpoint
    /// The values of variables in the earlier request, without those of secrets.
    private let variables: [String: String]
    /// The present value of a variable; nil for one that has none, or that has to be looked up.
    private let value: (_ name: String) -> String?

    /// Compares an endpoint with the one that a request was built from.
    ///
    /// - Parameter value: The present value of a variable; nil for one that is not compared.
    package init(since request: Request, to endpoint: Endpoint, value: @escaping (_ name: String) -> String? = { _ in nil }) {
        (former, variables) = (request.origin?.endpoint, request.origin?.variables ?? [:])
        (self.endpoint, self.value) = (endpoint, value)
    }

    /// Compares an endpoint with an earlier one.
    package init(from former: Endpoint?, to endpoint: Endpoint) {
        (self.former, self.endpoint, variables, value) = (former, endpoint, [:], { _ in nil })
    }

    /// Whether the earlier request had another method or path, so that its response says nothing about the endpoint.
    package var isOtherRequest: Bool {
        guard let former else { return false }
        return former.shownMethod != endpoint.shownMethod || !Self.matches(former.grpc?.method ?? "", endpoint.grpc?.method ?? "")
            || !Self.matches(URLText(former.path).path, URLText(endpoint.path).path)
    }

    /// The sentence about the earlier request; nil where nothing changed.
    package var note: String? {
        guard let former else { return nil }
        if isOtherRequest { return "It was sent as \(former.shownMethod.rawValue) \(former.grpc?.method ?? former.path), before the change." }
        let (old, new) = (URLText(of: former).rows, URLText(of: endpoint).rows)
        let isSameQuery = Self.matches(old.flatMap { [$0.name, $0.value] }, new.flatMap { [$0.name, $0.value] })
        // Text that was edited in place is sent instead of the body's file.
        let isSameText = endpoint.editedBodyFile.map { $0.text == former.editedBodyFile?.text } ?? true
        let isSameBody =
            isSameText && (former.body == endpoint.body || Self.matches(former.body.comparedTexts, endpoint.body.comparedTexts))
        let parts = [isSameQuery ? nil : "query", isSameBody ? nil : "body"].compactMap(\.self)
        var differences = parts.isEmpty ? [] : ["another \(parts.joined(separator: " and "))"]
        let names = changedVariables
        if !names.isEmpty {
            let list = names.prefix(3).map { "{{\($0)}}" }.joined(separator: ", ") + (names.count > 3 ? " …" : "")
            differences.append("\(names.count == 1 ? "another value" : "other values") of \(list)")
        }
        return differences.isEmpty ? nil : "It was sent with \(differences.joined(separator: ", and with "))."
    }

    /// The variables in the URL and the body that had other values in the earlier request.
    private var changedVariables: [String] {
        let rows = URLText(of: endpoint).rows.flatMap { [$0.name, $0.value] }
        let texts = [URLText(endpoint.path).path] + rows + (endpoint.editedBodyFile == nil ? endpoint.body.comparedTexts : [])
        let names = texts.flatMap { Template($0).segments }.compactMap { if case .variable(let name, _) = $0 { name } else { nil } }
        return Set(names).sorted().filter { name in
            guard let former = variables[name], let now = value(name) else { return false }
            return !Self.matches(former, now)
        }
    }

    private static func matches(_ stored: [String], _ texts: [String]) -> Bool {
        stored.count == texts.count && zip(stored, texts).allSatisfy { matches($0, $1) }
    }

    /// Whether a text is equal to a stored one, whose masks stand for any text; storing may change whitespace.
    private static func matches(_ stored: String, _ text: String) -> Bool {
        if stored == text || bytes(stored).elementsEqual(bytes(text)) { return true }
        guard stored.contains(HeaderField.mask) else { return false }
        let pieces = String(decoding: bytes(stored), as: UTF8.self).split(separator: HeaderField.mask, omittingEmptySubsequences: false)
        var rest = String(decoding: bytes(text), as: UTF8.self)[...]
        guard let first = pieces.first, let last = pieces.last, rest.hasPrefix(first) else { return false }
        rest = rest.dropFirst(first.count)
        for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
            guard let range = rest.firstRange(of: piece) else { return false }
            rest = rest[range.upperBound...]
        }
        return rest.hasSuffix(last)
    }

    private static func bytes(_ text: String) -> LazyFilterSequence<String.UTF8View> { text.utf8.lazy.filter { $0 > UInt8(ascii: " ") } }
}

extension BodyTemplate {
    /// The texts that make the content.
    fileprivate var comparedTexts: [String] {
        switch self {
        case .none: []
        case .json(let text), .plist(let text), .text(let text, _): [text]
        case .form(let rows): rows.filter(\.isEnabled).flatMap { [$0.name, $0.value] }
        case .file(let path, _): [path]
        case .multipart(let parts): parts.filter(\.isEnabled).flatMap { [$0.name, $0.value] }
        case .graphQL(let request): [request.query, request.variables, request.operation ?? ""]
        }
    }
}
