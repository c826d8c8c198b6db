internal import SortieHTTP
internal import WorkspaceModel

/// Hides the values that the steps of a run capture, like the values of secrets.
struct CapturedSecrets: Sendable {
    private let redaction: Redaction
    /// The sources of each step's captures, by name.
    private let sources: [[String: String]]
    private let hide: @Sendable (String) -> Void

    init(plan: RunPlan, workspace: Workspace, hide: @escaping @Sendable (String) -> Void) {
        redaction = Redaction(adding: workspace.redact)
        let captures = Dictionary(workspace.endpoints.map { ($0.target, $0.captures) }) { first, _ in first }
        sources = plan.steps.map { step in
            let all = captures[step.definition.target, default: []] + step.definition.captures
            return Dictionary(all.map { ($0.name, $0.path) }) { $1 }
        }
        self.hide = hide
    }

    /// Hides the captured values of a step.
    func hide(_ index: Int, _ step: StepRecord) {
        for (name, value) in step.captures {
            let source = sources.indices.contains(index) ? sources[index][name] : nil
            if redaction.hidesCapture(value, named: name, from: source) { hide(value) }
        }
    }

    /// Whether a step captures a value.
    func has(_ index: Int) -> Bool { sources.indices.contains(index) && !sources[index].isEmpty }
}
