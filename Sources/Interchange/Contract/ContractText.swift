internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// The text of a parameter, a field or a form as the values that it can stand for (the reverse of ``OpenAPIStyle``).
struct ContractText {
    /// One reading of the text of a request.
    struct Reading {
        /// The names and values.
        var pairs: [ParameterPair]
        /// Whether the values are percent-encoded, so that an encoded comma belongs to an item.
        var isEncoded = false
    }

    private let parameter: ContractParameter

    init(_ parameter: ContractParameter) { self.parameter = parameter }

    // MARK: Readings

    /// The readings of a query, the most likely first.
    static func readings(ofQuery query: String) -> [Reading] {
        var readings = [Reading(pairs: ParameterPair.pairs(of: query))]
        // Most servers read + as a space, which RFC 3986 does not say.
        if query.contains("+") { readings.append(Reading(pairs: ParameterPair.pairs(of: query, plusIsSpace: true))) }
        // Clients encode the commas of a value, as RFC 6570 says, and many also those between the items.
        if hasEncodedComma(query) {
            let encoded = query.split(separator: "&").map { item -> ParameterPair in
                let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return ParameterPair(PercentEncoding.decode(parts.first ?? ""), parts.count > 1 ? String(parts[1]) : nil)
            }
            readings.append(Reading(pairs: encoded, isEncoded: true))
        }
        return readings
    }

    /// The readings of the values in a path.
    ///
    /// - Parameters:
    ///   - path: The path of the URL, percent-encoded.
    ///   - segments: The segments of the path below the base of the server, decoded.
    static func readings(ofPath path: String, _ segments: [String], of operation: ContractOperation) -> [Reading] {
        func reading(_ segments: [String], isEncoded: Bool = false) -> Reading {
            Reading(pairs: operation.pathValues(in: segments).map { ParameterPair($0.key, $0.value) }, isEncoded: isEncoded)
        }
        guard hasEncodedComma(path) else { return [reading(segments)] }
        let encoded = path.split(separator: "/").suffix(segments.count).map(String.init)
        return [reading(segments), reading(encoded, isEncoded: true)]
    }

    /// The readings of the fields `Cookie`, whose values are percent-encoded or not.
    static func readings(ofCookies fields: [String]) -> [Reading] {
        let pairs = fields.flatMap { $0.split(separator: ";") }.map { pair -> ParameterPair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(\.trimmingBlanks)
            return ParameterPair(String(parts.first ?? ""), parts.count > 1 ? String(parts[1]) : "")
        }
        guard pairs.contains(where: { $0.value?.contains("%") ?? false }) else { return [Reading(pairs: pairs)] }
        return [Reading(pairs: pairs), Reading(pairs: pairs.map { ParameterPair($0.name, $0.value.map { PercentEncoding.decode($0) }) })]
    }

    private static func hasEncodedComma(_ text: String) -> Bool { text.contains("%2C") || text.contains("%2c") }

    // MARK: Parameters

    /// Whether a pair belongs to the parameter.
    func isOwn(_ name: String) -> Bool {
        if name == parameter.name || parameter.location == "header" { return true }
        if parameter.style.name == "deepObject" { return name.hasPrefix(parameter.name + "[") }
        guard parameter.style.explodes, parameter.location != "path" else { return false }
        return parameter.shape.choices.contains { shape in if case .object(let members) = shape { members[name] != nil } else { false } }
    }

    /// The values that the pairs of the parameter can stand for, the most likely first.
    func values(of pairs: [ParameterPair]) -> [JSONValue] { values(of: Reading(pairs: pairs)) }

    /// The values that the pairs of the parameter in a reading can stand for, the most likely first.
    func values(of reading: Reading) -> [JSONValue] {
        guard !parameter.isJSON else {
            let text = reading.pairs.first?.value ?? ""
            let first = parameter.location == "header" ? joined(reading.pairs) : reading.isEncoded ? PercentEncoding.decode(text) : text
            return [JSONValue(ifValid: first) ?? .string(first)]
        }
        return parameter.shape.choices.flatMap { values(of: reading, $0) }
    }

    /// Fields of one name are a list (RFC 9110 §5.3).
    private func joined(_ pairs: [ParameterPair]) -> String { pairs.compactMap(\.value).joined(separator: ",") }

