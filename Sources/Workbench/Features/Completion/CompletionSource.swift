internal import HistoryModel
internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Determines what completes the text that is being typed.
struct CompletionSource {
    private let state: AppState
    private let text: TypedText
    /// The line of the cursor, and the number of its characters before the cursor.
    private let line: [Character]
    private let column: Int

    init(_ state: AppState, _ text: TypedText) {
        self.state = state
        self.text = text
        line = text.content.lines[text.content.cursor.row]
        column = text.content.cursor.column
    }

    /// The list; nil when nothing completes the text.
    ///
    /// - Parameter isAsked: Whether the user asked for the list. Otherwise a text must have been typed, or `{{`.
    func list(isAsked: Bool) -> CompletionList? {
        guard let place = text.place, text.content.selection == nil else { return nil }
        if place.hasTemplates, let template { return list(template.before, template.after, template.items, isAsked: isAsked, isTemplate: true) }
        let typed = String(line[..<column])
        switch place {
        case .templates: return nil
        case .json: return jsonName(isAsked: isAsked) ?? jsonValue(isAsked: isAsked)
        case .graphQL: return graphQL(isAsked: isAsked)
        case .method: return list(column, line.count - column, RegisteredNames.methods, isAsked: isAsked)
        case .headerName:
            let described = names(\.headers)
            let known = Set(described.map { $0.label.lowercased() })
            let others = RegisteredNames.headerFields.filter { !known.contains($0.label.lowercased()) }
            var list = list(column, line.count - column, described + others, isAsked: isAsked)
            // The next character of a longer name is the hyphen before its next word.
            let start = typed.lowercased() + "-"
            let isWholeName = !isAsked && list?.items.first?.label.lowercased().hasPrefix(start) == true
            list?.isWholeName = isWholeName
            return list
        case .parameterName(let place): return list(column, line.count - column, names(place.members), isAsked: isAsked)
        case .parameterValue(let place, let name): return list(column, line.count - column, choices(place.members, of: name), isAsked: isAsked)
        case .headerValue(let name): return headerValue(name, isAsked: isAsked)
        case .url:
            guard !typed.contains(where: { "?#".contains($0) }) else { return nil }
            let after = line[column...].prefix { !"?#".contains($0) }.count
            return list(column, after, KnownURLs(state).completions, isAsked: isAsked)
        }
    }

    private func list(_ before: Int, _ after: Int, _ items: [Completion], isAsked: Bool, isTemplate: Bool = false) -> CompletionList? {
        let typed = String(line[(column - before)..<column])
        guard isAsked || isTemplate || !typed.isEmpty else { return nil }
        let items = Completion.ranked(items, typed: typed, isAsked: isAsked, hidesComplete: !isTemplate)
        return items.isEmpty ? nil : CompletionList(content: text.content, before: before, after: after, items: items)
    }

    /// The fields, arguments, types, variables or values that the schema of the server has at the cursor.
    private func graphQL(isAsked: Bool) -> CompletionList? {
        guard let endpoint = state.openEndpoint, let schema = state.graphQLSchema(of: endpoint) else { return nil }
        let offset = text.content.lines.characters(before: text.content.cursor.row) + column
        guard let found = GraphQLCompletion.suggestions(in: text.content.text, at: offset, schema) else { return nil }
        let items = found.items.map { item in
            Completion(item.name, detail: item.detail, source: item.summary.split(whereSeparator: \.isNewline).first.map(String.init) ?? "")
        }
        return list(found.before, found.after, items, isAsked: isAsked)
    }

    /// The described names of parameters or of members.
    private func names(_ members: (DescribedRequest) -> [DescribedRequest.Member]) -> [Completion] {
        guard let request = state.describedRequest else { return [] }
        return members(request).map { Completion($0, of: request) }
    }

    /// The values that a described parameter may have.
    private func choices(_ members: (DescribedRequest) -> [DescribedRequest.Member], of name: String) -> [Completion] {
        guard let request = state.describedRequest, let member = members(request).first(where: { $0.name == name }) else { return [] }
        return Completion.choices(request.choices(of: member))
    }

