internal import SortieBase
package import SortieHTTP

/// A request that is generated from a description.
package struct ContractCase: Sendable {
    /// What the request is for.
    package enum Kind: String, Sendable {
        /// The samples of the description.
        case valid
        /// Values at the limits of their schemas.
        case boundary
        /// One value that the description excludes, or one that is missing.
        case invalid
        /// A valid request without credentials, or with other ones.
        case unauthenticated
        /// A method that the path does not have.
        case method
    }

    /// What the request is for.
    package var kind: Kind
    /// The value that differs from the samples, such as `query limit = 101`.
    package var name: String
    /// The operation.
    package let operation: ContractOperation
    /// The parameters with their values.
    fileprivate var parameters: [(parameter: ContractParameter, value: JSONValue)]
    /// The body and its media type; nil for none.
    fileprivate var body: (value: JSONValue, media: ContractMedia)?
    /// The text of the body that is not the one of its value; nil for none.
    fileprivate var bodyText: String?
    /// Whether the body of the request stays, because values are generated for JSON and forms only.
    fileprivate var keepsBody = false
    /// The names of fields and parameters with credentials, which are removed; nil keeps the credentials.
    fileprivate var removed: Set<String>?
    /// The credentials in place of those that are removed, each a field or a parameter of the query.
    fileprivate var others: [ContractCredential] = []
    /// The required parameter that is missing, which the request has.
    fileprivate var missing: ContractParameter?
    /// The names of the described parameters of the query.
    fileprivate let queryNames: Set<String>

    /// Puts the values into a request of the operation.
    ///
    /// - Parameter base: The path of the server.
    package func apply(to request: inout Request, base: String) {
        var path = operation.path
        let own = Set(parameters.map(\.parameter.name))
        // Parameters of the request that the description does not have, such as keys, stay.
        var query = (request.url.query ?? "").split(separator: "&").map(String.init).filter { pair in
            let name = PercentEncoding.decode(pair.prefix { $0 != "=" })
            return !queryNames.contains(String(name.prefix { $0 != "[" })) && !own.contains(name) && removed?.contains(name) != true
        }
        var (cookies, fields): ([String], [String]) = ([], [])
        func encoded(_ text: String) -> String { PercentEncoding.encode(text, allowed: .unreserved) }
        for (parameter, value) in parameters {
            switch parameter.location {
            case "path": path = path.replacing("{\(parameter.name)}", with: parameter.style.text(of: value, named: parameter.name, encoded))
            case "query":
                if parameter.isJSON {
                    query.append("\(encoded(parameter.name))=\(encoded(value.compactText))")
                } else {
                    query += parameter.style.pairs(of: value, named: parameter.name, encoded).map { "\($0.name)=\($0.value)" }
                }
            case "header": request.headers[parameter.name] = parameter.style.text(of: value, named: parameter.name) { $0 }
            case "formData": fields += parameter.style.pairs(of: value, named: parameter.name, encoded).map { "\($0.name)=\($0.value)" }
            default: cookies += parameter.style.pairs(of: value, named: parameter.name, encoded).map { "\($0.name)=\($0.value)" }
            }
        }
        if let missing, missing.location == "header" { request.headers[missing.name] = nil }
        if let missing, missing.location == "cookie", cookies.isEmpty {
            let others = (request.headers["Cookie"] ?? "").split(separator: ";").map(\.trimmingBlanks).filter { !$0.hasPrefix(missing.name + "=") }
            request.headers["Cookie"] = others.isEmpty ? nil : others.joined(separator: "; ")
        }
        // A request has one such field (RFC 6265 §5.4).
        if !cookies.isEmpty { request.headers["Cookie"] = cookies.joined(separator: "; ") }
        request.url.path = PercentEncoding.encode((base.hasSuffix("/") ? String(base.dropLast()) : base) + path, allowed: .path)
        query += others.filter(\.isInQuery).map { "\(encoded($0.name))=\(encoded($0.value))" }
        request.url.query = query.isEmpty ? nil : query.joined(separator: "&")
        if let body, OpenAPIMedia.isMultipart(body.media.type) {
            let parts = body.media.fields(of: body.value)
            request.body = .multipart(parts.map { RequestBody.Part(name: $0.name, content: .bytes(Array($0.value.utf8))) })
            // The type has the boundary.
            request.headers["Content-Type"] = nil
        } else if let body {
            let form = OpenAPIMedia.isForm(body.media.type) ? body.media.formText(of: body.value) : nil
            request.body = .text(bodyText ?? form ?? body.value.text, contentType: body.media.type)
            request.headers["Content-Type"] = body.media.type
        } else if !fields.isEmpty {
            request.body = .text(fields.joined(separator: "&"), contentType: ContractMedia.form)
            request.headers["Content-Type"] = ContractMedia.form
        } else if !keepsBody {
            request.body = .none
            request.headers["Content-Type"] = nil
        }
        guard let removed else { return }
        request.options.credential = .none
        if removed.contains("Cookie") { request.options.usesCookies = false }
        for name in removed.union(["Authorization"]) { request.headers[name] = nil }
        for field in others where !field.isInQuery { request.headers[field.name] = field.value }
    }

    /// Whether a server has to accept the request, where it is valid: all of it is generated, no part has an empty text, which servers take for a missing one,
    /// and no integer has more than 64 bits.
    package var isCertain: Bool {
        guard !keepsBody else { return false }
        func isEmpty(_ value: JSONValue) -> Bool { [.string(""), .array([]), .object([])].contains(value) }
        func isLarge(_ value: JSONValue) -> Bool {
            switch value {
            case .number(let text): Int64(text) == nil && text.utf8.allSatisfy { ASCII.isDigit($0) || $0 == UInt8(ascii: "-") }
            case .array(let items): items.contains(where: isLarge)
            case .object(let members): members.contains { isLarge($0.value) }
            case .null, .bool, .string: false
            }
        }
        if parameters.contains(where: { isEmpty($0.value) || isLarge($0.value) }) || body.map({ isLarge($0.value) }) == true { return false }
        guard let body, body.media.isText, case .object(let members) = body.value else { return true }
        return !members.contains { isEmpty($0.value) }
    }

    /// The value of a parameter in `path`, `query`, `header` or `cookie`; nil where the case has none.
    func value(of name: String, in location: String) -> JSONValue? {
        parameters.first { $0.parameter.name == name && $0.parameter.location == location }?.value
    }

    /// The JSON of the body; nil without one.
    var bodyValue: JSONValue? { body?.value }

    /// The case without one of its optional parts, for each of them.
    package var smaller: [ContractCase] {
        var result: [ContractCase] = []
        for index in parameters.indices where !parameters[index].parameter.isRequired {
            var copy = self
            copy.parameters.remove(at: index)
            result.append(copy)
        }
        guard case .object(let members)? = body?.value else { return result }
        for index in members.indices {
            var (copy, rest) = (self, members)
            rest.remove(at: index)
            copy.body?.value = .object(rest)
            result.append(copy)
        }
        return result
    }
}

