internal import SortieBase
internal import WorkspaceModel

extension NodeReader {
    /// Reads the batch or chain of a file.
    ///
    /// - Parameters:
    ///   - targets: the existing endpoints.
    ///   - captures: the names that each endpoint captures.
    ///   - isInside: whether a file with this absolute path may be read while the workspace is opened.
    mutating func run(
        _ root: YAMLNode?, name: String, targets: [String], captures: [String: [String]], isInside: (String) -> Bool
    ) -> RunDefinition? {
        guard let root, root.entries != nil else {
            let place = root.map(place) ?? SourceLocation(file: file)
            problems.append(Diagnostic(place, "a run must be a mapping with chain or batch"))
            return nil
        }
        let fields = fields(root, of: "a run", known: .run)
        _ = text(fields["description"], "description")
        guard let list = fields["chain"] ?? fields["batch"], fields["chain"] == nil || fields["batch"] == nil else {
            report(
                root,
                fields["chain"] == nil
                    ? "the run has neither chain nor batch" : "the run has both chain and batch; keep one of them")
            for case (let kind, let list?) in [(RunDefinition.Kind.chain, fields["chain"]), (.batch, fields["batch"])] {
                _ = steps(list.items ?? [], kind: kind, targets: targets, captures: captures)
            }
            return nil
        }
        let kind: RunDefinition.Kind = fields["chain"] == nil ? .batch : .chain
        guard let items = list.items else {
            report(list, "\(kind.rawValue) must be a list of {send: TARGET}, not \(list.kindName)")
            return nil
        }
        if let concurrency = fields["concurrency"], kind == .chain {
            report(concurrency, "concurrency is valid only with batch, and in a chain beside parallel", severity: .warning)
        }
        var run = RunDefinition(
            name: name, kind: kind, steps: steps(items, kind: kind, targets: targets, captures: captures),
            stopsOnFailure: bool(fields["stopOnFailure"], "stopOnFailure") ?? true,
            concurrency: integer(fields["concurrency"], "concurrency", in: 1...10_000))
        run.location = place(root)
        run.ignored = ignoredDifferences(fields["ignore"])
        if let data = fields["data"] { readData(data, of: &run, isInside: isInside) }
        return run
    }

    /// Reads what is ignored when responses are compared.
    private mutating func ignoredDifferences(_ node: YAMLNode?) -> [String] {
        list(node, "ignore").filter { item in
            do throws(CompareRuleProblem) { _ = try CompareRules(parsing: [item.text]) } catch {
                report(item.node, error.description)
                return false
            }
            return true
        }.map(\.text)
    }

    /// Reads the steps; in a chain, each step may use the captures of earlier steps.
    private mutating func steps(
        _ items: [YAMLNode], kind: RunDefinition.Kind, targets: [String], captures: [String: [String]]
    ) -> [RunDefinition.Step] {
        var steps: [RunDefinition.Step] = []
        var captured: Set<String> = []
        let firstUse = uses.count
        var groups = 0
        for item in items {
            var group: StepGroup?
            var members = [item]
            if let list = item.entries?.first(where: { $0.key.text == "parallel" })?.value {
                groups += 1
                guard let found = parallel(item, list, number: groups, kind: kind) else { continue }
                (group, members) = found
            }
            // The steps of a group use only what was captured before the group.
            var new: Set<String> = []
            for member in members {
                let firstUse = uses.count
                guard var step = step(member, kind: kind, targets: targets) else { continue }
                if kind == .chain, steps.contains(where: { $0.name == step.name }) {
                    report(member, "two steps are called “\(step.name)”; name this one with as: NAME")
                }
                step.group = group
                let names = kind == .chain ? captures[step.target, default: []] + step.captures.map(\.name) : []
                var own = captured.union(step.variables.keys)
                if let variable = step.loop?.variable { own.insert(variable) }
                // The condition of a repetition compares what the step itself captured.
                if case .repeats = step.loop { own.formUnion(names.map { "\(step.name).\($0)" }) }
                for index in firstUse..<uses.count { uses[index].own = own }
                if group != nil, case .repeats = step.loop {
                    report(member, "while is not valid in a parallel group; write the step before or after the group")
                    step.loop = nil
                }
                steps.append(step)
                new.formUnion(names.map { "\(step.name).\($0)" })
            }
            captured.formUnion(new)
        }
        reportLaterCaptures(from: firstUse, all: captured)
        return steps
    }