    /// The values that the description lists for the place of the cursor in JSON.
    private func jsonValue(isAsked: Bool) -> CompletionList? {
        guard let request = state.describedRequest, state.openEndpoint?.body.isGraphQL == false, let place = JSONValuePlace(text.content) else {
            return nil
        }
        let values = request.value(at: place.path)?.choices ?? []
        let items = values.compactMap { value -> Completion? in
            guard place.isQuoted else { return Completion(value.compactText) }
            guard case .string(let text) = value else { return nil }
            return Completion(text, text: String(JSONValue.string(text).compactText.dropFirst()))
        }
        return list(place.before, place.after, items, isAsked: isAsked)
    }

    /// The names of members that the description or other bodies have, and the variables of a GraphQL query, in the name that the cursor is in.
    private func jsonName(isAsked: Bool) -> CompletionList? {
        guard let endpoint = state.openEndpoint, let place = JSONNamePlace(text.content) else { return nil }
        var described: [Completion] = []
        if !endpoint.body.isGraphQL, let request = state.describedRequest {
            let object = request.value(at: JSONPlacePath.names(around: place.start, in: text.content))
            described = object?.members.map { Completion($0, of: request) } ?? []
        }
        let names = Set(described.map(\.label))
        let others = KnownNames(state, endpoint).completions.filter { !names.contains($0.label) }
        let items = (described + others).map { item in
            Completion(item.label, detail: item.detail, source: item.source, text: item.text + (place.hasColon ? "\"" : "\": "))
        }
        return list(place.before, place.after, items, isAsked: isAsked)
    }

    /// The values of a header field: the one after the last comma of a list.
    private func headerValue(_ name: String, isAsked: Bool) -> CompletionList? {
        let described = choices({ $0.headers.map { .init($0.name.lowercased(), value: $0.value) } }, of: name.lowercased())
        let values = described.isEmpty ? RegisteredNames.values(ofHeader: name) : described
        guard !values.isEmpty else { return nil }
        let start = line[..<column].lastIndex(of: ",").map { $0 + 1 } ?? 0
        let blanks = line[start..<column].prefix(while: \.isWhitespace).count
        let after = line[column...].prefix { $0 != "," }.count
        guard !line[start..<column].contains(";") else { return nil }
        return list(column - start - blanks, after, values, isAsked: isAsked)
    }

    /// The template that the cursor is in, with the variables and built-ins that complete it; nil outside of templates.
    private var template: (before: Int, after: Int, items: [Completion])? {
        var open = column - 2
        while open >= 0, !(line[open] == "{" && line[open + 1] == "{") {
            if line[open] == "}" { return nil }
            open -= 1
        }
        guard open >= 0, let endpoint = state.openEndpoint else { return nil }
        let start = open + 2 + line[(open + 2)..<column].prefix(while: \.isWhitespace).count
        // A built-in with an argument is complete.
        guard !line[start..<column].contains(where: \.isWhitespace) else { return nil }
        let name = line[column...].prefix { $0.isWordCharacter || $0 == "." || $0 == "-" }.count
        let isClosed = line[(column + name)...].starts(with: "}}")
        let items = KnownVariables(state, endpoint).completions.map { item in
            var item = item
            if isClosed {
                item.text = String(item.text.dropLast(2))
                item.cursor = item.cursor.map { min($0, item.text.count) }
            }
            return item
        }
        return (column - start, name, items)
    }
}

/// The URLs that were used before: those of the workspace, and those of the loaded part of the history.
struct KnownURLs {
    private let state: AppState

    init(_ state: AppState) { self.state = state }

    /// The paths of the endpoint's service first, then complete URLs.
    var completions: [Completion] {
        var texts: Set<String> = []
        var result: [Completion] = []
        func add(_ text: some StringProtocol, _ source: String) {
            let text = String(text.prefix { !"?#".contains($0) })
            guard !text.isEmpty, texts.insert(text).inserted else { return }
            result.append(Completion(text, source: source))
        }
        let open = state.openEndpoint
        let hasServer = open.map { RequestFeature.hasServer($0, state) } ?? false
        if hasServer, let service = open.flatMap({ state.workspace.service($0.serviceName) }) {
            for endpoint in service.endpoints where endpoint.id != open?.id { add(endpoint.path, endpoint.name) }
        }
        for service in state.workspace.services {
            let servers = state.environment.flatMap { service.servers[$0] } ?? []
            for server in servers { add(server, "server of \(service.name)") }
            for endpoint in service.endpoints where endpoint.id != open?.id {
                if endpoint.path.contains("://") {
                    add(endpoint.path, endpoint.name)
                } else if let server = servers.first, endpoint.path.hasPrefix("/") {
                    add((server.hasSuffix("/") ? String(server.dropLast()) : server) + endpoint.path, endpoint.name)
                }
            }
        }
        for item in state.history.window.items { add(state.redaction.masked(item.url), "history") }
        return result
    }
}

