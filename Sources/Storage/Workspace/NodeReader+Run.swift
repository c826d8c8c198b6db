internal import Model

extension NodeReader {
    /// The keys of a run's file.
    static let runKeys = ["description", "chain", "batch", "stopOnFailure", "concurrency"]

    /// The batch or chain of a file; `targets` are the endpoints that it may send.
    mutating func run(_ root: YAMLNode?, name: String, targets: [String]) -> RunDefinition? {
        guard let root, root.entries != nil else {
            let place = root.map(place) ?? SourceLocation(file: file)
            problems.append(Problem(place, "a run must be a mapping with chain or batch"))
            return nil
        }
        let fields = fields(root, of: "a run", known: Self.runKeys)
        _ = text(fields["description"], "description")
        guard let list = fields["chain"] ?? fields["batch"], fields["chain"] == nil || fields["batch"] == nil else {
            report(
                root,
                fields["chain"] == nil
                    ? "the run has neither chain nor batch" : "the run has both chain and batch; keep one of them")
            return nil
        }
        let kind: RunDefinition.Kind = fields["chain"] == nil ? .batch : .chain
        guard let items = list.items else {
            report(list, "\(kind.rawValue) must be a list of {send: TARGET}, not \(list.kindName)")
            return nil
        }
        if let concurrency = fields["concurrency"], kind == .chain {
            report(concurrency, "concurrency goes with batch; a chain sends one step after the other", severity: .warning)
        }
        var run = RunDefinition(
            name: name, kind: kind, steps: items.compactMap { step($0, targets: targets) },
            stopsOnFailure: bool(fields["stopOnFailure"], "stopOnFailure") ?? true,
            concurrency: integer(fields["concurrency"], "concurrency", in: 1...10_000))
        run.location = place(root)
        return run
    }

    private mutating func step(_ item: YAMLNode, targets: [String]) -> RunDefinition.Step? {
        guard item.entries != nil else {
            report(item, "a step must be {send: TARGET}, not \(item.kindName)")
            return nil
        }
        let fields = fields(item, of: "a step", known: ["send", "as", "with"])
        guard let sendNode = fields["send"] else {
            report(item, "the step sends nothing; write send: TARGET")
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
        return RunDefinition.Step(
            target: target, name: name(fields["as"], "as") ?? FilePath.name(of: target),
            variables: variables(fields["with"], of: "with"))
    }
}