    /// Reads `{parallel: […], concurrency: N}` of a chain: the group and the nodes of its steps.
    private mutating func parallel(_ item: YAMLNode, _ list: YAMLNode, number: Int, kind: RunDefinition.Kind) -> (StepGroup, [YAMLNode])? {
        let fields = fields(item, of: "a parallel group", known: .parallel)
        guard kind == .chain else {
            report(item, "parallel is valid only in a chain; the steps of a batch are sent at the same time anyway")
            return nil
        }
        guard let members = list.items, !members.isEmpty else {
            report(list, "parallel must be a list of {send: TARGET}")
            return nil
        }
        for member in members where member.entries?.contains(where: { $0.key.text == "parallel" }) == true {
            report(member, "a parallel group cannot contain another one; write its steps in this group")
            return nil
        }
        return (StepGroup(number: number, concurrency: integer(fields["concurrency"], "concurrency", in: 1...10_000)), members)
    }

    /// Reports references to captures of later steps, for which no other hint would help.
    private mutating func reportLaterCaptures(from first: Int, all captured: Set<String>) {
        for index in uses.indices[first...] {
            guard case .variable(let name, _) = uses[index].segment, captured.contains(name), uses[index].own?.insert(name).inserted == true else {
                continue
            }
            problems.append(
                Diagnostic(
                    uses[index].location,
                    "{{\(name)}} is captured by a later step or in the same parallel group; a step can use only values captured before it"))
        }
    }

    private mutating func step(_ item: YAMLNode, kind: RunDefinition.Kind, targets: [String]) -> RunDefinition.Step? {
        guard item.entries != nil else {
            report(item, "a step must be {send: TARGET}, not \(item.kindName)")
            return nil
        }
        let fields = fields(item, of: "a step", known: .step)
        // Read before the target is checked, so that their problems are reported in every case.
        let (variables, expectation, captures) = (
            variables(fields["with"], of: "with"), expectation(fields["expect"]), captures(fields["capture"])
        )
        let (conditions, loop) = (stepConditions(fields["if"], "if"), loop(fields, kind: kind))
        guard let sendNode = fields["send"] else {
            report(item, "the step has no target; write send: TARGET")
            return nil
        }
        guard let target = name(sendNode, "send") else { return nil }
        if !targets.contains(target) {
            let nearest =
                Suggestion.nearest(to: target, in: targets)
                ?? targets.first { FilePath.name(of: $0) == FilePath.name(of: target) }
            let hint = nearest.map { "; did you mean “\($0)”?" } ?? "; see sortie list"
            report(sendNode, "there is no endpoint “\(target.shortened)”\(hint)")
        }
        var step = RunDefinition.Step(
            target: target, name: name(fields["as"], "as") ?? FilePath.name(of: target),
            variables: variables, expectation: expectation, captures: captures)
        step.conditions = conditions
        step.loop = loop
        step.location = place(item)
        return step
    }

    private mutating func readData(_ node: YAMLNode, of run: inout RunDefinition, isInside: (String) -> Bool) {
        guard let name = name(node, "data") else { return }
        let path = FilePath.joining(folder, expandingHome(name))
        run.dataFile = path
        if let folders, let protected = ProtectedLocation(path, .reading, folders) {
            return report(node, "the data is not read: \(protected.message)", severity: .warning)
        }
        guard isInside(path) else {
            // Loading reads nothing outside the workspace (`Security.md` 1); the run itself may, with permission.
            run.dataColumns = nil
            return
        }
        do {
            // An object of a JSON list may have more members than the first one.
            run.dataColumns = Set(try DataFile.rows(at: path, name: name).flatMap(\.keys)).sorted()
        } catch let problem as Diagnostic {
            report(node, "the data cannot be used: \(problem)")
        } catch {
            report(node, "the data cannot be used: \(error)")
        }
    }
}