/// The variables and built-ins that templates of an endpoint may use, with values and sources.
struct KnownVariables {
    private let state: AppState
    private let endpoint: Endpoint

    init(_ state: AppState, _ endpoint: Endpoint) {
        self.state = state
        self.endpoint = endpoint
    }

    /// The variables in order of precedence, the values of runs, and the built-ins; each inserts the closing braces.
    var completions: [Completion] {
        let preview = RequestPreview(state, endpoint)
        let scope = preview.scope
        var names: Set<String> = []
        var result: [Completion] = []
        func add(_ name: String, _ value: String, _ source: String) {
            guard names.insert(name).inserted else { return }
            result.append(Completion(name, detail: value, source: source, text: name + "}}"))
        }
        for (index, layer) in scope.layers.enumerated() {
            let source = scope.layerNames.indices.contains(index) ? scope.layerNames[index] : ""
            for name in layer.keys.sorted() { add(name, value(of: name, preview), source) }
        }
        for name in scope.secretNames { add(name, HeaderField.mask, "secret" + (scope.secretSources[name].map { ": \($0.text)" } ?? "")) }
        for (name, run) in namesOfRuns { add(name, "", "run \(run)") }
        for (name, target) in namesOfResponses { add(name, "", "response of \(target)") }
        return result + Self.builtins
    }

    private func value(of name: String, _ preview: RequestPreview) -> String {
        if !state.showsSecrets, state.redaction.isSecretPath(name) { return HeaderField.mask }
        do throws(TemplateError) { return state.redaction.masked(try preview.resolve("{{\(name)}}")) } catch { return error.message }
    }

    /// The values that runs pass to the endpoint: those of its step, and the captures of the steps before.
    private var namesOfRuns: [(name: String, run: String)] {
        state.workspace.runs.flatMap { run -> [(name: String, run: String)] in
            guard let last = run.steps.lastIndex(where: { $0.target == endpoint.target }) else { return [] }
            let own = run.steps.filter { $0.target == endpoint.target }.flatMap {
                $0.variables.keys.sorted() + ($0.loop?.variable.map { [$0] } ?? [])
            }
            let captured = run.steps[..<last].flatMap { step in
                let captures = step.captures + (state.workspace.endpoint(step.target)?.captures ?? [])
                return captures.map { "\(step.name).\($0.name)" }
            }
            return (own + captured).map { ($0, run.name) }
        }
    }

    /// The captured values of other endpoints, by the shortest name that means one of them.
    private var namesOfResponses: [(name: String, target: String)] {
        state.workspace.endpoints.filter { $0.target != endpoint.target }.flatMap { other in
            other.captures.map { capture in
                let short = "\(FilePath.name(of: other.target)).\(capture.name)"
                let isShort: Bool
                do throws(TemplateError) {
                    isShort = try state.workspace.earlierValue(named: short, for: endpoint)?.target == other.target
                } catch { isShort = false }
                return (isShort ? short : "\(other.target).\(capture.name)", other.target)
            }
        }
    }

    /// The built-ins; one with an argument leaves the cursor at its place.
    private static let builtins: [Completion] = [
        ("uuid", "a random UUID"), ("timestamp", "seconds since 1970"), ("date ", "the date; a format such as yyyy-MM-dd"),
        ("random ", "a random number below the one given"), ("env.", "an environment variable of the program"), ("file ", "the text of a file"),
        ("prompt ", "asks for the value when the request is sent"), ("promptSecret ", "asks for the value, which is masked and not kept"),
        ("braces", "{{ itself"),
    ].map { name, detail in
        let isComplete = name.last?.isLetter == true
        let label = "$" + (isComplete ? name : String(name.dropLast()))
        return Completion(label, detail: detail, source: "built-in", text: "$\(name)}}", cursor: isComplete ? nil : name.count + 1)
    }
}

