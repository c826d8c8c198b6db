internal import SortieBase

/// The values that a run or one of its steps has from lists, data rows and captures, which take precedence over all variables.
struct RunValues: Sendable {
    /// The items of the lists in the files, by variable.
    var lists: [String: [String]] = [:]
    /// The names whose value is not known before the run: columns of data, items of a list that a template names, captures.
    var open: Set<String> = []
    /// The templates from which items come, by variable; what they refer to is a part of the items.
    var sources: [String: String] = [:]

    var isEmpty: Bool { lists.isEmpty && open.isEmpty && sources.isEmpty }

    /// Adds the items of a step.
    mutating func add(_ loop: StepLoop?) {
        switch loop {
        case .forEach(let name, .list(let items)): lists[name, default: []] += items
        case .forEach(let name, .template(let text)):
            open.insert(name)
            sources[name, default: ""] += text
        case .repeats, nil: break
        }
    }
}

/// The values that endpoints capture and others use outside of runs, by name.
package struct EarlierValues: Sendable {
    /// The names as templates have them: `login.token`, `shop/login.token`.
    package let names: Set<String>
    /// The endpoints that capture the value of a name; several for an ambiguous one.
    private let endpoints: [String: [Endpoint]]

    /// Reads the endpoints of a workspace.
    package init(_ workspace: Workspace) {
        names = workspace.earlierNames
        var endpoints: [String: [Endpoint]] = [:]
        for endpoint in workspace.endpoints {
            for capture in endpoint.captures {
                for step in Set([endpoint.target, FilePath.name(of: endpoint.target)]) {
                    endpoints["\(step).\(capture.name)", default: []].append(endpoint)
                }
            }
        }
        self.endpoints = endpoints
    }

    /// The endpoint of a value that another one uses; nil for another name, and for an ambiguous one, with which no request is sent.
    package func endpoint(of name: String, for user: Endpoint) -> Endpoint? {
        guard names.contains(name), let candidates = endpoints[name] else { return nil }
        do {
            let value = try EarlierValue(named: name, for: user, among: candidates)
            return candidates.first { $0.target == value?.target }
        } catch { return nil }
    }
}
