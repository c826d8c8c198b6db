/// The values that a step of a run has from lists, data rows and captures, which take precedence over all variables.
struct RunValues: Sendable {
    /// The items of the lists in the files, by variable.
    var lists: [String: [String]] = [:]
    /// The names whose value only the run knows: columns of data, items of a list that a template names, captures.
    var open: Set<String> = []
    /// The templates from which items come, by variable; what they refer to is a part of the items.
    var sources: [String: String] = [:]

    mutating func formUnion(_ other: RunValues) {
        lists.merge(other.lists) { $0 + $1 }
        open.formUnion(other.open)
        sources.merge(other.sources) { $0 + $1 }
    }

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