/// Credentials that no server has given.
private struct ContractCredential {
    var name: String
    var value: String
    var isInQuery = false

    /// The credentials of a set of schemes, as ``ContractDetails/credentialSets`` names them; empty where one of them has no text, such as a certificate.
    static func all(for schemes: Set<String>) -> [ContractCredential] {
        var all: [ContractCredential] = []
        for scheme in schemes.sorted() where !scheme.contains(" scope ") {
            let parts = scheme.split(separator: " ", maxSplits: 1).map(String.init)
            switch (parts.first, parts.count > 1 ? parts[1] : "") {
            case ("http", "basic"): all.append(.init(name: "Authorization", value: "Basic c29ydGllOm90aGVy"))
            case ("http", "bearer"), ("oauth2", _), ("openidconnect", _): all.append(.init(name: "Authorization", value: "Bearer sortie-other"))
            case ("header", let name): all.append(.init(name: name, value: "sortie-other"))
            case ("query", let name): all.append(.init(name: name, value: "sortie-other", isInQuery: true))
            case ("cookie", let name): all.append(.init(name: "Cookie", value: "\(name)=sortie-other"))
            default: return []
            }
        }
        return all
    }
}

extension ContractMedia {
    static let form = "application/x-www-form-urlencoded"
    static let multipart = "multipart/form-data"

    /// Whether values are written as text, as in forms.
    fileprivate var isText: Bool { OpenAPIMedia.isForm(type) || OpenAPIMedia.isMultipart(type) }

    /// The fields of a form.
    fileprivate func fields(of value: JSONValue) -> [(name: String, value: String)] {
        guard case .object(let members) = value else { return [] }
        return members.flatMap { OpenAPIStyle.fields(of: $0.value, named: $0.key, styles[$0.key]) }
    }

    /// The text of a form.
    fileprivate func formText(of value: JSONValue) -> String {
        fields(of: value).map { [$0.name, $0.value].map { PercentEncoding.encode($0, allowed: .unreserved) }.joined(separator: "=") }
            .joined(separator: "&")
    }

