internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

internal import struct FoundationEssentials.Data

/// Makes an endpoint of an entry of a Hurl file.
struct HurlEndpoint {
    private let entry: HurlFile.Entry
    private let source: ImportSource
    /// The folder of the file in that of the source.
    private let folder: String
    /// The templates, with what earlier entries captured.
    private(set) var templates: HurlTemplates
    /// The variables that this and earlier entries set.
    private(set) var variables: [String: String]
    /// The result.
    private(set) var endpoint = Endpoint(target: "", name: "", path: "/")
    /// Scheme, host and port.
    private(set) var server = ""
    private(set) var isInsecure = false
    private(set) var bodyBytes: [UInt8]?
    /// The number of the rows of the query that are in the URL.
    private(set) var rowsOfURL = 0
    /// What is changed or omitted.
    private(set) var notes: [(outcome: ImportReport.Outcome, reason: ImportReason, place: SourceLocation)] = []
    private var retries: (count: Int, every: Duration, place: SourceLocation)?
    private var repetitions = 1
    /// The limit of redirects, where they are followed; the option may be written before the one that follows them.
    private var redirectLimit = 50
    private var isSkipped = false

    init(_ entry: HurlFile.Entry, in source: ImportSource, folder: String, _ templates: HurlTemplates, _ variables: [String: String]) {
        (self.entry, self.source, self.folder, self.templates, self.variables) = (entry, source, folder, templates, variables)
    }

    private mutating func note(_ outcome: ImportReport.Outcome, _ reason: ImportReason, _ place: SourceLocation? = nil) {
        notes.append((outcome, reason, place ?? entry.place))
    }

    /// Builds the endpoint; false for an entry that is not sent.
    mutating func build() -> Bool {
        endpoint.method = HTTPMethod(entry.method) ?? .get
        endpoint.name = "\(entry.method) \(ForeignText.short(Redaction.standard.masked(entry.url)))"
        var comments = entry.comments[...]
        if let first = comments.first, (1...60).contains(first.count) {
            endpoint.name = first
            comments.removeFirst()
        }
        if !comments.isEmpty { endpoint.summary = comments.joined(separator: "\n") }
        // Hurl follows no redirects unless an option says so.
        endpoint.redirects = 0
        for option in entry.sections["Options"] ?? [] { add(option) }
        let url = ImportedURL(templates.text(entry.url))
        (server, endpoint.path) = (url.base ?? "", url.relativePath)
        url.addRowsAndLogin(to: &endpoint)
        rowsOfURL = endpoint.query.count
        endpoint.query += rows("Query")
        addFields()
        addBody()
        addResponse()
        // The variables that the templates use, and those in their values.
        var pending = templates.used
        while let name = pending.popFirst() {
            guard let value = variables[name], endpoint.variables[name] == nil, templates.captured[name] == nil else { continue }
            endpoint.variables[name] = value
            for case .variable(let inner, _) in Template(value).segments { pending.insert(inner) }
        }
        for (outcome, reason) in templates.notes { note(outcome, reason) }
        return !isSkipped
    }

    private mutating func rows(_ section: String) -> [Parameter] {
        (entry.sections[section] ?? []).map { Parameter(templates.text($0.name), templates.text($0.value)) }
    }

    private mutating func addFields() {
        for row in entry.headers { addField(row.name, row.value, row.place) }
        let cookies = rows("Cookies").map { "\($0.name)=\($0.value)" }
        if !cookies.isEmpty { endpoint.headers.append(Parameter("Cookie", cookies.joined(separator: "; "))) }
        if let login = rows("BasicAuth").first { endpoint.auth = .basic(user: login.name, password: login.value) }
    }

    private mutating func addField(_ name: String, _ written: String, _ place: SourceLocation) {
        let (name, value) = (templates.text(name), templates.text(written))
        if let problem = ImportedHeader.problem(of: name, value) {
            note(.omitted, problem, place)
        } else {
            endpoint.headers.append(Parameter(name, value))
        }
    }

    // MARK: Options

