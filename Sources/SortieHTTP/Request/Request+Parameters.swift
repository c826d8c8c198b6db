internal import SortieBase

extension Request {
    /// The problem of the first parameter that does not satisfy its rule, with its name but without its value; nil where there is none.
    public var parameterProblem: String? {
        options.parameterRules.isEmpty ? nil : Self.problem(of: parameterValues, by: options.parameterRules)
    }

    /// The problem of the first parameter that does not satisfy its rule; `values` has the texts by name.
    package static func problem(of values: [String: [String]], by rules: [ParameterRule]) -> String? {
        for rule in rules {
            let given = values[rule.name] ?? []
            for value in given.isEmpty ? [nil] : given.map(Optional.some) {
                if let problem = rule.problem(of: value) { return "the parameter “\(rule.name)” \(problem)" }
            }
        }
        return nil
    }

    /// The texts of the parameters by name: of the query, of a form, of the text parts of a multipart body, and of the members of a JSON object.
    var parameterValues: [String: [String]] {
        var pairs = ParameterPair.pairs(of: url.query ?? "")
        switch body {
        case .none, .file: break
        case .bytes(let bytes, let contentType):
            guard let type = (headers["Content-Type"] ?? contentType).flatMap(MediaType.init) else { break }
            if type.essence == "application/x-www-form-urlencoded" {
                pairs += ParameterPair.pairs(of: String(decoding: bytes, as: UTF8.self), plusIsSpace: true)
            } else if type.isJSON {
                pairs += Self.members(ofJSON: bytes)
            }
        case .multipart(let parts):
            for part in parts {
                if case .bytes(let bytes) = part.content { pairs.append(.init(part.name, String(decoding: bytes, as: UTF8.self))) }
            }
        }
        return Dictionary(grouping: pairs, by: \.name).mapValues { $0.map { $0.value ?? "" } }
    }

    /// The members of a JSON object; a list or an object has its JSON text, null is an empty text.
    private static func members(ofJSON bytes: [UInt8]) -> [ParameterPair] {
        do {
            guard case .object(let members) = try JSONValue(parsing: bytes) else { return [] }
            return members.map { member in
                switch member.value {
                case .null: .init(member.key, "")
                case .string(let text): .init(member.key, text)
                default: .init(member.key, member.value.compactText)
                }
            }
        } catch {
            // A body that is not JSON has no parameters; a required one is reported as missing.
            return []
        }
    }

    /// Appends text to the query, after the existing one.
    public mutating func append(query text: String) {
        guard !text.isEmpty else { return }
        url = url.appending(queryText: text)
        for index in otherServers.indices { otherServers[index] = otherServers[index].appending(queryText: text) }
    }
}

extension HTTPURL {
    /// The URL with percent-encoded text after the existing query.
    public func appending(queryText text: String) -> HTTPURL {
        guard !text.isEmpty else { return self }
        var result = self
        result.query = (query.map { $0.isEmpty || $0.hasSuffix("&") ? $0 : $0 + "&" } ?? "") + text
        return result
    }
}