    /// The values that a server can read from the body.
    fileprivate func received(_ value: JSONValue) -> [JSONValue] {
        guard isText else { return [value] }
        return ContractText.objects(of: fields(of: value).map { ParameterPair($0.name, $0.value) }, shape, styles)
    }
}

/// Generates the requests of an operation from its parameters, its body and its security.
///
/// The variants are those of one value each, followed by combinations of valid ones. Every one is compared with the schema, so that a valid one is valid and
/// an invalid one is not.
package struct ContractCases {
    /// How deep values of a body, and of a parameter, are varied.
    private static let (bodyDepth, parameterDepth) = (4, 2)
    /// The least number of combinations; there are as many as variants of one value.
    private static let leastCombinations = 20

    private let contract: OpenAPIContract
    private let operation: ContractOperation
    private let details: ContractDetails
    private var generator: SplitMix64

    /// - Parameter seed: Chooses among the variants; the same seed gives the same requests.
    package init(of operation: ContractOperation, in contract: OpenAPIContract, seed: UInt64) {
        (self.operation, self.contract) = (operation, contract)
        details = contract.details(of: operation)
        generator = SplitMix64(seed: seed &+ UInt64(operation.index))
    }

    /// The media type for which values are generated: JSON, else a form, also a multipart one without files.
    private var media: ContractMedia? {
        let found =
            details.body.first { OpenAPIMedia.isJSON($0.type) } ?? details.body.first { OpenAPIMedia.isForm($0.type) }
            ?? details.body.first { $0.type == ContractMedia.multipart && !$0.hasTypedParts }
        return found.flatMap { $0.value == nil ? nil : $0 }
    }

    /// The requests, at most `limit`: those of the samples, then variants in random order, then combinations.
    package mutating func cases(limit: Int) -> [ContractCase] {
        let media = media
        let hasFields = !details.fields.isEmpty && details.body.contains { OpenAPIMedia.isForm($0.type) }
        let parameters = details.parameters.filter { !isOfRequest($0) } + (hasFields ? details.fields : [])
        let samples = contract.samples(of: parameters, media)
        let all = zip(parameters, samples.parameters).map { (parameter: $0, value: $1) }
        let required = all.filter(\.parameter.isRequired)
        let body = media.flatMap { media in samples.body.map { (value: $0, media: media) } }
        let queryNames = Set(details.parameters.filter { $0.location == "query" }.map(\.name))
        func valid(_ name: String, _ parameters: [(parameter: ContractParameter, value: JSONValue)]) -> ContractCase {
            ContractCase(kind: .valid, name: name, operation: operation, parameters: parameters, queryNames: queryNames)
        }
        var base = valid("samples of required parts", required)
        base.body = details.requiresBody == true ? body : nil
        base.keepsBody = media == nil && !hasFields && !details.body.isEmpty
        var full = valid("samples of all parts", all)
        (full.body, full.keepsBody) = (body, base.keepsBody)
        var first = [base]
        if required.count < all.count || base.body == nil && body != nil { first.append(full) }
        first += unauthenticated(base)
        guard first.count < limit else { return Array(first.prefix(limit)) }
        var (variants, valids, bodies): ([ContractCase], [String: [JSONValue]], [JSONValue]) = ([], [:], [])
        for (parameter, sample) in all {
            for value in contract.examples(in: parameter.value) where value != sample && isValid(value, parameter) {
                var copy = valid("\(parameter.subject) = \(ContractVariants.shown(value)) (example)", base.parameters)
                (copy.body, copy.keepsBody) = (base.body, base.keepsBody)
                copy.parameters.removeAll { $0.parameter.subject == parameter.subject }
                copy.parameters.append((parameter, value))
                valids[parameter.subject, default: []].append(value)
                first.append(copy)
            }
            for variant in self.variants(of: parameter, sample) {
                var copy = base
                (copy.kind, copy.name) = (variant.kind, "\(parameter.subject) \(variant.name)")
                copy.parameters.removeAll { $0.parameter.subject == parameter.subject }
                if let value = variant.value { copy.parameters.append((parameter, value)) } else { copy.missing = parameter }
                if let value = variant.value, variant.kind != .invalid { valids[parameter.subject, default: []].append(value) }
                variants.append(copy)
            }
        }
        if let media, let body {
            for value in media.value.map(contract.examples) ?? [] where value != body.value {
                guard let schema = media.schema, media.received(value).contains(where: { contract.isValid($0, by: schema) == true }) else { continue }
                var copy = valid("body = \(ContractVariants.shown(value)) (example)", base.parameters)
                copy.body = (value, media)
                bodies.append(value)
                first.append(copy)
            }
            for variant in self.bodies(media, body.value) {
                var copy = base
                (copy.kind, copy.name) = (variant.kind, "body \(variant.name)")
                copy.body = variant.value.map { ($0, media) }
                if let value = variant.value, variant.kind != .invalid { bodies.append(value) }
                variants.append(copy)
            }
            if OpenAPIMedia.isJSON(media.type) {
                var copy = base
                (copy.kind, copy.name, copy.body, copy.bodyText) = (.invalid, "body = { (not JSON)", body, "{")
                variants.append(copy)
            }
        }
        first += variants.shuffled(using: &generator)
        let count = min(limit - first.count, max(Self.leastCombinations, variants.count))
        return Array(first.prefix(limit)) + combinations(of: full, valids, bodies, count: count)
    }

    /// Valid requests with several values that differ from the samples, each with some of the optional parts.
    private mutating func combinations(of full: ContractCase, _ values: [String: [JSONValue]], _ bodies: [JSONValue], count: Int) -> [ContractCase] {
        guard count > 0, full.parameters.count(where: { values[$0.parameter.subject] != nil }) + (bodies.isEmpty ? 0 : 1) > 1 else { return [] }
        var found: [ContractCase] = []
        var known: Set<String> = []
        for _ in 0..<count * 2 where found.count < count {
            var item = full
            var changed: [String] = []
            item.parameters = []
            for (parameter, sample) in full.parameters where parameter.isRequired || Int.random(in: 0..<4, using: &generator) > 0 {
                var value = sample
                if let other = values[parameter.subject]?.randomElement(using: &generator), Int.random(in: 0..<4, using: &generator) > 0 {
                    value = other
                    changed.append("\(parameter.subject) = \(ContractVariants.shown(value))")
                }
                item.parameters.append((parameter, value))
            }
            if let media = full.body?.media {
                if details.requiresBody != true, Int.random(in: 0..<4, using: &generator) == 0 {
                    item.body = nil
                } else if let value = bodies.randomElement(using: &generator), Int.random(in: 0..<4, using: &generator) > 0 {
                    changed.append("body = \(ContractVariants.shown(value))")
                    item.body = (value, media)
                }
            }
            guard changed.count > 1 else { continue }
            item.kind = .boundary
            item.name = changed.joined(separator: ", ")
            if known.insert(item.name).inserted { found.append(item) }
        }
        return found
    }

    /// Requests without credentials, and with ones that no server has given.
    private func unauthenticated(_ base: ContractCase) -> [ContractCase] {
        // The certificate of a client is part of the connection.
        guard details.requiresCredentials, !details.credentialSets.contains(where: { $0.contains("mutualtls") }) else { return [] }
        let isInCookie = details.credentialSets.contains { $0.contains { $0.hasPrefix("cookie ") } }
        var open = base
        (open.kind, open.name) = (.unauthenticated, "no credentials")
        open.removed = details.credentials.union(details.credentialFields).union(isInCookie ? ["Cookie"] : [])
        var other = open
        (other.name, other.others) = ("other credentials", details.credentialSets.first.map(ContractCredential.all) ?? [])
        return other.others.isEmpty ? [open] : [open, other]
    }

    /// The request of the samples of required parts, with values in place of those of parameters.
    ///
    /// - Parameter values: By the names of parameters; those of other names are not used.
    package mutating func request(with values: [String: JSONValue]) -> ContractCase? {
        guard var item = cases(limit: 1).first else { return nil }
        item.name = "values of an earlier response"
        if item.body == nil, let media { item.body = contract.samples(of: [], media).body.map { ($0, media) } }
        item.parameters.removeAll { values[$0.parameter.name] != nil }
        item.parameters += details.parameters.compactMap { parameter in values[parameter.name].map { (parameter, $0) } }
        return item
    }

    /// A request of another method, with the samples of required parts; TRACE has no credentials and no cookies (RFC 9110 §9.3.8).
    package mutating func request(of method: HTTPMethod) -> ContractCase? {
        guard var item = cases(limit: 1).first else { return nil }
        (item.kind, item.name) = (.method, "a method that the path does not have")
        item.keepsBody = false
        if !["POST", "PUT", "PATCH"].contains(method.rawValue) { item.body = nil }
        if method.rawValue == "TRACE" { item.removed = details.credentials.union(details.credentialFields).union(["Cookie"]) }
        return item
    }

    /// Whether the request has the value: credentials, and fields that its body and its authentication determine (OpenAPI 3.1 §4.8.12.1).
    private func isOfRequest(_ parameter: ContractParameter) -> Bool {
        switch parameter.location {
        case "query": details.credentials.contains(parameter.name)
        case "header":
            (details.credentialFields.map { $0.lowercased() } + ContractDetails.ignoredFields).contains(parameter.name.lowercased())
        default: false
        }
    }

    // MARK: Variants

    private func variants(of parameter: ContractParameter, _ sample: JSONValue) -> [(value: JSONValue?, kind: ContractCase.Kind, name: String)] {
        let all = contract.variants(of: parameter.schema, sample, depth: Self.parameterDepth, isText: true)
        var known: Set<String> = []
        var found = all.compactMap { variant -> (value: JSONValue?, kind: ContractCase.Kind, name: String)? in
            // A path needs a text in each place, and a text is what its type can be read from.
            let text = parameter.style.text(of: variant.value, named: parameter.name) { $0 }
            if parameter.location == "path", text.isEmpty || text.contains("/") { return nil }
            if parameter.location == "header", text.isEmpty || HeaderField(parameter.name, text).problem != nil { return nil }
            if parameter.location == "cookie", text.isEmpty { return nil }
            guard let kind = variant.kind(isValid: isValid(variant.value, parameter)), known.insert(variant.value.compactText).inserted
            else { return nil }
            return (variant.value, kind, variant.name)
        }
        if parameter.isRequired, parameter.location != "path" { found.append((nil, .invalid, "is missing")) }
        return found
    }

    /// Whether the text of a value is valid.
    private func isValid(_ value: JSONValue, _ parameter: ContractParameter) -> Bool {
        let pairs =
            parameter.isPair
            ? parameter.style.pairs(of: value, named: parameter.name) { $0 }.map { ParameterPair($0.name, $0.value) }
            : [ParameterPair(parameter.name, parameter.style.text(of: value, named: parameter.name) { $0 })]
        let text = ContractText(parameter)
        // Other names of an object whose members are parameters belong to no parameter.
        return text.values(of: pairs.filter { text.isOwn($0.name) }).contains { contract.isValid($0, by: parameter.schema) == true }
    }

    private func bodies(_ media: ContractMedia, _ sample: JSONValue) -> [(value: JSONValue?, kind: ContractCase.Kind, name: String)] {
        guard let schema = media.schema else { return [] }
        let all = contract.variants(of: schema, sample, depth: Self.bodyDepth, isText: media.isText)
        var known: Set<String> = []
        var found = all.compactMap { variant -> (value: JSONValue?, kind: ContractCase.Kind, name: String)? in
            let results = media.received(variant.value).map { contract.isValid($0, by: schema) }
            guard let kind = (results.contains(true) ? true : results[0]).flatMap(variant.kind(isValid:)),
                known.insert(variant.value.compactText).inserted
            else { return nil }
            return (variant.value, kind, variant.name)
        }
        if details.requiresBody == true { found.append((nil, .invalid, "is missing")) }
        return found
    }
}