    private func values(of reading: Reading, _ shape: ContractShape) -> [JSONValue] {
        let pairs = reading.pairs
        func decoded(_ text: String) -> String { reading.isEncoded ? PercentEncoding.decode(text) : text }
        let first = parameter.location == "header" ? joined(pairs) : pairs.first?.value ?? ""
        let text = withoutPrefix(first)
        let isMatrix = parameter.location == "path" && parameter.style.name == "matrix" && parameter.style.explodes
        switch shape {
        case .scalar(let type): return Self.scalars(decoded(text), type)
        case .choice(let shapes): return shapes.flatMap { values(of: reading, $0) }
        case .array(let type):
            let repeats = parameter.style.explodes && parameter.isPair
            let texts =
                repeats
                ? pairs.map { $0.value ?? "" }
                : isMatrix ? first.split(separator: ";").map { String($0.drop { $0 != "=" }.dropFirst()) } : parts(text)
            return Self.distinct { isTyped in .array(texts.map { Self.item(decoded($0), type, parameter.style, isTyped: isTyped) }) }
        case .object:
            if parameter.style.name == "deepObject" {
                let members = pairs.map { ParameterPair(Self.inner($0.name.dropFirst(parameter.name.count)), $0.value.map(decoded)) }
                return Self.objects(of: members, shape, hasBrackets: true)
            }
            if parameter.isPair, parameter.style.explodes {
                return Self.objects(of: pairs.map { ParameterPair($0.name, $0.value.map(decoded)) }, shape)
            }
            let parts = isMatrix ? first.split(separator: ";").map(String.init) : parts(text, keepsEmpty: true)
            let members =
                parameter.style.explodes
                ? parts.map { part in ParameterPair(decoded(String(part.prefix { $0 != "=" })), decoded(String(part.drop { $0 != "=" }.dropFirst())))
                }
                : stride(from: 0, to: parts.count - 1, by: 2).map { ParameterPair(decoded(parts[$0]), decoded(parts[$0 + 1])) }
            return Self.objects(of: members, shape)
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

    // MARK: Objects

    /// The objects that the pairs of a form can stand for; a name that occurs several times is an array.
    ///
    /// - Parameters:
    ///   - styles: The styles of the properties that have one.
    ///   - hasBrackets: Whether brackets in a name lead into an object, as in all names of `deepObject`.
    static func objects(
        of pairs: [ParameterPair], _ shape: ContractShape, _ styles: [String: OpenAPIStyle] = [:], hasBrackets: Bool = false
    ) -> [JSONValue] {
        shape.choices.flatMap { shape in distinct { object(of: pairs, shape, styles, hasBrackets: hasBrackets, isTyped: $0) } }
    }

    private static func object(
        of pairs: [ParameterPair], _ shape: ContractShape?, _ styles: [String: OpenAPIStyle] = [:], hasBrackets: Bool, isTyped: Bool
    ) -> JSONValue {
        let shapes: [String: ContractShape] = if case .object(let shapes)? = shape { shapes } else { [:] }
        var names: [String] = []
        var texts: [String: [String]] = [:]
        var members: [String: [ParameterPair]] = [:]
        for pair in pairs {
            let start = String(pair.name.prefix { $0 != "[" })
            let brackets = pair.name.dropFirst(start.count)
            var name = pair.name
            if !brackets.isEmpty, hasBrackets || styles[start]?.name == "deepObject" {
                name = start
                // The brackets after a list are empty or have the index of an item.
                if isItem(brackets) {
                    texts[name, default: []].append(pair.value ?? "")
                } else {
                    members[name, default: []].append(ParameterPair(inner(brackets), pair.value))
                }
            } else {
                texts[name, default: []].append(pair.value ?? "")
            }
            if !names.contains(name) { names.append(name) }
        }
        return .object(
            names.map { name in
                guard let members = members[name] else {
                    return .init(name, value(of: texts[name] ?? [], shapes[name], styles[name], isTyped: isTyped))
                }
                let value = object(of: members, shapes[name], hasBrackets: true, isTyped: isTyped)
                // A list of objects has the indices as names.
                if case .object(let items) = value, case .array? = shapes[name], items.allSatisfy({ $0.key.utf8.allSatisfy(ASCII.isDigit) }) {
                    return .init(name, .array(items.map(\.value)))
                }
                return .init(name, value)
            })
    }

    /// A name in brackets without the first ones: `[a][b]` is `a[b]`.
    private static func inner(_ brackets: some StringProtocol) -> String {
        guard let end = brackets.firstIndex(of: "]") else { return String(brackets.dropFirst()) }
        return String(brackets[..<end].dropFirst()) + brackets[brackets.index(after: end)...]
    }

    private static func isItem(_ brackets: Substring) -> Bool {
        brackets.last == "]" && brackets.dropFirst().dropLast().utf8.allSatisfy(ASCII.isDigit)
    }

    /// The value of the texts of one field of a form.
    private static func value(of texts: [String], _ shape: ContractShape?, _ style: OpenAPIStyle?, isTyped: Bool) -> JSONValue {
        func value(_ text: String, _ type: String?) -> JSONValue { item(text, type, style, isTyped: isTyped) }
        switch shape {
        case .choice(let shapes)?:
            // A text of several fields is a list.
            let list = shapes.first { if case .array = $0 { true } else { false } }
            return self.value(of: texts, list ?? shapes.first, style, isTyped: isTyped)
        case .array(let type)?:
            guard let style, !style.explodes, texts.count == 1 else { return .array(texts.map { value($0, type) }) }
            return .array(texts[0].split(separator: separator(style)).map { value(String($0), type) })
        case .object?:
            // Objects are JSON (OpenAPI 3.1 §4.8.14.3).
            let parsed = Result { () throws(BodyProblem) in try JSONValue(parsing: texts.first ?? "") }
            if texts.count == 1, case .success(let value) = parsed { return value }
            return texts.count == 1 ? .string(texts[0]) : .array(texts.map(JSONValue.string))
        case .scalar(let type)?: return texts.count == 1 ? value(texts[0], type) : .array(texts.map { value($0, type) })
        case nil: return texts.count == 1 ? value(texts[0], nil) : .array(texts.map { value($0, nil) })
        }
    }

    // MARK: Scalars

    /// The value of an item of an array, which may be an array itself.
    private static func item(_ text: String, _ type: String?, _ style: OpenAPIStyle?, isTyped: Bool) -> JSONValue {
        func scalar(_ text: String, _ type: String?) -> JSONValue {
            (isTyped ? scalars(text, type).last : scalars(text, type).first) ?? .string(text)
        }
        guard let style, type == "array", !style.nested.isEmpty else { return scalar(text, type) }
        return style.value(ofItem: text) { scalar($0, $1) }
    }

    /// The values in which texts without a known type are texts, and in which they are numbers and truth values where they can be.
    private static func distinct(_ value: (_ isTyped: Bool) -> JSONValue) -> [JSONValue] {
        let (texts, typed) = (value(false), value(true))
        return texts == typed ? [texts] : [texts, typed]
    }

    /// The values of a text by its type; without a type, all that it can be, the text first.
    static func scalars(_ text: String, _ type: String?) -> [JSONValue] {
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
