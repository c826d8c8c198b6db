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
    /// The schemas with which values were compared, by their numbers.
    private var schemas: [Int: JSONSchema] = [:]

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
            for problem in contract.problems(ofSchemas: Set(schemas.keys)).prefix(Self.listedProblems) {
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
        let ofPath = ContractText.readings(ofPath: request.url.path, path, of: operation)
        let ofQuery = ContractText.readings(ofQuery: request.url.query ?? "")
        let ofCookies = ContractText.readings(ofCookies: sent.values(of: "Cookie"))
        for parameter in details.parameters {
            switch parameter.location {
            case "path": compare(parameter, ofPath, isInPath: true)
            case "query": compare(parameter, ofQuery)
            case "cookie": compare(parameter, ofCookies)
            default:
                // The body and the authorization determine these fields (OpenAPI 3.1 §4.8.12.1).
                if ContractDetails.ignoredFields.contains(parameter.name.lowercased()) { continue }
                compare(parameter, [ContractText.Reading(pairs: sent.values(of: parameter.name).map { ParameterPair(parameter.name, $0) })])
            }
        }
        if let media = details.query { compare(query: request.url.query, by: media) }
        let (query, cookies) = (ofQuery[0].pairs, ofCookies[0].pairs)
        if !details.hasFreeQuery {
            let known = Set(details.parameters.filter { $0.location == "query" }.map(\.name)).union(details.credentials)
            let unknown = Set(query.map(\.name)).filter { name in !known.contains(name) && !known.contains(String(name.prefix { $0 != "[" })) }
            for name in unknown.sorted().prefix(Self.listed) { add(.skipped, "query \(name)", nil, "not in the description") }
        }
        compareCredentials(sent, query, cookies, details)
        compareBody(of: request, sent, details)
    }

    /// Compares the values of a parameter by the readings of its text, the most likely first.
    private mutating func compare(_ parameter: ContractParameter, _ readings: [ContractText.Reading], isInPath: Bool = false) {
        let text = ContractText(parameter)
        let own = readings.map { reading in ContractText.Reading(pairs: reading.pairs.filter { text.isOwn($0.name) }, isEncoded: reading.isEncoded) }
        guard let first = own.first?.pairs, !first.isEmpty else {
            if parameter.isRequired, !isInPath { add(.failed, parameter.subject, "a value (\(Self.text(parameter.place)))", "nothing") }
            return
        }
        observation?.parameters.insert(parameter.subject)
        guard !first.contains(where: { $0.value?.contains(HeaderField.mask) ?? false }) else { return }
        if parameter.allowsEmpty, first.allSatisfy({ $0.value?.isEmpty ?? true }) { return }
        compare(own.filter { !$0.pairs.isEmpty }.flatMap(text.values), by: parameter.schema, parameter.subject)
    }

    /// Compares the whole query with a media type (`in: querystring` of OpenAPI 3.2).
    private mutating func compare(query: String?, by media: ContractMedia) {
        guard let schema = media.schema else { return }
        guard let query, !query.isEmpty else {
            if media.isRequired { add(.failed, "query string", "a value (\(media.type))", "nothing") }
            return
        }
        guard !PercentEncoding.decode(query).contains(HeaderField.mask) else { return }
        if OpenAPIMedia.isJSON(media.type) {
            compare(Result { () throws(BodyProblem) in try JSONValue(parsing: PercentEncoding.decode(query)) }, by: schema, "query string")
        } else if OpenAPIMedia.isForm(media.type) {
            let pairs = ParameterPair.pairs(of: query, plusIsSpace: true)
            compare(ContractText.objects(of: pairs, media.shape, media.styles), by: schema, "query string")
        }
    }

    /// Compares the values that a text can stand for; one of them has to be valid.
    private mutating func compare(_ candidates: [JSONValue], by schema: Int, _ subject: String, readsBody: Bool = false) {
        compare(candidates, by: schema, subject, readsBody: readsBody) { _ in true }
    }

    private mutating func compare(
        _ candidates: [JSONValue], by schema: Int, _ subject: String, readsBody: Bool = false, _ isCompared: (JSONSchemaFailure) -> Bool
    ) {
        var first: Result<[JSONSchemaFailure], PatternError>?
        for value in candidates {
            let result = failures(of: value, by: schema).map { $0.filter(isCompared) }
            if case .success([]) = result { return }
            first = first ?? result
        }
        if let first { report(first, subject, readsBody: readsBody) }
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
            for field in details.fields { compare(field, [ContractText.Reading(pairs: pairs)]) }
        }
        guard let schema = media.schema else { return }
        if OpenAPIMedia.isJSON(sentType) {
            guard bytes.count <= JSONValue.bodyLimit else { return }
            compare(Result { () throws(BodyProblem) in try JSONValue(parsing: bytes) }, by: schema, "request body")
        } else if OpenAPIMedia.isForm(sentType) {
            let pairs = ParameterPair.pairs(of: String(decoding: bytes, as: UTF8.self), plusIsSpace: true)
            compare(ContractText.objects(of: pairs, media.shape, media.styles), by: schema, "request body")
        } else if sentType == OpenAPIMedia.text, bytes.count <= JSONValue.bodyLimit {
            compare(text: String(decoding: bytes, as: UTF8.self), media, by: schema, "request body")
        }
    }

    /// Compares the parts of a form; the content of files is not compared.
    private mutating func compare(_ form: FormParts, _ media: ContractMedia, _ details: ContractDetails) {
        for field in details.fields + details.files { compare(field, [ContractText.Reading(pairs: form.pairs)]) }
        guard let schema = media.schema else { return }
        compare(ContractText.objects(of: form.pairs, media.shape, media.styles), by: schema, "request body", form.isCompared)
    }

    /// Compares a text with the schema of a scalar; that of an object or a list does not say how it is written.
    private mutating func compare(text: String, _ media: ContractMedia, by schema: Int, _ subject: String, readsBody: Bool = false) {
        guard case .scalar(let type) = media.shape, !text.contains(HeaderField.mask) else { return }
        // A program that writes a line ends it.
        let texts = text.hasSuffix("\n") ? [text, String(text.dropLast())] : [text]
        compare(texts.flatMap { ContractText.scalars($0, type) }, by: schema, subject, readsBody: readsBody)
    }

    /// Compares the presence of credentials; whether they are valid is known to the server.
    private mutating func compareCredentials(_ sent: Headers, _ query: [ParameterPair], _ cookies: [ParameterPair], _ details: ContractDetails) {
        // Without the fields that were sent, it is not known.
        guard details.requiresCredentials, !sent.fields.isEmpty else { return }
        let authorization = sent.values(of: "Authorization")
        func isAuthorized(_ scheme: String) -> Bool {
            // Of a masked field, the scheme may not be known.
            authorization.contains { field in
                let sent = field.prefix { $0 != " " }
                return sent.lowercased() == scheme || scheme.isEmpty || sent.contains(HeaderField.mask)
            }
        }
        func isSent(_ scheme: String) -> Bool {
            let parts = scheme.split(separator: " ", maxSplits: 1).map(String.init)
            let name = parts.count > 1 ? parts[1] : ""
            switch parts.first {
            case "query": return query.contains { $0.name == name }
            case "cookie": return cookies.contains { $0.name == name }
            case "header": return sent.contains(name)
            case "http" where name != "bearer": return isAuthorized(name)
            // RFC 6750 §2.3 permits a bearer token in the query.
            case "http": return isAuthorized(name) || query.contains { $0.name == "access_token" }
            case "oauth2", "openidconnect": return sent.contains("Authorization") || query.contains { $0.name == "access_token" }
            // A certificate is no part of the request.
            default: return true
            }
        }
        let sets = details.credentialSets.map { $0.filter { !$0.contains(" scope ") } }
        guard !sets.contains(where: { $0.allSatisfy(isSent) }) else { return }
        let expected = sets.map { $0.sorted().joined(separator: " and ") }
        // A field without a known scheme may begin with a secret.
        let schemes = authorization.map { field in
            let scheme = field.prefix { $0 != " " }.lowercased()
            return ["basic", "bearer", "digest", "negotiate", "ntlm"].contains(scheme) ? "http \(scheme)" : "another scheme"
        }
        let found = schemes.isEmpty ? "" : "; Authorization has \(schemes.joined(separator: " and "))"
        add(
            .failed, Self.credentials, "\(Set(expected).sorted().joined(separator: " or ")) (\(Self.text(details.place)))\(found)", "nothing")
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
        guard !isHead, ![204, 205, 304].contains(response.status), !known.media.isEmpty else { return }
        let type = response.contentType.map(OpenAPIMedia.name) ?? ""
        guard !response.body.isEmpty else { return compareEmpty(response, type, known) }
        guard let media = known.media.media(ofType: type) else {
            // Examples of Swagger 2.0 do not say that there are no other types.
            guard known.media.contains(where: { $0.schema != nil || !$0.isAssumed }) else { return }
            return add(.failed, "type", "\(Self.types(known.media)) (\(Self.text(known.place)))", type.isEmpty ? "no type" : type)
        }
        observation?.responseType = media.type
        let isText = if case .scalar = media.shape { type == OpenAPIMedia.text } else { false }
        guard let schema = media.schema, OpenAPIMedia.isJSON(type) || isText else { return }
        if let truncation = response.truncation { return add(.skipped, "body", nil, truncation, readsBody: true) }
        guard response.body.count <= JSONValue.bodyLimit else {
            return add(.skipped, "body", nil, "larger than \(ByteCount(JSONValue.bodyLimit).text)", readsBody: true)
        }
        if isText {
            let text = response.utf8Body
            return compare(text: text.string(in: 0..<text.count), media, by: schema, "body", readsBody: true)
        }
        compare(body(), by: schema, "body")
    }

    /// Compares a response without a body with one that has JSON.
    private mutating func compareEmpty(_ response: Response, _ type: String, _ known: ContractResponse) {
        // A range and `default` also describe responses that never have a body.
        let isExact = known.statuses?.count == 1
        let isExpected = known.media.allSatisfy { $0.schema != nil && OpenAPIMedia.isJSON($0.type) }
        // The body of a download is in its file.
        let isNowhere = response.wireBytes == 0 && ["0", nil].contains(response.headers["Content-Length"])
        guard response.truncation == nil, isNowhere,
            type.isEmpty ? isExact && isExpected : OpenAPIMedia.isJSON(type) && known.media.media(ofType: type)?.schema != nil
        else { return }
        add(.failed, "body", "\(Self.types(known.media)) (\(Self.text(known.place)))", "nothing", readsBody: true)
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
        // Many values have the same schema, and other checks use the description, too.
        var used: [Int: JSONSchema] = [:]
        swap(&used, &schemas)
        defer { swap(&used, &schemas) }
        func resolved(_ number: Int) throws(PatternError) -> JSONSchema {
            if let known = used[number] { return known }
            let schema = try contract.schema(number)
            used[number] = schema
            return schema
        }
        do throws(PatternError) {
            return .success(try resolved(schema).failures(in: value, limit: Self.listed + 1, patternSteps: &steps, part: resolved))
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
