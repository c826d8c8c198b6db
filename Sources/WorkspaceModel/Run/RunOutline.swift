internal import SortieBase
internal import SortieHTTP

/// What a step of a run captures and uses, and when and how often it is sent.
package struct StepOutline: Hashable, Sendable {
    /// The names of the values that it captures.
    package var captures: [String] = []
    /// The values of other steps that it uses, such as `login.token`, in the order of their first use.
    package var uses: [String] = []
    /// The used values that no earlier step captures.
    package var missing: Set<String> = []
    /// The conditions under which it is sent, such as `login.role = admin`; nil for a step that is always sent.
    package var condition: String?
    /// How it is repeated, such as `for each item of 1, 2`; nil for a step that is sent once.
    package var repetition: String?
}

/// The outlines of the steps of a run, which are made when they are needed.
package struct RunOutline: Sendable {
    private let run: RunDefinition
    private let workspace: Workspace
    /// The turn of each step.
    private let turns: [Int]
    /// The index of each step by its name.
    private let steps: [String: Int]

    /// Creates the outline of a run.
    package init(_ run: RunDefinition, in workspace: Workspace) {
        (self.run, self.workspace) = (run, workspace)
        turns = run.turns.enumerated().flatMap { turn, steps in steps.map { _ in turn } }
        steps = Dictionary(run.uniqueStepNames.enumerated().map { ($1, $0) }) { first, _ in first }
    }

    /// The index of the step that a name in a record of the run stands for, such as `detail[3]#2` for a repetition in the third row; nil for
    /// another name.
    package func index(named name: String) -> Int? {
        if let index = steps[name] { return index }
        guard let suffix = name.firstMatch(of: #/(\[\d+\])?(#\d+)?$/#), !suffix.output.0.isEmpty else { return nil }
        return steps[String(name[..<suffix.range.lowerBound])]
    }

    /// The outline of a step.
    package subscript(index: Int) -> StepOutline {
        let step = run.steps[index]
        var outline = StepOutline()
        if run.kind == .chain {
            outline.captures = captures(of: step)
            for name in Self.names(in: texts(of: step)) where !outline.uses.contains(name) {
                guard let dot = name.lastIndex(of: "."), let other = steps[String(name[..<dot])] else { continue }
                // A condition of a repetition compares what the step itself captures.
                if other == index { continue }
                outline.uses.append(name)
                let isCaptured = captures(of: run.steps[other]).contains(String(name[name.index(after: dot)...]))
                if !isCaptured || turns[other] >= turns[index] { outline.missing.insert(name) }
            }
        }
        if !step.conditions.isEmpty { outline.condition = Self.text(of: step.conditions) }
        outline.repetition = step.loop.map(Self.text)
        return outline
    }

    /// The indices of the steps after a step and its parallel group.
    package func stepsAfter(_ index: Int) -> Range<Int> { (turns.firstIndex { $0 > turns[index] } ?? turns.count)..<turns.count }

    /// The names of the values that a step captures.
    private func captures(of step: RunDefinition.Step) -> [String] {
        let ofEndpoint = workspace.endpoint(step.target)?.captures.map(\.name) ?? []
        return ofEndpoint + step.captures.map(\.name).filter { !ofEndpoint.contains($0) }
    }

    /// The texts with templates that the request and the conditions of a step have.
    private func texts(of step: RunDefinition.Step) -> [String] {
        // A name without braces is that of a variable or a capture.
        let repeated: [Parameter] = if case .repeats(let conditions, _, _) = step.loop { conditions } else { [] }
        let names = (step.conditions + repeated).map(\.name).filter { !$0.contains("{{") }.map { "{{\($0)}}" }
        guard let endpoint = workspace.endpoint(step.target) else { return step.templates + names }
        let service = endpoint.inherits == false ? nil : workspace.service(endpoint.serviceName)
        let auth = endpoint.auth == .inherit ? service?.auth.texts ?? [] : []
        return step.templates + names + endpoint.sentTemplates + endpoint.variables.values.sorted() + (service?.headers.enabledTexts ?? []) + auth
    }

    private static func names(in texts: [String]) -> [String] {
        texts.filter { $0.contains("{{") }.flatMap { text in
            Template(text).segments.compactMap { if case .variable(let name, _) = $0 { name } else { nil } }
        }
    }

    private static func text(of conditions: [Parameter]) -> String {
        conditions.map { condition in
            let test: Condition.Test?
            do throws(ConditionError) { test = try Condition(condition.value).test } catch { test = nil }
            if case .equals(let value)? = test { return "\(condition.name) = \(value)" }
            return "\(condition.name) \(condition.value)"
        }.joined(separator: " and ")
    }

    private static func text(of loop: StepLoop) -> String {
        switch loop {
        case .forEach(let variable, .list(let items)): "for each \(variable) of \(items.joined(separator: ", "))"
        case .forEach(let variable, .template(let text)): "for each \(variable) of \(text)"
        case .repeats(let conditions, let every, let limit):
            "while \(text(of: conditions)), every \(DurationText.text(every)), at most \(limit) times"
        }
    }
}

extension RunDefinition {
    /// The names of the steps, each of which is unique: a step with the name of an earlier one has a number.
    var uniqueStepNames: [String] {
        var counts: [String: Int] = [:]
        return steps.map { step in
            counts[step.name, default: 0] += 1
            return counts[step.name] == 1 ? step.name : "\(step.name)-\(counts[step.name] ?? 1)"
        }
    }
}