    private mutating func add(_ option: HurlFile.Pair) {
        let value = templates.text(option.value)
        let isOn = value == "true"
        switch option.name {
        case "location": endpoint.redirects = isOn ? redirectLimit : 0
        case "location-trusted":
            if isOn {
                endpoint.redirects = redirectLimit
                note(.changed, "location-trusted: credentials are not sent to other servers", option.place)
            }
        case "max-redirs":
            guard let limit = Int(value) else { break }
            redirectLimit = limit < 0 ? 100 : min(limit, 100)
            if endpoint.redirects != 0 { endpoint.redirects = redirectLimit }
        case "insecure": isInsecure = isOn
        case "compressed", "verbose", "very-verbose", "verbosity": break
        case "http1.0", "http1.1":
            guard isOn else { break }
            endpoint.version = .http1
            if option.name == "http1.0" { note(.changed, "HTTP/1.0 is not supported; HTTP/1.1 is sent", option.place) }
        case "http2": if isOn { endpoint.version = .http2 }
        case "variable": addVariable(option)
        case "header":
            let parts = option.value.split(separator: ":", maxSplits: 1).map(\.trimmingBlanks)
            addField(parts.first ?? "", parts.count == 2 ? parts[1] : "", option.place)
        case "user":
            let parts = value.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            setLogin(user: parts[0], password: parts.count == 2 ? parts[1] : "")
        case "digest", "ntlm", "negotiate": if isOn { setScheme(option.name) }
        case "connect-timeout", "max-time": addLimit(option, value)
        case "retry", "retry-interval", "repeat": addRepetition(option, value)
        case "skip": isSkipped = isOn
        default: note(.omitted, "the option \(option.name): \(ForeignText.short(option.value)) has no counterpart", option.place)
        }
    }

    private mutating func addVariable(_ option: HurlFile.Pair) {
        guard let equals = option.value.firstIndex(of: "=") else {
            return note(.omitted, "variable: \(ForeignText.short(option.value)) has no =", option.place)
        }
        let name = option.value[..<equals].trimmingBlanks
        var value = option.value[option.value.index(after: equals)...].trimmingBlanks
        if value.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") { value = String(value.dropFirst().dropLast()) }
        guard ForeignText.isVariable(name) else { return note(.omitted, "\(name) is not the name of a variable", option.place) }
        variables[name] = templates.text(value)
        templates.captured[name] = nil
    }

    private mutating func setLogin(user: String, password: String) {
        switch endpoint.auth {
        case .digest: endpoint.auth = .digest(user: user, password: password)
        case .ntlm: endpoint.auth = .ntlm(NTLMCredential(user: user, password: password))
        case .negotiate: break
        default: endpoint.auth = .basic(user: user, password: password)
        }
    }

    /// Changes the scheme of the login, which may be written before or after it.
    private mutating func setScheme(_ name: String) {
        var login = (user: "", password: "")
        if case .basic(let user, let password) = endpoint.auth { login = (user, password) }
        switch name {
        case "digest": endpoint.auth = .digest(user: login.user, password: login.password)
        case "ntlm": endpoint.auth = .ntlm(NTLMCredential(user: login.user, password: login.password))
        default: endpoint.auth = .negotiate
        }
    }

    /// A time with its unit; nil for another text.
    private static func duration(_ text: String, unit: String) -> Duration? {
        let digits = text.prefix(while: \.isNumber)
        guard let count = Int(digits), count <= 86_400_000 else { return nil }
        let written = text.dropFirst(digits.count).trimmingBlanks
        return switch written.isEmpty ? unit : written {
        case "ms": .milliseconds(count)
        case "s": .seconds(count)
        case "m": .seconds(count * 60)
        default: nil
        }
    }

    private mutating func addLimit(_ option: HurlFile.Pair, _ value: String) {
        guard let limit = Self.duration(value, unit: "s") else { return note(.omitted, "\(option.name): \(value) is no time", option.place) }
        var limits = endpoint.timeouts ?? Timeouts()
        // 0 is no limit, as for curl.
        if option.name == "max-time" { limits.total = limit > .zero ? limit : nil } else if limit > .zero { limits.connect = limit }
        endpoint.timeouts = limits
    }

