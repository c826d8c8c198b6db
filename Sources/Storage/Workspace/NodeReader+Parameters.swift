internal import SortieHTTP
internal import WorkspaceModel

extension NodeReader {
    /// The style of nested parameters; nil where the file does not specify one.
    mutating func parameterStyle(_ node: YAMLNode?) -> ParameterStyle? {
        guard let node, !node.isNull else { return nil }
        let fields = fields(node, of: "parameters", known: .parameters)
        guard node.entries != nil else { return nil }
        let charset = name(fields["charset"], "charset")
        if let charset, ParameterCharset(named: charset) == nil, let place = fields["charset"] {
            let names = ParameterCharset.allCases.map(\.rawValue)
            let hint = Suggestion.nearest(to: charset, in: names).map { "did you mean “\($0)”?" } ?? "write one of \(names.joined(separator: ", "))"
            reportInvalid(place, "there is no charset “\(charset.shortened)” here; \(hint)")
        }
        var style = ParameterStyle(
            arrays: word(fields["arrays"], "arrays", of: ParameterStyle.arrayWords),
            booleans: word(fields["booleans"], "booleans", of: ParameterStyle.booleanWords),
            nulls: word(fields["nulls"], "nulls", of: ParameterStyle.nullWords), charset: charset)
        style.nested = word(fields["nested"], "nested", of: ParameterStyle.nestedWords)
        style.dates = word(fields["dates"], "dates", of: ParameterStyle.dateWords)
        style.order = word(fields["order"], "order", of: ParameterStyle.orderWords)
        style.place = word(fields["place"], "place", of: ParameterStyle.placeWords)
        style.rules = pairs(fields["rules"], of: "rules").compactMap { parameterRule($0.value, named: $0.name, at: $0.key) }
        return style
    }

    /// The rows of a list or a mapping, or of a boolean, a null or a date with a style; nil for a plain text.
    mutating func nestedRows(_ node: YAMLNode, named name: String, style: ParameterStyle?) -> [Parameter]? {
        guard let style else {
            // A stored endpoint has the rows themselves; only a name without a value has null.
            guard isStored, node.isNull else { return nil }
            var row = Parameter(name, "")
            row.isNameOnly = true
            return [row]
        }
        if case .scalar(let scalar) = node.content {
            let isStyled =
                scalar.type == .bool && style.booleans != nil || scalar.type == .null && style.nulls != nil
                || style.dates != nil && date(scalar) != nil
            guard isStyled else { return nil }
        }
        return parameterValue(node, style: style).map { style.rows(of: $0, named: name) }
    }

    /// The seconds of a date that is written without quotes, in ISO 8601.
    private func date(_ scalar: YAMLScalar) -> Double? {
        scalar.style == .plain ? CalendarTime.seconds(ofISO8601: scalar.text) : nil
    }

    /// A value whose texts keep their notation, such as the digits of numbers.
    private mutating func parameterValue(_ node: YAMLNode, style: ParameterStyle) -> ParameterValue? {
        switch node.content {
        case .scalar(let scalar):
            note(scalar.text, at: node)
            switch scalar.type {
            case .null: return .null
            case .bool: return .bool(scalar.text.lowercased() == "true")
            case .string, .integer, .float: return style.dates == nil ? .string(scalar.text) : date(scalar).map { .date($0) } ?? .string(scalar.text)
            }
        case .sequence(let items):
            var values: [ParameterValue] = []
            for item in items { parameterValue(item, style: style).map { values.append($0) } }
            return .array(values)
        case .mapping where style.writesJSON:
            // The text is written here, because its numbers keep their digits.
            guard let text = jsonText(node) else { return nil }
            do { return .string(try JSONValue(parsing: text).compactText) } catch {
                report(node, "a nested parameter: \(error)")
                return nil
            }
        case .mapping:
            var members: [ParameterValue.Member] = []
            for pair in pairs(node, of: "a nested parameter") {
                note(pair.name, at: pair.key)
                parameterValue(pair.value, style: style).map { members.append(.init(pair.name, $0)) }
            }
            return .object(members)
        }
    }

    /// The rules for the response; nil where the file has none.
    mutating func answer(_ node: YAMLNode?) -> ResponseExpectation? {
        guard let node, !node.isNull else { return nil }
        let fields = fields(node, of: "answer", known: .answer)
        guard node.entries != nil else { return nil }
        var plan = ResponseExpectation()
        if let status = fields["status"] { plan.statuses = list(status, "status").compactMap { statuses($0.text, at: $0.node) } }
        if let types = fields["types"] {
            plan.contentTypes = list(types, "types").compactMap { item in
                guard let type = MediaType(item.text) else {
                    report(item.node, "“\(item.text.shortened)” is not a media type; write one such as application/json")
                    return nil
                }
                return type.essence
            }
        }
        plan.format = word(fields["format"], "format", of: ResponseFormat.allCases.map(\.rawValue)).flatMap(ResponseFormat.init)
        plan.messages = messages(fields["codes"], of: "codes")
        if isStored {
            plan.shape = fields["shape"].flatMap { jsonText($0) }
        } else if let shape = fields["shape"], let text = jsonDocument(shape) {
            do {
                _ = try ResponseExpectation.shape(text)
                plan.shape = text
            } catch { report(shape, error.message) }
        }
        return plan
    }

    private mutating func statuses(_ text: String, at node: YAMLNode) -> ClosedRange<Int>? {
        if let range = StatusRange.parse(text) { return range }
        report(node, "“\(text.shortened)” is neither a status nor a range such as 200-299 or 2xx")
        return nil
    }

    /// The expected statuses: one, a range, or a list of both.
    mutating func expectedStatuses(_ node: YAMLNode?) -> [ClosedRange<Int>]? {
        guard let node else { return nil }
        let ranges = list(node, "status").compactMap { statuses($0.text, at: $0.node) }
        if ranges.isEmpty, node.items?.isEmpty == true { report(node, "status must have a status, a range such as 2xx, or a list of them") }
        return ranges.isEmpty ? nil : ranges
    }
}
