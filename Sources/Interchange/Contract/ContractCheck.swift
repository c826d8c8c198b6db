package import SortieBase
package import SortieHTTP
internal import WorkspaceModel

/// The comparison of one exchange with a description.
package struct ContractCheck: Sendable {
    /// The parts of a description that an exchange used.
    package struct Observation: Hashable, Sendable {
        /// The position of the operation.
        package var operation: Int
        /// The parameters that were sent, such as `query limit`.
        package var parameters: Set<String> = []
        /// The media type of the body that was sent.
        package var requestType: String?
        /// The key of the response: `200`, `2XX` or `default`.
        package var response: String?
        /// The media type of the response.
        package var responseType: String?
    }

    /// The subject of the check of credentials.
    package static let credentials = "credentials"

    /// The most failures of one value that are listed.
    private static let listed = 20
    /// The most mistakes of schemas that are listed.
    private static let listedProblems = 5

    /// The operation of the request; nil where the description has none.
    package private(set) var operation: ContractOperation?
    /// What the exchange has used; nil without an operation.
    package private(set) var observation: Observation?
    /// The failures, and what was not compared; one check that passed where there is neither.
    package private(set) var checks: [ExchangeCheck] = []
    private let contract: OpenAPIContract
    private var steps = TextPattern.maximumSteps
    /// The numbers of the schemas with which values were compared.
    private var schemas: Set<Int> = []

    /// Compares an exchange.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - comparesRequest: Whether the request is compared, too; otherwise only its response.
    ///   - sent: The header fields that were sent.
    ///   - response: The response; nil compares only the request.
    ///   - bases: The paths of the servers of the service.
    ///   - body: The body of the response as JSON, which is read at most once.
    package init(
        _ contract: OpenAPIContract, _ request: Request, sent: Headers, _ response: Response?, bases: [String] = [],
        comparesRequest: Bool = true, body: () -> Result<JSONValue, BodyProblem>
    ) {
        self.contract = contract
        switch contract.match(request.method.rawValue, path: request.url.path, bases: bases) {
        case .nothing: add(.failed, "request", "an operation of \(contract.name)", "\(request.method) \(request.url.path)")
        case .methods(let methods): add(.failed, "request", methods.joined(separator: " or "), "\(request.method) \(request.url.path)")
        case .operation(let operation, let path):
            self.operation = operation
            observation = Observation(operation: operation.index)
            let details = contract.details(of: operation)
            if comparesRequest { compare(request, sent, path, operation, details) }
            if let response { compare(response, details, isHead: request.method == .head, body) }
            for problem in contract.problems(ofSchemas: schemas).prefix(Self.listedProblems) {
                add(.skipped, "schema", nil, "\(problem.message) (\(Self.text(problem.location)))")
            }
            guard checks.isEmpty else { return }
            add(.passed, operation.name, nil, "as described in \(contract.name)")
        }
    }

    private mutating func add(_ outcome: ExchangeCheck.Outcome, _ subject: String, _ expected: String?, _ actual: String, readsBody: Bool = false) {
        checks.append(ExchangeCheck(.contract, outcome, subject: subject, expected: expected, actual: actual, readsBody: readsBody))
    }

    // MARK: Requests

    private mutating func compare(_ request: Request, _ sent: Headers, _ path: [String], _ operation: ContractOperation, _ details: ContractDetails) {
        let ofPath = operation.pathValues(in: path)
        let query = ParameterPair.pairs(of: request.url.query ?? "")
        // Most servers read + as a space, which RFC 3986 does not say.
        let spaced = request.url.query.flatMap { $0.contains("+") ? ParameterPair.pairs(of: $0, plusIsSpace: true) : nil }
        let cookies = sent.values(of: "Cookie").flatMap { $0.split(separator: ";") }.map { pair -> ParameterPair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(\.trimmingBlanks)
            return ParameterPair(String(parts.first ?? ""), parts.count > 1 ? String(parts[1]) : "")
        }
        for parameter in details.parameters {
            switch parameter.location {
            case "path": compare(parameter, ofPath[parameter.name].map { [ParameterPair(parameter.name, $0)] } ?? [], isInPath: true)
            case "query": compare(parameter, query, orPairs: spaced)
            case "cookie": compare(parameter, cookies)
            default:
                // The body and the authorization determine these fields (OpenAPI 3.1 §4.8.12.1).
                if ContractDetails.ignoredFields.contains(parameter.name.lowercased()) { continue }
                compare(parameter, sent.values(of: parameter.name).map { ParameterPair(parameter.name, $0) })
            }
        }
        if !details.hasFreeQuery {
            let known = Set(details.parameters.filter { $0.location == "query" }.map(\.name)).union(details.credentials)
            let unknown = Set(query.map(\.name)).filter { name in !known.contains(name) && !known.contains(String(name.prefix { $0 != "[" })) }
            for name in unknown.sorted().prefix(Self.listed) { add(.skipped, "query \(name)", nil, "not in the description") }
        }
        compareCredentials(sent, query, cookies, details)
        compareBody(of: request, sent, details)
    }

    /// Compares the values of a parameter; `others` is another reading of its text.
    private mutating func compare(
        _ parameter: ContractParameter, _ pairs: [ParameterPair], orPairs others: [ParameterPair]? = nil, isInPath: Bool = false
    ) {
        let text = ContractText(parameter)
        let own = pairs.filter { text.isOwn($0.name) }
        guard !own.isEmpty else {
            if parameter.isRequired, !isInPath { add(.failed, parameter.subject, "a value (\(Self.text(parameter.place)))", "nothing") }
            return
        }
        observation?.parameters.insert(parameter.subject)
        guard !own.contains(where: { $0.value?.contains(HeaderField.mask) ?? false }) else { return }
        if parameter.allowsEmpty, own.allSatisfy({ $0.value?.isEmpty ?? true }) { return }
        let other = others?.filter { text.isOwn($0.name) } ?? []
        compare(text.values(of: own) + (other.isEmpty ? [] : text.values(of: other)), by: parameter.schema, parameter.subject)
    }

    /// Compares the values that a text can stand for; one of them has to be valid.
    private mutating func compare(_ candidates: [JSONValue], by schema: Int, _ subject: String) {
        var first: Result<[JSONSchemaFailure], PatternError>?
        for value in candidates {
            let result = failures(of: value, by: schema)
            if case .success([]) = result { return }
            first = first ?? result
        }
        if let first { report(first, subject, readsBody: false) }
    }

    private mutating func compareBody(of request: Request, _ sent: Headers, _ details: ContractDetails) {
        guard !details.body.isEmpty else { return }
        let type = sent["Content-Type"] ?? request.body.contentType
        if case .none = request.body {
            if details.requiresBody == true { add(.failed, "request body", "a body (\(Self.types(details.body)))", "nothing") }
            return
        }
        let isMultipart = if case .multipart = request.body { true } else { false }
        let sentType = type.map(OpenAPIMedia.name) ?? (isMultipart ? "multipart/form-data" : "")
        guard let media = details.body.media(ofType: sentType) else {
            return add(.failed, "request type", Self.types(details.body), sentType.isEmpty ? "no type" : sentType)
        }
        observation?.requestType = media.type
        if case .multipart(let parts) = request.body { return compare(FormParts(parts), media, details) }
        guard case .bytes(let bytes, _) = request.body else { return }
        if OpenAPIMedia.isMultipart(sentType) {
            guard bytes.count <= JSONValue.bodyLimit, let form = type.flatMap({ FormParts(bytes, type: $0) }) else { return }
            return compare(form, media, details)
        }
        if !details.fields.isEmpty, OpenAPIMedia.isForm(sentType) {
            let pairs = ParameterPair.pairs(of: String(decoding: bytes, as: UTF8.self), plusIsSpace: true)
            for field in details.fields { compare(field, pairs) }
        }
        guard let schema = media.schema else { return }
        if OpenAPIMedia.isJSON(sentType) {
            guard bytes.count <= JSONValue.bodyLimit else { return }
            compare(Result { () throws(BodyProblem) in try JSONValue(parsing: bytes) }, by: schema, "request body")
        } else if OpenAPIMedia.isForm(sentType) {
            let pairs = ParameterPair.pairs(of: String(decoding: bytes, as: UTF8.self), plusIsSpace: true)
            compare([ContractText.object(of: pairs, media.shape, media.styles)], by: schema, "request body")
        }
    }

    /// Compares the parts of a form; the content of files is not compared.
    private mutating func compare(_ form: FormParts, _ media: ContractMedia, _ details: ContractDetails) {
        for field in details.fields + details.files { compare(field, form.pairs) }
        guard let schema = media.schema else { return }
        let result = failures(of: ContractText.object(of: form.pairs, media.shape, media.styles), by: schema)
        report(result.map { $0.filter(form.isCompared) }, "request body", readsBody: false)
    }

    /// Compares the presence of credentials; whether they are valid is known to the server.
    private mutating func compareCredentials(_ sent: Headers, _ query: [ParameterPair], _ cookies: [ParameterPair], _ details: ContractDetails) {
        // Without the fields that were sent, it is not known.
        guard details.requiresCredentials, !sent.fields.isEmpty else { return }
        func isSent(_ scheme: String) -> Bool {
            let parts = scheme.split(separator: " ", maxSplits: 1).map(String.init)
            let name = parts.count > 1 ? parts[1] : ""
            switch parts.first {
            case "query": return query.contains { $0.name == name }
            case "cookie": return cookies.contains { $0.name == name }
            case "header": return sent.contains(name)
            // RFC 6750 §2.3 permits a bearer token in the query.
            case "http", "oauth2", "openidconnect": return sent.contains("Authorization") || query.contains { $0.name == "access_token" }
            // A certificate is no part of the request.
            default: return true
            }
        }
        let sets = details.credentialSets.map { $0.filter { !$0.contains(" scope ") } }
        guard !sets.contains(where: { $0.allSatisfy(isSent) }) else { return }
        let expected = sets.map { $0.sorted().joined(separator: " and ") }
        add(.failed, Self.credentials, "\(Set(expected).sorted().joined(separator: " or ")) (\(Self.text(details.place)))", "nothing")
    }

    // MARK: Responses

    private mutating func compare(_ response: Response, _ details: ContractDetails, isHead: Bool, _ body: () -> Result<JSONValue, BodyProblem>) {
        let matching = details.responses.filter { $0.statuses?.contains(response.status) ?? true }
        let known = matching.min { ($0.statuses?.count ?? .max) < ($1.statuses?.count ?? .max) }
        guard let known else {
            let keys = details.responses.map(\.key).joined(separator: ", ")
            return add(.failed, "status", "\(keys.isEmpty ? "a response" : keys) (\(Self.text(details.place)))", String(response.status))
        }
        observation?.response = known.key
        for header in known.headers {
            let values = response.headers.values(of: header.name)
            guard !values.isEmpty else {
                if header.isRequired { add(.failed, "header \(header.name)", "a value (\(Self.text(header.place)))", "nothing") }
                continue
            }
            guard !values.contains(where: { $0.contains(HeaderField.mask) }) else { continue }
            let text = ContractText(header)
            compare(text.values(of: values.map { ParameterPair(header.name, $0) }), by: header.schema, "header \(header.name)")
        }
        guard !isHead, ![204, 304].contains(response.status), !response.body.isEmpty, !known.media.isEmpty else { return }
        let type = response.contentType.map(OpenAPIMedia.name) ?? ""
        guard let media = known.media.media(ofType: type) else {
            // Examples of Swagger 2.0 do not say that there are no other types.
            guard known.media.contains(where: { $0.schema != nil || !$0.isAssumed }) else { return }
            return add(.failed, "type", "\(Self.types(known.media)) (\(Self.text(known.place)))", type.isEmpty ? "no type" : type)
        }
        observation?.responseType = media.type
        guard let schema = media.schema, OpenAPIMedia.isJSON(type) else { return }
        if let truncation = response.truncation { return add(.skipped, "body", nil, truncation, readsBody: true) }
        guard response.body.count <= JSONValue.bodyLimit else {
            return add(.skipped, "body", nil, "larger than \(ByteCount(JSONValue.bodyLimit).text)", readsBody: true)
        }
        compare(body(), by: schema, "body")
    }

    private mutating func compare(_ body: Result<JSONValue, BodyProblem>, by schema: Int, _ subject: String) {
        let value: JSONValue
        do throws(BodyProblem) { value = try body.get() } catch { return add(.failed, subject, "JSON", "\(error)", readsBody: true) }
        let result = failures(of: value, by: schema)
        report(result, subject, readsBody: true)
        guard case .success([]) = result else { return }
        for path in contract.undescribedMembers(of: value, by: schema, limit: Self.listed) {
            add(.skipped, "\(subject) \(path)", nil, "not in the description", readsBody: true)
        }
    }

    // MARK: Schemas

    private mutating func failures(of value: JSONValue, by schema: Int) -> Result<[JSONSchemaFailure], PatternError> {
        let contract = contract
        var used: Set<Int> = [schema]
        defer { schemas.formUnion(used) }
        do throws(PatternError) {
            let failures = try contract.schema(schema).failures(in: value, limit: Self.listed + 1, patternSteps: &steps) {
                (number) throws(PatternError) in
                used.insert(number)
                return try contract.schema(number)
            }
            return .success(failures)
        } catch { return .failure(error) }
    }

    private mutating func report(_ result: Result<[JSONSchemaFailure], PatternError>, _ subject: String, readsBody: Bool) {
        switch result {
        case .failure(let error): add(.skipped, subject, nil, error.message, readsBody: readsBody)
        case .success(let failures):
            for failure in failures.prefix(Self.listed).map(\.withoutSecret) {
                let place = failure.comment.map { " (\($0))" } ?? ""
                let isRoot = failure.path.steps.isEmpty && !readsBody
                add(
                    .failed, isRoot ? subject : "\(subject) \(failure.path)", "\(failure.keyword): \(failure.expected)\(place)", failure.actual,
                    readsBody: readsBody)
            }
            if failures.count > Self.listed {
                add(.failed, subject, "\(Self.listed) failures at most", "more than the failures that are listed", readsBody: readsBody)
            }
        }
    }

    // MARK: Media types

    private static func types(_ media: [ContractMedia]) -> String { media.map(\.type).joined(separator: " or ") }

    private static func text(_ place: SourceLocation) -> String { "\(place.file):\(place.line)" }
}

