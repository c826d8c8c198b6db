internal import SortieBase
internal import WorkspaceModel

/// Edits of keys and single values, without a model of the whole value.
extension YAMLPatch {
    /// Replaces a scalar, which keeps its style where possible.
    mutating func replaceScalar(_ node: YAMLNode, with text: String) throws(CannotPatch) {
        guard case .scalar(let scalar) = node.content, !node.isAlias else { throw CannotPatch() }
        // What is valid in a flow collection is valid everywhere.
        add(node.start..<(try source.end(of: node, parentIndentation: 0)), YAMLText.scalar(.text(text), style: scalar.style, inFlow: true))
    }

    /// Adds a member to a mapping, as the last or the first one.
    mutating func changeMembers(of node: YAMLNode, adding member: YAMLValue.Member, isFirst: Bool = false) throws(CannotPatch) {
        try changeMembers(of: node) { isFirst ? [member] + $0 : $0 + [member] }
    }

    /// Adds members to a mapping, as the last ones.
    mutating func changeMembers(of node: YAMLNode, adding members: [YAMLValue.Member]) throws(CannotPatch) {
        try changeMembers(of: node) { $0 + members }
    }

    /// Removes members of a mapping; at least one must stay.
    mutating func changeMembers(of node: YAMLNode, removing keys: Set<String>) throws(CannotPatch) {
        try changeMembers(of: node) { $0.filter { !keys.contains($0.key) } }
    }

    /// Changes the list of members; the values of those that stay are not changed.
    private mutating func changeMembers(of node: YAMLNode, _ change: ([YAMLValue.Member]) -> [YAMLValue.Member]) throws(CannotPatch) {
        let (entries, members) = try members(of: node)
        try changeMapping(node, entries, from: members, to: change(members), inFlow: false)
    }

    /// The entries of a mapping, and its members with tokens in place of their values.
    private func members(of node: YAMLNode) throws(CannotPatch) -> (entries: [YAMLNode.Entry], members: [YAMLValue.Member]) {
        guard case .mapping(let entries) = node.content, !node.isAlias else { throw CannotPatch() }
        var members: [YAMLValue.Member] = []
        for entry in entries {
            guard let key = entry.key.text else { throw CannotPatch() }
            members.append(.init(key, .token("")))
        }
        return (entries, members)
    }

    /// Inserts a copy of an entry under another key after it, byte for byte.
    mutating func copy(_ entry: YAMLNode.Entry, in node: YAMLNode, as key: String) throws(CannotPatch) {
        guard !node.isAlias, !entry.value.isAlias else { throw CannotPatch() }
        let isFlow = source.isFlow(node)
        let keyEnd = try source.end(of: entry.key, parentIndentation: node.column - 1)
        let end = try end(of: entry, indentation: node.column - 1)
        let value = String(decoding: source.bytes[keyEnd..<end], as: UTF8.self).replacing("\r\n", with: "\n")
        let text = YAMLText.key(key, inFlow: isFlow) + value
        if isFlow { return add(end..<end, ", " + text) }
        guard source.isFirstOnLine(entry.key.start), source.isLastOnLine(end) else { throw CannotPatch() }
        insertLines(YAMLText.spaces(node.column - 1) + text, atLineAfter: end)
    }

    /// Changes the targets of the steps of a run.
    ///
    /// A step of a chain is named after its target. Where later steps use that name, it is kept with `as:`.
    mutating func changeTargets(
        of run: RunDefinition, in root: YAMLNode?, text: String, _ newTarget: (String) -> String?
    ) throws(CannotPatch) {
        let names = run.steps.map(\.name)
        for item in root?.runSteps ?? [] {
            guard let node = item["send"], let old = node.text, let new = newTarget(old) else { continue }
            let (oldName, newName) = (FilePath.name(of: old), FilePath.name(of: new))
            let isNamed = item["as"] != nil
            let isCompared = run.steps.contains { $0.comparesCapture(of: oldName) }
            let isUsed = isCompared || text.contains("{{\(oldName).") || text.contains("{{ \(oldName).") || names.contains(newName)
            guard run.kind == .chain, !isNamed, oldName != newName, isUsed else {
                try replaceScalar(node, with: new)
                continue
            }
            let (entries, members) = try members(of: item)
            let before = members.map { $0.key == "send" ? .init("send", .text(old)) : $0 }
            let after = before.flatMap { $0.key == "send" ? [.init("send", .text(new)), .init("as", .text(oldName))] : [$0] }
            try changeMapping(item, entries, from: before, to: after, inFlow: source.isFlow(item))
        }
    }
}

extension RunDefinition.Step {
    /// Whether a condition names a capture of a step.
    fileprivate func comparesCapture(of step: String) -> Bool {
        let repeated: [Parameter] =
            switch loop {
            case .repeats(let conditions, _, _): conditions
            case .forEach, nil: []
            }
        return (conditions + repeated).contains { $0.name.hasPrefix("\(step).") }
    }
}
