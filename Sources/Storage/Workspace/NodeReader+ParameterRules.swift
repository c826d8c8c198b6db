internal import SortieHTTP
internal import WorkspaceModel

extension NodeReader {
    /// Reads what a parameter must be; nil for a rule that cannot be used.
    mutating func parameterRule(_ node: YAMLNode, named name: String, at key: YAMLNode) -> ParameterRule? {
        guard node.entries != nil else {
            report(node, "the rule of “\(name.shortened)” must be a mapping such as {required: true, type: integer}, not \(node.kindName)")
            return nil
        }
        let fields = fields(node, of: "a rule", known: .rule)
        var rule = ParameterRule(name)
        rule.isRequired = bool(fields["required"], "required") ?? false
        rule.type = word(fields["type"], "type", of: ParameterRule.ValueType.allCases.map(\.rawValue)).flatMap(ParameterRule.ValueType.init)
        rule.atLeast = number(fields["atLeast"], "atLeast")
        rule.atMost = number(fields["atMost"], "atMost")
        if let atLeast = rule.atLeast, let atMost = rule.atMost, atLeast > atMost, let place = fields["atMost"] {
            reportInvalid(place, "atMost is less than atLeast, so that no value is accepted")
        }
        rule.shortest = integer(fields["shortest"], "shortest", in: 1...1_000_000)
        rule.longest = integer(fields["longest"], "longest", in: 1...1_000_000)
        if let shortest = rule.shortest, let longest = rule.longest, shortest > longest, let place = fields["longest"] {
            reportInvalid(place, "longest is less than shortest, so that no value is accepted")
        }
        if let place = fields["matches"], let pattern = text(place, "matches") {
            do throws(PatternError) {
                if !isStored { _ = try TextPattern(pattern) }
                rule.pattern = pattern
            } catch { report(place, "“\(pattern.shortened)” is not a regular expression: \(error.message)") }
        }
        if let place = fields["oneOf"] { rule.choices = list(place, "oneOf").map(\.text) }
        return rule
    }

    private mutating func number(_ node: YAMLNode?, _ what: String) -> Double? {
        guard let node else { return nil }
        guard let number = node.text.flatMap(Double.init), number.isFinite else {
            report(node, "\(what) must be a number, not \(node.kindName)")
            return nil
        }
        return number
    }
}
