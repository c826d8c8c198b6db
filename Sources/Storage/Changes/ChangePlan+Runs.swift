internal import SortieBase
internal import WorkspaceModel

/// Creating runs, and changing their steps.
extension ChangePlan {
    /// The file of a new run, with separate lines for each step.
    static func bytes(of run: RunDefinition, in folder: WorkspaceFolder) -> [UInt8] {
        let form = ImportForm(root: folder.path)
        let steps = run.steps.map { "  - " + YAMLText.block(form.value(of: $0), indentation: 4) + "\n" }
        return Array("\(run.kind.rawValue):\n\(steps.joined())".utf8)
    }

    mutating func changeRun(from old: RunDefinition, to new: RunDefinition) throws(WorkspaceError) {
        let file = try existingFile(.run(old.name))
        guard let current = workspace.runs.first(where: { $0.name == old.name }), current.kind == old.kind,
            current.steps.map(\.withoutExpectation) == old.steps.map(\.withoutExpectation)
        else {
            throw WorkspaceError(
                .changedOnDisk, file: file, "the run was changed in the meantime, so nothing was changed; look at it, then try again")
        }
        guard !new.steps.isEmpty else {
            throw WorkspaceError(.cannotExpress, file: file, "a run has at least one step; delete the run instead")
        }
        let form = ImportForm(root: folder.path)
        try edit(file) { (document, patch) throws(CannotPatch) in
            let nodes = document.root?.runSteps ?? []
            guard nodes.count == old.steps.count else { throw CannotPatch() }
            for (before, node) in zip(old.steps, nodes) {
                guard let after = new.steps.first(where: { $0.isSameStep(as: before) }) else { continue }
                try patch.changeMembers(of: node, from: form.value(of: before), to: form.value(of: after))
            }
        }
        let turns = new.turns.map { steps in
            StepTurn(
                steps: steps.map { step in
                    old.steps.firstIndex { $0.isSameStep(as: step) }.map(StepTurn.Step.known) ?? .new(form.value(of: step))
                }, isGroup: steps.first?.group != nil, concurrency: steps.first?.group?.concurrency)
        }
        try edit(file) { (document, patch) throws(CannotPatch) in try patch.arrangeSteps(of: document.root, as: turns) }
        try requireSteps(new, in: file)
    }

    /// Requires that a changed run is read with the steps that were meant.
    private func requireSteps(_ run: RunDefinition, in file: String) throws(WorkspaceError) {
        guard let bytes = newBytes(of: file) else { return }
        var reader = NodeReader(file: file, folder: FilePath.folder(of: FilePath.joining(folder.path, file)), folders: folder.folders)
        let read: RunDefinition?
        do {
            let root = try YAMLDocument(bytes: bytes, file: file).root
            var targets = KnownTargets()
            read = reader.run(root, name: run.name, targets: &targets, captures: [:], isInside: { _ in false })
        } catch { throw Self.cannotChange(file) }
        func steps(_ run: RunDefinition?) -> [RunDefinition.Step]? {
            run?.steps.map { step in
                var step = step.withoutExpectation
                step.location = nil
                return step
            }
        }
        guard steps(read) == steps(run) else { throw Self.cannotChange(file) }
    }
}

extension RunDefinition.Step {
    /// The step without its expectation, whose files are read only when it is checked.
    fileprivate var withoutExpectation: Self {
        var step = self
        step.expectation = nil
        return step
    }

    /// Whether both are the same step of a file.
    fileprivate func isSameStep(as other: Self) -> Bool { location != nil && location == other.location }
}

extension YAMLPatch {
    /// Changes the members of a step; those that both values have stay as they are.
    fileprivate mutating func changeMembers(of node: YAMLNode, from old: YAMLValue, to new: YAMLValue) throws(CannotPatch) {
        guard old != new else { return }
        guard case .mapping(let entries) = node.content, !node.isAlias, case .mapping(let before) = old, case .mapping(let after) = new else {
            throw CannotPatch()
        }
        try changeMapping(node, entries, from: before, to: after, inFlow: source.isFlow(node))
    }
}
