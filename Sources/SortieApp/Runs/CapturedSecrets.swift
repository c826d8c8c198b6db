internal import SortieHTTP
internal import WorkspaceModel

/// Hides the values that the steps of a run capture, like the values of secrets.
struct CapturedSecrets: Sendable {
    private let redaction: Redaction
    /// The sources of the captures by name, for each target; steps with the same target can capture a name from different sources.
    private let sources: [String: [String: Set<String>]]
    private let hide: @Sendable (String) -> Void

    init(plan: RunPlan, workspace: Workspace, hide: @escaping @Sendable (String) -> Void) {
        redaction = Redaction(adding: workspace.redact)
        var sources: [String: [String: Set<String>]] = [:]
        for step in plan.definition.steps {
            for capture in (workspace.endpoint(step.target)?.captures ?? []) + step.captures {
                sources[step.target, default: [:]][capture.name, default: []].insert(capture.path)
            }
        }
        self.sources = sources
        self.hide = hide
    }

    /// Hides the captured values of a step.
    func hide(_ step: StepRecord) {
        for (name, value) in step.captures {
            let paths: [String?] = sources[step.target]?[name].map(Array.init) ?? [nil]
            if paths.contains(where: { redaction.hidesCapture(value, named: name, from: $0) }) { hide(value) }
        }
    }

    /// Whether a step captures a value.
    func has(_ step: StepRecord) -> Bool { sources[step.target] != nil }
}