/// The text of a parameter, a field or a form as the values that it can stand for (the reverse of ``OpenAPIStyle``).
struct ContractText {
    private let parameter: ContractParameter

    init(_ parameter: ContractParameter) { self.parameter = parameter }

    /// Whether a pair belongs to the parameter.
    func isOwn(_ name: String) -> Bool {
        if name == parameter.name || parameter.location == "header" { return true }
        if parameter.style.name == "deepObject" { return name.hasPrefix(parameter.name + "[") }
        guard case .object(let types) = parameter.shape, parameter.style.explodes, parameter.location != "path" else { return false }
        return types[name] != nil
    }

    /// The values that the pairs of the parameter can stand for, the most likely first.
    func values(of pairs: [ParameterPair]) -> [JSONValue] {
        // Fields of one name are a list (RFC 9110 §5.3).
        let first = parameter.location == "header" ? pairs.compactMap(\.value).joined(separator: ",") : pairs.first?.value ?? ""
        if parameter.isJSON {
            return [JSONValue(ifValid: first) ?? .string(first)]
        }
        let text = withoutPrefix(first)
        let isMatrix = parameter.location == "path" && parameter.style.name == "matrix" && parameter.style.explodes
        switch parameter.shape {
        case .scalar(let type): return Self.scalars(text, type)
        case .array(let type):
            let repeats = parameter.style.explodes && parameter.isPair
            let texts =
                repeats
                ? pairs.map { $0.value ?? "" }
                : isMatrix ? first.split(separator: ";").map { String($0.drop { $0 != "=" }.dropFirst()) } : parts(text)
            return [.array(texts.map { Self.item($0, type, parameter.style) })]
        case .object:
            if parameter.style.name == "deepObject" {
                let members = pairs.map {
                    ParameterPair(String($0.name.dropFirst(parameter.name.count).drop { $0 == "[" }.prefix { $0 != "]" }), $0.value)
                }
                return [Self.object(of: members, parameter.shape)]
            }
            if parameter.isPair, parameter.style.explodes { return [Self.object(of: pairs, parameter.shape)] }
            let parts = isMatrix ? first.split(separator: ";").map(String.init) : parts(text, keepsEmpty: true)
            let members =
                parameter.style.explodes
                ? parts.map { part in ParameterPair(String(part.prefix { $0 != "=" }), String(part.drop { $0 != "=" }.dropFirst())) }
                : stride(from: 0, to: parts.count - 1, by: 2).map { ParameterPair(parts[$0], parts[$0 + 1]) }
            return [Self.object(of: members, parameter.shape)]
        }
    }