    private mutating func addRepetition(_ option: HurlFile.Pair, _ value: String) {
        var retries = retries ?? (0, .seconds(1), option.place)
        switch (option.name, Int(value)) {
        case ("retry", let count?):
            retries.count = count < 0 ? 99 : min(count, 99)
            if count < 0 || count > 99 { note(.changed, "retry: \(count) is at most 99", option.place) }
        case ("retry-interval", _):
            guard let pause = Self.duration(value, unit: "ms") else { return note(.omitted, "retry-interval: \(value) is no time", option.place) }
            retries.every = pause
        case ("repeat", let count?) where (1...WorkspaceLimits.repetitions).contains(count):
            repetitions = count
            return
        default: return note(.omitted, "\(option.name): \(value) has no counterpart", option.place)
        }
        self.retries = retries
    }

    // MARK: Body

    private mutating func addBody() {
        if let (body, place) = entry.body { return set(body, place) }
        // An empty section sends nothing.
        let parts = (entry.sections["Multipart"] ?? []).map { part($0) }
        let form = rows("Form")
        if !parts.isEmpty { endpoint.body = .multipart(parts) } else if !form.isEmpty { endpoint.body = .form(form) }
    }

    /// `name: value`, or `name: file,data.bin; type`.
    private mutating func part(_ row: HurlFile.Pair) -> BodyTemplate.Part {
        let name = templates.text(row.name)
        guard row.value.hasPrefix("file,") else { return BodyTemplate.Part(name: name, value: templates.text(row.value)) }
        let parts = row.value.dropFirst("file,".count).split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false).map(\.trimmingBlanks)
        let type = parts.count == 2 && !parts[1].isEmpty ? parts[1] : nil
        return BodyTemplate.Part(name: name, value: path(parts[0]), isFile: true, contentType: type)
    }

    /// The path of a file, relative to the folder of the source.
    private mutating func path(_ written: String) -> String {
        let path = templates.text(written)
        return FilePath.isAbsolute(path) || folder == "." ? path : FilePath.normalized("\(folder)/\(path)")
    }

    private mutating func set(_ body: HurlFile.Body, _ place: SourceLocation) {
        switch body {
        case .json(let text), .lines(let text, language: "json"):
            let type = endpoint.headers.takeContentType() ?? "application/json"
            endpoint.body = .foreign(templates.text(text, hasEscapes: false), contentType: type)
        case .lines(let text, language: "graphql"): setGraphQL(text, place)
        case .lines(let text, language: "hex"): set(.hex(text), place)
        case .lines(let text, language: "base64"): set(.base64(text), place)
        // Without variables.
        case .lines(let text, language: "raw"), .plain(let text, language: "raw"), .plain(let text, language: ""): setPlain(text, type: nil)
        case .plain(let text, let language): setPlain(text, type: "application/\(language)")
        case .lines(let text, let language): setText(text, type: language == "xml" ? "application/xml" : nil)
        case .text(let text): setText(text, type: text.hasPrefix("<") ? "application/xml" : nil)
        case .file(let written):
            let type = endpoint.headers.takeContentType()
            endpoint.body = .file(path: path(written), contentType: type)
            if type == nil { sendNoType() }
        case .base64(let text):
            guard let data = Data(base64Encoded: text.filter { !$0.isWhitespace }) else {
                return note(.omitted, "the body is not base64", place)
            }
            set(Array(data))
        case .hex(let text):
            let digits = text.filter { !$0.isWhitespace }
            guard let bytes = HexDigits.bytes(digits) else { return note(.omitted, "the body is not hexadecimal", place) }
            set(bytes)
        }
    }

    private mutating func setPlain(_ text: String, type usual: String?) {
        let type = endpoint.headers.takeContentType() ?? usual
        endpoint.body = .text(Template.quoting(text), contentType: type)
        if type == nil { sendNoType() }
    }

    private mutating func set(_ bytes: [UInt8]) {
        let type = endpoint.headers.takeContentType()
        if let text = String(validating: bytes, as: UTF8.self) {
            endpoint.body = .text(Template.quoting(text), contentType: type)
        } else {
            // The path is set with the name of the file.
            (bodyBytes, endpoint.body) = (bytes, .file(path: "", contentType: type))
        }
        if type == nil { sendNoType() }
    }

    private mutating func setText(_ text: String, type: String?) {
        let type = endpoint.headers.takeContentType() ?? type
        endpoint.body = .foreign(templates.text(text, hasEscapes: false), contentType: type)
        if type == nil { sendNoType() }
    }

    /// Without a field, Hurl sends no type.
    private mutating func sendNoType() {
        if !endpoint.headers.contains(where: { $0.name.lowercased() == "content-type" }) { endpoint.removedHeaders = ["Content-Type"] }
    }

    /// A query with its variables after a line `variables`.
    private mutating func setGraphQL(_ text: String, _ place: SourceLocation) {
        _ = endpoint.headers.takeContentType()
        var (query, values) = (text[...], "")
        if let mark = text.firstRange(of: "\nvariables") {
            (query, values) = (text[..<mark.lowerBound], String(text[mark.upperBound...]))
        }
        let body = ImportedBody.graphQL(
            query: templates.text(query.trimmingBlanks, hasEscapes: false), variables: templates.text(values.trimmingBlanks, hasEscapes: false),
            operation: "")
        if body.omitsVariables { note(.omitted, ImportedBody.invalidVariables, place) }
        endpoint.body = body.body
    }

    // MARK: Response and step

    private mutating func addResponse() {
        if let retries, retries.count > 0 {
            // Failures of the connection are repeated by the endpoint, a response by the step.
            var policy = RetryPolicy(limit: retries.count, repeatsAnyMethod: true)
            // The file of an endpoint has no statuses and waits.
            if source.isInPlace { (policy.statuses, policy.base, policy.cap) = ([], retries.every, retries.every) }
            endpoint.retry = policy
        }
        guard let response = entry.response else { return }
        var asserts = HurlAsserts()
        for (reason, place) in asserts.add(response, &templates) { note(.omitted, reason, place) }
        (endpoint.expectation, endpoint.captures) = (asserts.result, asserts.captures)
    }

    /// The step of the entry, which is repeated as its options say.
    ///
    /// Hurl repeats a request until all its asserts hold. The step is repeated while one value differs from that which the only assert of a part of the
    /// JSON requires, or while the status differs from the expected one; the other asserts are made each time.
    mutating func step(named name: String, of id: String) -> RunDefinition.Step {
        var step = RunDefinition.Step(target: id, name: name)
        if repetitions > 1 { step.loop = .forEach(variable: "repetition", .list((1...repetitions).map(String.init))) }
        if let retries, retries.count > 0, step.loop != nil {
            note(.changed, "retry: only a failed connection is repeated, because repeat: repeats the step", retries.place)
        }
        guard let retries, retries.count > 0, step.loop == nil, let expected = endpoint.expectation else { return step }
        var rest = expected
        let values = expected.json.filter { $0.value.hasPrefix("= ") && $0.name != "$" }
        let condition: (path: String, value: String)
        if values.count == 1, let value = values.first {
            condition = (value.name, String(value.value.dropFirst(2)))
            rest.json.removeAll { $0.name == value.name }
        } else if let status = expected.status {
            condition = ("status", String(status))
            rest.statuses = nil
        } else {
            note(.changed, "retry: only a failed connection is repeated, not a response that an assert refuses", retries.place)
            return step
        }
        let others = rest != Expectation()
        let capture = "retried"
        endpoint.captures.append(Capture(name: capture, path: condition.path))
        endpoint.expectation = others ? rest : nil
        step.loop = .repeats(while: [Parameter("\(name).\(capture)", "!= \(condition.value)")], every: retries.every, limit: retries.count + 1)
        let more = others ? "; its other asserts must hold each time" : ""
        note(.changed, "retry: the request is repeated until \(condition.path) is \(condition.value)\(more)", retries.place)
        // The endpoint would repeat the statuses that the step repeats.
        guard !source.isInPlace else { return step }
        endpoint.retry = nil
        note(.omitted, ImportReason("retry: a failed connection is not repeated \(retries.count) times", .retries), retries.place)
        return step
    }
}
