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
