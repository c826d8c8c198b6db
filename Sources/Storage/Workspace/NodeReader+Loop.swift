internal import SortieBase
internal import WorkspaceModel

/// Reads the conditions and the repetition of a step.
extension NodeReader {
    /// Reads `if` or `while`: names of variables and captures, or texts with templates, with a condition each.
    mutating func stepConditions(_ node: YAMLNode?, _ what: String) -> [Parameter] {
        guard let node else { return [] }
        if node.entries == nil || node.entries?.isEmpty == true {
            report(node, "\(what) must be a mapping of names to conditions; write \(what): {login.role: admin}")
            return []
        }
        var variables: [String: Int] = [:]
        for pair in pairs(node, of: what) {
            // A name without braces is that of a variable, so that a misspelt one is reported.
            let isVariable = !pair.name.contains("{{")
            note(isVariable ? "{{\(pair.name)}}" : pair.name, at: pair.key)
            if isVariable, case .variable(let name, _)? = uses.last?.segment, name == pair.name { variables[name] = uses.count - 1 }
        }
        let rows = conditions(node, of: what, byPath: false)
        for (name, use) in variables {
            uses[use].isOptional = rows.allSatisfy { $0.name != name || ["exists", "missing"].contains($0.value) }
        }
        return rows
    }

    /// Reads `forEach`, or `while` with `every` and `limit`.
    mutating func loop(_ fields: [String: YAMLNode], kind: RunDefinition.Kind) -> StepLoop? {
        if fields["while"] == nil {
            for key in ["every", "limit"] {
                if let node = fields[key] { report(node, "\(key) is valid only with while; add while: {NAME: CONDITION}") }
            }
        }
        if let node = fields["while"], fields["forEach"] != nil {
            report(node, "a step has while or forEach, not both; use two steps")
            return nil
        }
        if let node = fields["while"] {
            let conditions = stepConditions(node, "while")
            let pause = duration(fields["every"], "every") ?? StepLoop.defaultPause
            let limit = integer(fields["limit"], "limit", in: 1...WorkspaceLimits.repetitions) ?? StepLoop.defaultLimit
            guard kind == .chain else {
                report(node, "while is valid only in a chain, because it compares what the step captured")
                return nil
            }
            return conditions.isEmpty ? nil : .repeats(while: conditions, every: pause, limit: limit)
        }
        return fields["forEach"].flatMap { list($0, kind: kind) }
    }

    /// Reads a list, or a template of one, where it is the only member of a mapping with the name of its variable.
    private mutating func list(_ node: YAMLNode, kind: RunDefinition.Kind) -> StepLoop? {
        guard node.entries != nil else { return items(node, kind: kind).map { .forEach(variable: StepLoop.defaultVariable, $0) } }
        let pairs = pairs(node, of: "forEach")
        guard let pair = pairs.first, pairs.count == 1 else {
            report(node, "forEach must be a list, or a mapping with one name; write forEach: {order: [1, 2]}")
            return nil
        }
        return items(pair.value, kind: kind).map { .forEach(variable: pair.name, $0) }
    }

    private mutating func items(_ node: YAMLNode, kind: RunDefinition.Kind) -> StepLoop.Items? {
        if node.text != nil {
            guard let text = template(node, "forEach") else { return nil }
            guard text.contains("{{") else {
                report(node, "forEach must be a list or a template of one; write forEach: [1, 2] or forEach: \"{{list.ids}}\"")
                return nil
            }
            guard kind == .chain else {
                report(node, "in a batch the items of forEach are written in the file: forEach: [1, 2]; a chain can take them from a template")
                return nil
            }
            return .template(text)
        }
        guard let items = node.items, !items.isEmpty, items.count <= WorkspaceLimits.repetitions else {
            let count = node.items?.count ?? 0
            report(
                node,
                count == 0
                    ? "forEach must be a list with items; write forEach: [1, 2]"
                    : "forEach has \(count) items, and at most \(WorkspaceLimits.repetitions) are sent; use several steps")
            return nil
        }
        var texts: [String] = []
        for item in items {
            guard let text = text(item, "an item of forEach") else { return nil }
            guard !text.contains("{{") else {
                report(item, "the items of forEach are not resolved; write the whole list as a template: forEach: \"{{list.ids}}\"")
                return nil
            }
            texts.append(text)
        }
        return .list(texts)
    }
}
