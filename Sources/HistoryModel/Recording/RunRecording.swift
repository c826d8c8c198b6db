internal import SortieBase
package import SortieHTTP
package import WorkspaceModel

/// A chain built from exchanges of the history, in the order in which they were sent.
///
/// A value that a later request has, and that only one earlier response has at only one place, becomes a capture. Masked values cannot be compared: a
/// new endpoint with a masked credential gets the masked value of the responses before, where there is only one.
package struct RunRecording: Hashable, Sendable {
    /// A captured value with a request that uses it.
    package struct CapturedUse: Hashable, Sendable {
        /// The template, such as `{{login.id}}`.
        package var template: String
        /// Where the response has the value.
        package var path: String
        /// The name of the step that uses it, and the places of its request.
        package var user: String
        package var places: [String]

        /// Such as `{{login.id}} ($.id) is used by detail: path`.
        package var text: String { "\(template) (\(path)) is used by \(user): \(places.joined(separator: ", "))" }
    }

    /// The chain.
    package private(set) var run: RunDefinition
    /// The endpoints that the chain needs: new ones, and those that capture or use a value.
    package private(set) var endpoints: [EndpointDraft] = []
    /// The captured values.
    package private(set) var captures: [CapturedUse] = []
    /// The exchanges that are not sent, with the reason.
    package private(set) var leftOut: [String] = []

    /// What is to be known about the run: the captured values, or that there are none, and what is left out.
    package var notes: [String] {
        let noted = captures.isEmpty ? ["No later request has a value of an earlier response"] : captures.map(\.text)
        return leftOut.map { "Left out: \($0)" } + noted
    }

    /// Values of one character, and longer ones than this, are not captured.
    private static let lengths = 2...4096
    /// The number of values of a response that are compared: the first ones.
    private static let limit = 2000

    /// What an earlier response has: its values, by their texts.
    private struct Response {
        /// The index of the step.
        var step: Int
        /// The number of texts that were sent before it.
        var sent: Int
        /// The only place of each value; nil for a value with several places.
        var paths: [String: String?]
        /// The places of masked values.
        var masked: [String]
    }

    /// Builds the chain.
    ///
    /// - Parameters:
    ///   - exchanges: The exchanges, in any order.
    ///   - servers: The servers of a service of the workspace.
    package init(named name: String, of exchanges: [PastExchange], in workspace: Workspace, servers: (String) -> [HTTPURL]) {
        run = RunDefinition(name: name, kind: .chain, steps: [])
        var edited: [String: Endpoint] = [:]
        // New endpoints as they were sent, without templates of captured values.
        var new: [String: Endpoint] = [:]
        var responses: [Response] = []
        var sentTexts: [[UInt8]] = []
        for past in exchanges.sorted(by: { $0.item.number < $1.item.number }) {
            guard let endpoint = Self.endpoint(of: past, in: workspace, new, servers) else {
                leftOut.append("#\(past.item.number) \(past.item.shownMethod.rawValue) \(past.item.url)")
                continue
            }
            let step = run.addStep(sending: endpoint.target, after: nil)
            if workspace.endpoint(endpoint.target) == nil { new[endpoint.target] = endpoint }
            edited[endpoint.target] = edited[endpoint.target] ?? endpoint
            use(responses, inStep: step, sent: sentTexts, &edited)
            if new[endpoint.target] != nil { useMasked(responses, inStep: step, &edited) }
            // A value that was sent before the response is not the response's.
            sentTexts += (endpoint.sentTemplates + Self.texts(of: past.exchange.request)).map { Array($0.utf8) }
            let (paths, masked) = Self.values(of: past)
            responses.append(Response(step: step, sent: sentTexts.count, paths: paths, masked: masked))
        }
        for (target, endpoint) in edited.sorted(by: { $0.key < $1.key }) {
            let original = workspace.endpoint(target)
            if original != endpoint { endpoints.append(EndpointDraft(original: original, edited: endpoint)) }
        }
    }

    /// The endpoint of the workspace that sends the request again, else a new one; nil for what a run does not send.
    private static func endpoint(
        of past: PastExchange, in workspace: Workspace, _ new: [String: Endpoint], _ servers: (String) -> [HTTPURL]
    ) -> Endpoint? {
        guard past.item.kind != .webSocket, past.item.kind != .events else { return nil }
        let request = past.exchange.request
        if let target = past.item.target, let known = workspace.endpoint(target), !RequestChange(since: request, to: known).isOtherRequest {
            return known
        }
        let folders = workspace.services.map(\.folder)
        let known = past.item.service.flatMap { folders.contains($0) ? $0 : nil }
        guard let service = known ?? folders.first(where: { servers($0).contains { $0.origin == request.url.origin } }) ?? folders.first else {
            return nil
        }
        let stem = Endpoint.fileName(ofPath: request.url.path)
        func made(_ target: String) -> Endpoint {
            Endpoint(of: past, target: target, name: FilePath.name(of: target), servers: servers(service), folder: workspace.folder)
        }
        let targets = ["\(service)/\(stem)"] + (2...new.count + workspace.endpoints.count + 2).map { "\(service)/\(stem)-\($0)" }
        for target in targets where workspace.endpoint(target) == nil && WorkspaceItem.endpoint(EndpointID(target)).nameProblem == nil {
            let endpoint = made(target)
            guard let other = new[target] else { return endpoint }
            // The same request again is the same endpoint.
            if other == endpoint { return other }
        }
        return nil
    }

    /// Writes templates in the places of a step's request that have a value of an earlier response.
    private mutating func use(_ responses: [Response], inStep step: Int, sent: [[UInt8]], _ edited: inout [String: Endpoint]) {
        let target = run.steps[step].target
        guard var endpoint = edited[target] else { return }
        let texts = endpoint.sentTemplates.filter { !$0.isEmpty }.map { Array($0.utf8) }
        var values: [String: [(step: Int, path: String?)]] = [:]
        for response in responses where run.steps[response.step].target != target {
            for (value, path) in response.paths {
                let bytes = Array(value.utf8)
                guard texts.contains(where: { $0.contains(bytes: bytes) }) else { continue }
                guard !sent[..<response.sent].contains(where: { $0.contains(bytes: bytes) }) else { continue }
                values[value, default: []].append((response.step, path))
            }
        }
        // The longest first, because a shorter one may be a part of it.
        for value in values.keys.sorted(by: { ($0.utf8.count, $0) > ($1.utf8.count, $1) }) {
            guard let found = values[value], found.count == 1, let path = found[0].path else { continue }
            capture(path, ofStep: found[0].step, for: value, inStep: step, &endpoint, &edited)
        }
        edited[target] = endpoint
    }

    /// Writes the template of the only masked value of earlier responses in place of a masked credential of a new endpoint.
    private mutating func useMasked(_ responses: [Response], inStep step: Int, _ edited: inout [String: Endpoint]) {
        let target = run.steps[step].target
        let found = responses.flatMap { response in response.masked.map { (step: response.step, path: $0) } }
        guard found.count == 1, run.steps[found[0].step].target != target, var endpoint = edited[target] else { return }
        let texts = endpoint.headers.filter { HeaderField($0.name, "").isNamed("Authorization") }.map(\.value) + endpoint.auth.texts
        let names = texts.flatMap { text in Template(text).segments.compactMap { if case .variable(let name, _) = $0 { name } else { nil } } }
        guard let name = names.first, names.count == 1, !name.contains(".") else { return }
        capture(found[0].path, ofStep: found[0].step, for: "{{\(name)}}", inStep: step, &endpoint, &edited)
        edited[target] = endpoint
    }

    /// Captures a value of a step's response, and writes its template in the places of another step's request that have a text.
    private mutating func capture(
        _ path: String, ofStep source: Int, for text: String, inStep step: Int, _ endpoint: inout Endpoint, _ edited: inout [String: Endpoint]
    ) {
        guard var captured = edited[run.steps[source].target] else { return }
        let known = captured.captures.first { $0.path == path }
        let capture = known ?? Capture(ofPath: path, besides: captured.captures)
        let template = "{{\(run.steps[source].name).\(capture.name)}}"
        let places = endpoint.replace(text, by: template)
        guard !places.isEmpty else { return }
        if known == nil { captured.captures.append(capture) }
        edited[captured.target] = captured
        captures.append(CapturedUse(template: template, path: path, user: run.steps[step].name, places: places))
    }

    /// The texts of a request as it was sent.
    private static func texts(of request: Request) -> [String] {
        let body: [String] = if case .bytes(let bytes, _) = request.body { [String(decoding: bytes, as: UTF8.self)] } else { [] }
        return [request.url.description] + request.headers.fields.map(\.value) + body
    }

    /// The places of the values of a response, and those of its masked values.
    private static func values(of past: PastExchange) -> (paths: [String: String?], masked: [String]) {
        guard let response = past.exchange.response else { return ([:], []) }
        var paths: [String: String?] = [:]
        var masked: [String] = []
        func add(_ value: String, _ path: String) {
            if value == HeaderField.mask { return masked.append(path) }
            guard lengths.contains(value.utf8.count), !["true", "false", "null"].contains(value) else { return }
            paths[value] = paths[value] == nil ? .some(path) : .some(nil)
        }
        if let tag = response.headers["ETag"] { add(tag, "header ETag") }
        guard past.missingBody == nil, response.body.count <= JSONValue.bodyLimit, let body = JSONValue(ifValid: response.body) else {
            return (paths, masked)
        }
        var left = limit
        var waiting: [(JSONValue, JSONPath)] = [(body, JSONPath())]
        while let (value, path) = waiting.popLast(), left > 0 {
            left -= 1
            switch value {
            case .string, .number: add(value.plainText, path.description)
            case .object(let members): waiting += members.prefix(left).reversed().map { ($0.value, path.appending(.name($0.key))) }
            case .array(let items): waiting += items.indices.prefix(left).reversed().map { (items[$0], path.appending(.index($0))) }
            case .null, .bool: break
            }
        }
        return (paths, masked)
    }
}