/// Names of the IANA registries for HTTP that requests use: methods, header fields and their values.
enum RegisteredNames {
    /// The methods (RFC 9110 §9.3, RFC 4918, RFC 3253, RFC 3744, RFC 5323, RFC 5789).
    static let methods: [Completion] = [
        "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "PROPPATCH", "MKCOL", "COPY", "MOVE", "LOCK",
        "UNLOCK", "REPORT", "SEARCH", "ACL", "MERGE", "LINK", "UNLINK", "BIND", "REBIND", "UNBIND", "CHECKIN", "CHECKOUT", "LABEL", "MKACTIVITY",
        "MKCALENDAR", "MKREDIRECTREF", "MKWORKSPACE", "ORDERPATCH", "QUERY", "UNCHECKOUT", "UPDATE", "UPDATEREDIRECTREF", "VERSION-CONTROL",
        "BASELINE-CONTROL", "PURGE",
    ].map { Completion($0) }

    /// The fields of requests with their purpose, frequent ones first.
    static let headerFields: [Completion] = fields.map { Completion($0.name, detail: $0.purpose) }

    private static let fields: [(name: String, purpose: String)] = [
        ("Accept", "media types of the response"), ("Accept-Charset", "charsets of the response"),
        ("Accept-Encoding", "compressions of the response"),
        ("Accept-Language", "languages of the response"), ("Authorization", "credentials for the server"), ("Cache-Control", "directives for caches"),
        ("Connection", "options of this connection"), ("Content-Disposition", "presentation of the body"),
        ("Content-Encoding", "compressions of the body"), ("Content-Language", "languages of the body"), ("Content-Length", "size of the body"),
        ("Content-Location", "URL of the body"), ("Content-Range", "position of the body in the whole"), ("Content-Type", "media type of the body"),
        ("Cookie", "cookies for the server"), ("Date", "when the request was created"), ("Expect", "100-continue before the body"),
        ("Forwarded", "addresses changed by proxies"), ("From", "mail address of the user"), ("Host", "host and port of the server"),
        ("If-Match", "only if the version is one of these"), ("If-Modified-Since", "only if modified since"),
        ("If-None-Match", "only if the version is none of these"), ("If-Range", "a range only if unmodified"),
        ("If-Unmodified-Since", "only if unmodified since"), ("Max-Forwards", "number of proxies for TRACE"), ("Origin", "origin of the page"),
        ("Pragma", "no-cache for HTTP/1.0"), ("Prefer", "optional behaviour"), ("Priority", "urgency of the response"),
        ("Proxy-Authorization", "credentials for the proxy"), ("Range", "part of the resource"), ("Referer", "URL of the page before"),
        ("TE", "transfer codings of the response"), ("Trailer", "fields after the body"), ("Transfer-Encoding", "transfer codings of the body"),
        ("Upgrade", "other protocols"), ("Upgrade-Insecure-Requests", "1 prefers https"), ("User-Agent", "program of the user"),
        ("Via", "proxies on the way"), ("Access-Control-Request-Headers", "CORS preflight"), ("Access-Control-Request-Method", "CORS preflight"),
        ("A-IM", "instance manipulations"), ("Accept-Datetime", "time of the version"), ("Accept-Patch", "formats of patches"),
        ("Accept-Post", "formats of POST"), ("Accept-Ranges", "units of ranges"), ("ALPN", "protocols of a tunnel"),
        ("Alt-Used", "alternative service"),
        ("CDN-Loop", "CDNs on the way"), ("Content-Digest", "digest of the content"), ("Depth", "levels of a collection"),
        ("Destination", "target of COPY and MOVE"), ("Digest", "digest of the body"), ("DNT", "do not track"), ("DPoP", "proof of possession"),
        ("Early-Data", "1 for data before the handshake"), ("Idempotency-Key", "identifies a repeated request"), ("If", "lock tokens"),
        ("If-Schedule-Tag-Match", "CalDAV"), ("Keep-Alive", "time of an idle connection"), ("Last-Event-ID", "last event of a stream"),
        ("Link", "relations"), ("Lock-Token", "lock of UNLOCK"), ("MIME-Version", "version of MIME"), ("Overwrite", "T or F for COPY and MOVE"),
        ("Repr-Digest", "digest of the representation"), ("Save-Data", "on for small responses"), ("Sec-Fetch-Dest", "destination"),
        ("Sec-Fetch-Mode", "mode"), ("Sec-Fetch-Site", "relation of origins"), ("Sec-Fetch-User", "?1 after an action"),
        ("Sec-GPC", "1 for global privacy control"), ("Sec-WebSocket-Extensions", "WebSocket"), ("Sec-WebSocket-Key", "WebSocket"),
        ("Sec-WebSocket-Protocol", "WebSocket"), ("Sec-WebSocket-Version", "WebSocket"), ("Signature", "message signature"),
        ("Signature-Input", "parameters of signatures"), ("SOAPAction", "operation of SOAP"), ("Timeout", "time of a lock"),
        ("Tracestate", "state of a trace"), ("Traceparent", "position in a trace"), ("Baggage", "values of a trace"),
        ("Want-Content-Digest", "wanted digests"), ("Want-Repr-Digest", "wanted digests"), ("X-Correlation-ID", "identifies an operation"),
        ("X-CSRF-Token", "token against forged requests"), ("X-Forwarded-For", "address of the client"), ("X-Forwarded-Host", "host of the client"),
        ("X-Forwarded-Proto", "scheme of the client"), ("X-HTTP-Method-Override", "method of a POST"), ("X-Requested-With", "XMLHttpRequest"),
        ("X-Request-ID", "identifies the request"),
    ]

