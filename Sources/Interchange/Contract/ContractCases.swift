internal import SortieBase
package import SortieHTTP

/// A request that is generated from a description.
package struct ContractCase: Sendable {
    /// What the request is for.
    package enum Kind: String, Sendable {
        /// The samples of the description.
        case valid
        /// One value at a limit of its schema.
        case boundary
        /// One value that the description excludes, or one that is missing.
        case invalid
        /// A valid request without credentials.
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
    fileprivate var body: (value: JSONValue, type: String)?
    /// Whether the body of the request stays, because values are generated for JSON only.
    fileprivate var keepsBody = false
    /// The names of fields and parameters with credentials, which are removed; nil keeps the credentials.
    fileprivate var removed: Set<String>?
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
        var cookies: [String] = []
        for (parameter, value) in parameters {
            func encoded(_ text: String) -> String { PercentEncoding.encode(text, allowed: .unreserved) }
            switch parameter.location {
            case "path": path = path.replacing("{\(parameter.name)}", with: parameter.style.text(of: value, named: parameter.name, encoded))
            case "query":
                if parameter.isJSON {
                    query.append("\(encoded(parameter.name))=\(encoded(value.compactText))")
                } else {
                    query += parameter.style.pairs(of: value, named: parameter.name, encoded).map { "\($0.name)=\($0.value)" }
                }
            case "header": request.headers[parameter.name] = parameter.style.text(of: value, named: parameter.name) { $0 }
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
        request.url.query = query.isEmpty ? nil : query.joined(separator: "&")
        if let body {
            request.body = .text(body.value.text, contentType: body.type)
            request.headers["Content-Type"] = body.type
        } else if !keepsBody {
            request.body = .none
            request.headers["Content-Type"] = nil
        }
        guard let removed else { return }
        request.options.credential = .none
        for name in removed.union(["Authorization"]) { request.headers[name] = nil }
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

/// A value that a case sends in place of a sample; nil for a part that is missing.
private typealias ContractVariant = (value: JSONValue?, kind: ContractCase.Kind, name: String)

/// Generates the requests of an operation from its parameters, its body and its security.
///
/// The variants are those of one value each. Every one is compared with the schema, so that a valid one is valid and an invalid one is not.
package struct ContractCases {
    private static let depth = 3

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

    /// The requests, at most `limit`: those of the samples, then variants in random order.
    package mutating func cases(limit: Int) -> [ContractCase] {
        let media = details.body.first { OpenAPIMedia.isJSON($0.type) }
        let parameters = details.parameters.filter { !isOfRequest($0) }
        let samples = contract.samples(of: parameters, media)
        let all = zip(parameters, samples.parameters).map { (parameter: $0, value: $1) }
        let required = all.filter(\.parameter.isRequired)
        let body = media.flatMap { media in samples.body.map { (value: $0, type: media.type) } }
        let queryNames = Set(details.parameters.filter { $0.location == "query" }.map(\.name))
        func valid(_ name: String, _ parameters: [(parameter: ContractParameter, value: JSONValue)]) -> ContractCase {
            ContractCase(kind: .valid, name: name, operation: operation, parameters: parameters, queryNames: queryNames)
        }
        var base = valid("samples of required parts", required)
        base.body = details.requiresBody == true ? body : nil
        base.keepsBody = media == nil && !details.body.isEmpty
        var first = [base]
        if required.count < all.count || base.body == nil && body != nil {
            var full = valid("samples of all parts", all)
            (full.body, full.keepsBody) = (body, base.keepsBody)
            first.append(full)
        }
        if details.requiresCredentials {
            var open = base
            (open.kind, open.name, open.removed) = (.unauthenticated, "no credentials", details.credentials.union(details.credentialFields))
            first.append(open)
        }
        var variants: [ContractCase] = []
        for (parameter, sample) in all {
            for variant in self.variants(of: parameter, sample) {
                var copy = base
                (copy.kind, copy.name) = (variant.kind, "\(parameter.subject) \(variant.name)")
                copy.parameters.removeAll { $0.parameter.subject == parameter.subject }
                if let value = variant.value { copy.parameters.append((parameter, value)) } else { copy.missing = parameter }
                variants.append(copy)
            }
        }
        if let media, let body {
            for variant in bodies(media, body.value) {
                var copy = base
                (copy.kind, copy.name) = (variant.kind, "body \(variant.name)")
                copy.body = variant.value.map { ($0, media.type) }
                variants.append(copy)
            }
        }
        return Array((first + variants.shuffled(using: &generator)).prefix(limit))
    }

    /// The request of the samples of required parts, with values in place of those of parameters.
    ///
    /// - Parameter values: By the names of parameters; those of other names are not used.
    package mutating func request(with values: [String: JSONValue]) -> ContractCase? {
        guard var item = cases(limit: 1).first else { return nil }
        item.name = "values of an earlier response"
        if item.body == nil, let media = details.body.first(where: { OpenAPIMedia.isJSON($0.type) }) {
            item.body = contract.samples(of: [], media).body.map { ($0, media.type) }
        }
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

    private func variants(of parameter: ContractParameter, _ sample: JSONValue) -> [ContractVariant] {
        var found = contract.variants(of: parameter.schema, sample, depth: 1, isText: true).filter { variant in
            guard let value = variant.value else { return false }
            // A path needs a text in each place, and a text is what its type can be read from.
            let text = parameter.style.text(of: value, named: parameter.name) { $0 }
            if parameter.location == "path", text.isEmpty || text.contains("/") { return false }
            if parameter.location == "header", HeaderField(parameter.name, text).problem != nil { return false }
            return isOfKind(variant, parameter)
        }
        if parameter.isRequired, parameter.location != "path" { found.append((nil, .invalid, "is missing")) }
        return found
    }

    /// Whether the text of a value has the validity of the variant.
    private func isOfKind(_ variant: ContractVariant, _ parameter: ContractParameter) -> Bool {
        guard let value = variant.value else { return true }
        let pairs =
            parameter.isPair
            ? parameter.style.pairs(of: value, named: parameter.name) { $0 }.map { ParameterPair($0.name, $0.value) }
            : [ParameterPair(parameter.name, parameter.style.text(of: value, named: parameter.name) { $0 })]
        let text = ContractText(parameter)
        // Other names of an object whose members are parameters belong to no parameter.
        let isValid = text.values(of: pairs.filter { text.isOwn($0.name) }).contains { contract.isValid($0, by: parameter.schema) == true }
        return isValid == (variant.kind != .invalid)
    }

    private func bodies(_ media: ContractMedia, _ sample: JSONValue) -> [ContractVariant] {
        guard let schema = media.schema else { return [] }
        var found = contract.variants(of: schema, sample, depth: Self.depth, isText: false).filter { variant in
            variant.value.map { contract.isValid($0, by: schema) == (variant.kind != .invalid) } ?? true
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

    /// Whether a value is valid; nil where that cannot be determined.
    fileprivate func isValid(_ value: JSONValue, by number: Int) -> Bool? {
        var steps = TextPattern.maximumSteps
        do throws(PatternError) {
            return try schema(number).failures(in: value, limit: 1, patternSteps: &steps) { (number) throws(PatternError) in
                try self.schema(number)
            }.isEmpty
        } catch { return nil }
    }

    /// The variants of a value by its schema, each with what it is for and its name.
    fileprivate func variants(of number: Int, _ sample: JSONValue, depth: Int, isText: Bool) -> [ContractVariant] {
        withParts { parts in ContractVariants(reader: parts.reader, isText: isText).variants(of: parts.value(number), sample, depth) }
    }
}

/// The values at the limits of schemas, and beyond them.
private struct ContractVariants {
    /// The number of variants of an object from which on no further member is varied; each is compared with the whole schema.
    private static let most = 2000

    let reader: OpenAPIReader
    /// Whether values are written as text, where a number is also a text.
    let isText: Bool

    func variants(of value: OpenAPIValue, _ sample: JSONValue, _ depth: Int) -> [ContractVariant] {
        let schema = OpenAPISchema(value, reader)
        var found: [ContractVariant] = []
        func add(_ kind: ContractCase.Kind, _ value: JSONValue, _ note: String = "") {
            let text = value.compactText
            let shown = text.count > 40 ? text.prefix(40) + "…" : text
            found.append((value, kind, "= \(shown)\(note.isEmpty ? "" : " (\(note))")"))
        }
        for value in schema["enum"]?.node.items?.prefix(5) ?? [] { add(.boundary, value.json, "enum") }
        if schema["enum"] != nil { add(.invalid, "not-in-the-enum", "enum") }
        switch schema.type {
        case "integer", "number":
            let multiple = schema["multipleOf"]?.text.flatMap { Double($0) }
            let step = multiple.flatMap { $0.isFinite ? $0 : nil } ?? 1
            for (keyword, sign) in [("minimum", -1.0), ("maximum", 1.0)] {
                let exclusive = "exclusive" + keyword.prefix(1).uppercased() + keyword.dropFirst()
                guard let limit = (schema[keyword] ?? schema[exclusive])?.text.flatMap({ Double($0) }), limit.isFinite else { continue }
                let isExclusive = schema[exclusive]?.bool == true || schema[keyword] == nil
                add(.boundary, Self.number(isExclusive ? limit - sign * step : limit), keyword)
                add(.invalid, Self.number(isExclusive ? limit : limit + sign * step), keyword)
            }
            add(.boundary, .number("0"))
            add(.boundary, .number(schema["format"]?.text == "int32" ? "2147483647" : "9007199254740991"))
            if schema.type == "integer" { add(.invalid, .number("1.5"), "type") }
            add(.invalid, "text", "type")
        case "boolean": add(.invalid, "text", "type")
        case "string":
            for keyword in ["minLength", "maxLength"] {
                guard let count = schema[keyword]?.text.flatMap({ Int($0) }), (0...10_000).contains(count) else { continue }
                if count > 0 || !isText { add(.boundary, .string(String(repeating: "a", count: count)), keyword) }
                let other = keyword == "minLength" ? count - 1 : count + 1
                if other >= 0 { add(.invalid, .string(String(repeating: "a", count: other)), keyword) }
            }
            add(.boundary, "ä €😀", "Unicode")
            if schema["format"] != nil { add(.invalid, "not-of-the-format", "format") }
            if schema["pattern"] != nil { add(.invalid, "€", "pattern") }
            if !isText { add(.invalid, .number("1"), "type") }
        case "array":
            add(.boundary, .array([]), "empty")
            if !isText { add(.invalid, "text", "type") }
            guard depth > 0, case .array(let items) = sample, let first = items.first, let schema = schema["items"] else { break }
            found += variants(of: schema, first, depth - 1).map { ($0.value.map { .array([$0] + items.dropFirst()) }, $0.kind, "[0] \($0.name)") }
        case "object" where depth > 0: found += members(of: schema, sample, depth)
        default: break
        }
        if !isText { add(.invalid, .null, "null") }
        return found
    }

    private func members(of schema: OpenAPISchema, _ sample: JSONValue, _ depth: Int) -> [ContractVariant] {
        guard case .object(let members) = sample else { return [] }
        var found: [ContractVariant] = isText ? [] : [(.array([]), .invalid, "= [] (type)")]
        for property in schema.properties where found.count < Self.most {
            let index = members.firstIndex { $0.key == property.name }
            if property.isRequired, let index {
                var rest = members
                rest.remove(at: index)
                found.append((.object(rest), .invalid, ".\(property.name) is missing"))
            }
            for variant in variants(of: property.schema, index.map { members[$0].value } ?? .null, depth - 1) {
                guard let value = variant.value else { continue }
                var changed = members
                if let index { changed[index].value = value } else { changed.append(.init(property.name, value)) }
                found.append((.object(changed), variant.kind, ".\(property.name) \(variant.name)"))
            }
        }
        if schema["additionalProperties"]?.bool == false {
            found.append((.object(members + [.init("undescribed", true)]), .invalid, ".undescribed = true"))
        }
        return found
    }

    private static func number(_ value: Double) -> JSONValue {
        // A sum may exceed the largest number.
        let value = min(max(value, -.greatestFiniteMagnitude), .greatestFiniteMagnitude)
        return .number(value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value))
    }
}
