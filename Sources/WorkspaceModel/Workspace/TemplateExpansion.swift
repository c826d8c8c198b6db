/// Computes the expanded size of variables without expanding them, in time proportional to the definitions.
///
/// Where several environments define a name, the largest definition counts.
package struct TemplateExpansion: Sendable {
    private struct Cost {
        package var bytes = 0
        var references = 0
        /// The depth of nested variables, this one included.
        var depth = 1

        /// Values beyond every limit are capped, so that sums cannot overflow.
        private static let ceiling = 1 << 40

        package mutating func add(_ other: Cost) {
            bytes = min(Cost.ceiling, bytes + other.bytes)
            references = min(Cost.ceiling, references + other.references + 1)
            depth = min(Cost.ceiling, max(depth, other.depth + 1))
        }

        mutating func formMaximum(_ other: Cost) {
            bytes = max(bytes, other.bytes)
            references = max(references, other.references)
            depth = max(depth, other.depth)
        }
    }

    private var costs: [String: Cost] = [:]

    /// The expansion of all variables of a workspace.
    package init(_ workspace: Workspace) {
        var definitions: [String: [String]] = [:]
        let layers = workspace.environments.map(\.variables) + [workspace.variables] + workspace.endpoints.map(\.variables)
        for layer in layers { for (name, text) in layer where text.contains("{{") { definitions[name, default: []].append(text) } }
        for layer in layers { for (name, text) in layer where definitions[name] == nil { note(name, bytes: text.utf8.count) } }
        let referenced = definitions.mapValues { $0.map { Template($0) } }
        for name in referenced.keys { measure(name, referenced) }
    }

    private mutating func note(_ name: String, bytes: Int) {
        var cost = costs[name] ?? Cost()
        cost.formMaximum(Cost(bytes: bytes))
        costs[name] = cost
    }

    /// Computes the cost of a variable after the costs of all variables it refers to.
    ///
    /// Uses an explicit stack, because a chain may be as long as the file.
    private mutating func measure(_ root: String, _ definitions: [String: [Template]]) {
        guard costs[root] == nil else { return }
        var open: Set<String> = [root]
        var stack = [(name: root, waiting: Self.names(in: definitions[root] ?? []))]
        while let top = stack.indices.last {
            if let next = stack[top].waiting.popLast() {
                // Variables that define each other have no expansion; resolving one of them reports the cycle.
                guard costs[next] == nil, let templates = definitions[next], open.insert(next).inserted else { continue }
                stack.append((next, Self.names(in: templates)))
                continue
            }
            let name = stack.removeLast().name
            open.remove(name)
            costs[name] = cost(of: definitions[name] ?? [])
        }
    }

    private static func names(in templates: [Template]) -> [String] {
        var names: Set<String> = []
        for template in templates { for case .variable(let name, _) in template.segments { names.insert(name) } }
        return Array(names)
    }

    private func cost(of templates: [Template]) -> Cost {
        var largest = Cost()
        for template in templates {
            var cost = Cost()
            for segment in template.segments {
                switch segment {
                case .text(let text), .unclosed(let text): cost.bytes += text.utf8.count
                case .variable(let name, _): cost.add(costs[name] ?? Cost(depth: 0))
                case .builtin: cost.references += 1
                }
            }
            largest.formMaximum(cost)
        }
        return largest
    }

    /// Why a reference to `name` exceeds a limit; nil where it does not.
    package func problem(of name: String) -> String? {
        guard let cost = costs[name] else { return nil }
        if cost.depth > WorkspaceLimits.templateDepth {
            return "{{\(name)}} nests \(cost.depth) variables; more than \(WorkspaceLimits.templateDepth) are not resolved"
        }
        if cost.references > WorkspaceLimits.templateReferences {
            return "{{\(name)}} refers to more than \(WorkspaceLimits.templateReferences) values; it is not resolved"
        }
        if cost.bytes > WorkspaceLimits.templateBytes {
            return "{{\(name)}} expands to more than \(WorkspaceLimits.templateBytes >> 20) MiB; it is not resolved"
        }
        return nil
    }
}