    private func withoutPrefix(_ text: String) -> String {
        let prefix = parameter.style.prefix(for: parameter.name)
        return parameter.location == "path" && text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text
    }

    private func parts(_ text: String, keepsEmpty: Bool = false) -> [String] {
        let parts = text.split(separator: Self.separator(parameter.style), omittingEmptySubsequences: !keepsEmpty)
        // Blanks around the items of a field are no part of them (RFC 9110 §5.6.1).
        return parts.map { parameter.location == "header" ? $0.trimmingBlanks : String($0) }
    }

    private static func separator(_ style: OpenAPIStyle) -> Character {
        switch style.name {
        case "spaceDelimited": " "
        case "tabDelimited": "\t"
        case "pipeDelimited": "|"
        case "label" where style.explodes: "."
        default: ","
        }
    }

    /// The object of a form; a name that occurs several times is an array.
    ///
    /// - Parameter styles: The styles of the properties that have one.
    static func object(of pairs: [ParameterPair], _ shape: ContractShape, _ styles: [String: OpenAPIStyle] = [:]) -> JSONValue {
        let shapes: [String: ContractShape] = if case .object(let shapes) = shape { shapes } else { [:] }
        var names: [String] = []
        var texts: [String: [String]] = [:]
        var members: [String: [ParameterPair]] = [:]
        for pair in pairs {
            var name = pair.name
            let start = String(name.prefix { $0 != "[" })
            if start != name, styles[start]?.name == "deepObject" {
                members[start, default: []].append(ParameterPair(String(name.dropFirst(start.count + 1).prefix { $0 != "]" }), pair.value))
                name = start
            } else {
                texts[name, default: []].append(pair.value ?? "")
            }
            if !names.contains(name) { names.append(name) }
        }
        return .object(
            names.map { name in
                if let members = members[name] { return .init(name, object(of: members, shapes[name] ?? .scalar(nil))) }
                return .init(name, value(of: texts[name] ?? [], shapes[name], styles[name]))
            })
    }

