internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Renders workspace settings and runs as the values of new files.
struct ImportForm {
    /// The absolute folder of the workspace.
    let root: String

    /// The value of a new `workspace.yaml`.
    func value(of workspace: Workspace, summary: String?) -> YAMLValue {
        let environments = workspace.environments.map { environment in
            YAMLValue.Member(environment.name, .mapping([.init("variables", Self.variables(environment.variables) ?? .mapping([]))]))
        }
        return .mapping(optional: [
            ("name", .text(workspace.name)), ("description", summary.map(YAMLValue.text)),
            ("environment", workspace.initialEnvironment.map(YAMLValue.text)),
            ("environments", environments.isEmpty ? nil : .mapping(environments)), ("variables", Self.variables(workspace.variables)),
            ("secrets", Self.secrets(workspace.secrets)),
        ])
    }

    /// Variables in the order of their names; nil for none.
    static func variables(_ variables: [String: String]) -> YAMLValue? {
        variables.isEmpty ? nil : .mapping(variables.sorted { $0.key < $1.key }.map { .init($0.key, .text($0.value)) })
    }

    /// The sources of secrets in the order of their names; nil for none.
    static func secrets(_ secrets: [String: SecretSource]) -> YAMLValue? {
        secrets.isEmpty ? nil : .mapping(secrets.sorted { $0.key < $1.key }.map { .init($0.key, value(of: $0.value)) })
    }

    static func value(of secret: SecretSource) -> YAMLValue {
        switch secret {
        case .environment(let name), .file(_, let name): .mapping([.init("env", .text(name))])
        case .command(let text): .mapping([.init("command", .text(text))])
        case .stored(let name): .mapping([.init("secret", .text(name))])
        }
    }

    /// The members of a step that repeat it.
    private static func members(of loop: StepLoop?, _ form: EndpointForm) -> [(String, YAMLValue?)] {
        switch loop {
        case nil: return []
        case .forEach(let variable, let items):
            let value: YAMLValue =
                switch items {
                case .list(let texts): .sequence(texts.map { .text($0) })
                case .template(let text): .text(text)
                }
            return [("forEach", variable == StepLoop.defaultVariable ? value : .mapping([.init(variable, value)]))]
        case .repeats(let conditions, let every, let limit):
            return [
                ("while", form.conditions(conditions)), ("every", every == StepLoop.defaultPause ? nil : .text(DurationText.text(every))),
                ("limit", limit == StepLoop.defaultLimit ? nil : .text(String(limit))),
            ]
        }
    }

    /// The value of a run's file.
    func value(of run: RunDefinition) -> YAMLValue {
        let steps = run.turns.flatMap { turn -> [YAMLValue] in
            let values = turn.map { value(of: $0) }
            guard let group = turn.first?.group else { return values }
            return [.mapping(optional: [("parallel", .sequence(values)), ("concurrency", group.concurrency.map { .text(String($0)) })])]
        }
        return .mapping(optional: [
            (run.kind.rawValue, .sequence(steps)), ("stopOnFailure", run.stopsOnFailure ? nil : .token("false")),
            ("concurrency", run.concurrency.map { .text(String($0)) }),
            ("ignore", run.ignored.isEmpty ? nil : .sequence(run.ignored.map(YAMLValue.text))),
        ])
    }

    /// The value of a step.
    func value(of step: RunDefinition.Step) -> YAMLValue {
        let form = EndpointForm(source: nil, original: nil, folder: root, root: root, base: Timeouts())
        return .mapping(
            optional: [
                ("send", .text(step.target)), ("as", step.name == FilePath.name(of: step.target) ? nil : .text(step.name)),
                ("with", Self.variables(step.variables)), ("expect", step.expectation.map(form.expectation)),
                ("capture", step.captures.isEmpty ? nil : .mapping(step.captures.map { .init($0.name, .text($0.path)) })),
                ("if", form.conditions(step.conditions)),
            ] + Self.members(of: step.loop, form))
    }
}