extension OpenAPIContract {
    /// Values of parameters and of a body, by their examples and schemas.
    fileprivate func samples(of parameters: [ContractParameter], _ media: ContractMedia?) -> (parameters: [JSONValue], body: JSONValue?) {
        withParts { parts in
            func sample(_ value: OpenAPIValue) -> JSONValue {
                var sample = OpenAPISample(parts.reader)
                let schema = value["content"]?.members.first?.value["schema"] ?? value["schema"] ?? value
                return OpenAPISample.example(in: value, parts.reader) ?? sample.value(for: schema) ?? .string("1")
            }
            return (parameters.map { sample($0.value) }, media?.value.map(sample))
        }
    }

    /// The values of all examples of a parameter or of a media type, and of its schema, each once.
    fileprivate func examples(in value: OpenAPIValue) -> [JSONValue] {
        withParts { parts in
            let schema = value["content"]?.members.first?.value["schema"] ?? value["schema"] ?? value
            var known: Set<JSONValue> = []
            let all = [value, parts.reader.resolved(schema) ?? schema].flatMap { OpenAPISample.examples(in: $0, parts.reader) }
            return all.filter { known.insert($0).inserted }
        }
    }

    /// Whether a value is valid; nil where that cannot be determined.
    func isValid(_ value: JSONValue, by number: Int) -> Bool? {
        var steps = TextPattern.maximumSteps
        do throws(PatternError) {
            return try schema(number).failures(in: value, limit: 1, patternSteps: &steps) { (number) throws(PatternError) in
                try self.schema(number)
            }.isEmpty
        } catch { return nil }
    }

    /// The variants of a value by its schema.
    fileprivate func variants(of number: Int, _ sample: JSONValue, depth: Int, isText: Bool) -> [ContractVariant] {
        withParts { parts in ContractVariants(reader: parts.reader, isText: isText).variants(of: parts.value(number), sample, depth) }
    }
}