    private static let mediaTypes = [
        "application/json", "application/xml", "application/x-www-form-urlencoded", "multipart/form-data", "text/plain", "text/html", "text/csv",
        "text/event-stream", "application/octet-stream", "application/problem+json", "application/ld+json", "application/hal+json",
        "application/vnd.api+json", "application/json-patch+json", "application/merge-patch+json", "application/x-ndjson", "application/yaml",
        "application/cbor", "application/msgpack", "application/protobuf", "application/graphql-response+json", "application/soap+xml",
        "application/atom+xml", "application/rss+xml", "application/pdf", "application/zip", "application/gzip", "application/javascript",
        "application/x-plist", "application/wasm", "text/css", "text/javascript", "text/markdown", "text/xml", "image/png", "image/jpeg", "image/gif",
        "image/webp", "image/svg+xml", "image/avif", "audio/mpeg", "audio/ogg", "video/mp4", "video/webm", "font/woff2", "*/*",
    ]

    /// The values by the name of the field in lowercase.
    private static let values: [String: [String]] = [
        "accept": mediaTypes,
        "content-type": mediaTypes.filter { $0 != "*/*" },
        "accept-patch": mediaTypes,
        "accept-post": mediaTypes,
        "accept-encoding": ["gzip", "br", "zstd", "deflate", "identity", "*"],
        "content-encoding": ["gzip", "br", "zstd", "deflate"],
        "te": ["trailers", "gzip", "deflate"],
        "transfer-encoding": ["chunked", "gzip"],
        "accept-charset": ["utf-8", "iso-8859-1", "us-ascii"],
        "accept-language": ["en", "en-GB", "en-US", "de", "es", "fr", "it", "ja", "ko", "pt-BR", "zh-CN", "zh-TW", "*"],
        "cache-control": [
            "no-cache", "no-store", "max-age=", "max-stale", "max-stale=", "min-fresh=", "no-transform", "only-if-cached", "stale-if-error=",
        ],
        "pragma": ["no-cache"],
        "authorization": ["Basic ", "Bearer ", "Digest ", "DPoP ", "HOBA ", "Mutual ", "Negotiate ", "AWS4-HMAC-SHA256 ", "Token "],
        "proxy-authorization": ["Basic ", "Bearer ", "Digest ", "Negotiate "],
        "connection": ["close", "keep-alive", "Upgrade"],
        "upgrade": ["websocket", "h2c"],
        "expect": ["100-continue"],
        "content-disposition": ["attachment", "inline", "form-data"],
        "prefer": ["return=minimal", "return=representation", "respond-async", "wait=", "handling=strict", "handling=lenient"],
        "depth": ["0", "1", "infinity"],
        "overwrite": ["T", "F"],
        "dnt": ["1", "0"],
        "save-data": ["on"],
        "priority": ["u=0", "u=1", "u=3", "u=7", "i"],
        "range": ["bytes=0-", "bytes=-500"],
        "sec-fetch-dest": ["empty", "document", "image", "script", "style"],
        "sec-fetch-mode": ["cors", "navigate", "no-cors", "same-origin", "websocket"],
        "sec-fetch-site": ["same-origin", "same-site", "cross-site", "none"],
        "x-requested-with": ["XMLHttpRequest"],
        "x-forwarded-proto": ["https", "http"],
    ]

    /// The known values of a header field.
    static func values(ofHeader name: String) -> [Completion] { (values[name.lowercased()] ?? []).map { Completion($0) } }
}