    /// The value of the texts of one field of a form.
    private static func value(of texts: [String], _ shape: ContractShape?, _ style: OpenAPIStyle?) -> JSONValue {
        func value(_ text: String, _ type: String?) -> JSONValue { item(text, type, style) }
        switch shape {
        case .array(let type)?:
            guard let style, !style.explodes, texts.count == 1 else { return .array(texts.map { value($0, type) }) }
            return .array(texts[0].split(separator: separator(style)).map { value(String($0), type) })
        case .object?:
            // Objects are JSON (OpenAPI 3.1 §4.8.14.3).
            let parsed = Result { () throws(BodyProblem) in try JSONValue(parsing: texts.first ?? "") }
            if texts.count == 1, case .success(let value) = parsed { return value }
            return texts.count == 1 ? .string(texts[0]) : .array(texts.map(JSONValue.string))
        case .scalar(let type)?: return texts.count == 1 ? value(texts[0], type) : .array(texts.map { value($0, type) })
        case nil: return texts.count == 1 ? .string(texts[0]) : .array(texts.map(JSONValue.string))
        }
    }

    /// The value of an item of an array, which may be an array itself.
    private static func item(_ text: String, _ type: String?, _ style: OpenAPIStyle?) -> JSONValue {
        func scalar(_ text: String, _ type: String?) -> JSONValue { scalars(text, type).first ?? .string(text) }
        guard let style, type == "array", !style.nested.isEmpty else { return scalar(text, type) }
        return style.value(ofItem: text) { scalar($0, $1) }
    }

    /// The values of a text by its type; without a type, all that it can be.
    private static func scalars(_ text: String, _ type: String?) -> [JSONValue] {
        let number: JSONValue? = JSONDecimal(parsing: text) == nil ? nil : .number(text)
        let bool: JSONValue? = text == "true" ? true : text == "false" ? false : nil
        switch type {
        case "string": return [.string(text)]
        // A server reads the digits of an integer; 1e1 and 1.0 are integers in JSON only.
        case "integer": return [text.drop { "+-".contains($0) }.utf8.allSatisfy(ASCII.isDigit) ? number ?? .string(text) : .string(text)]
        case "number": return [number ?? .string(text)]
        case "boolean": return [bool ?? .string(text)]
        default: return [.string(text)] + [number, bool].compactMap(\.self)
        }
    }
}
