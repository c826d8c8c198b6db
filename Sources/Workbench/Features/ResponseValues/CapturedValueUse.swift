internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// A place in a later step of a run that can use a captured value.
struct CapturedValueUse: Hashable, Sendable {
    /// What is changed.
    enum Place: Hashable, Sendable {
        /// The variable of the step, which its endpoint uses and nothing defines.
        case variable(String)
        /// The places of the endpoint that have the value now.
        case sameValue
        /// The bearer token of the endpoint.
        case bearer
    }

    /// The index of the step in the run.
    let step: Int
    /// The name of the step.
    let name: String
    let target: EndpointID
    let place: Place
    /// The places with the value, for ``Place/sameValue``.
    var places: [String] = []

    /// The choice in the form.
    var text: String {
        switch place {
        case .variable(let variable): "\(name): {{\(variable)}}"
        case .sameValue: "\(name): \(places.joined(separator: ", "))"
        case .bearer: "\(name): Bearer token"
        }
    }
}

/// The run in which a value is captured, and what the following steps can do with it.
struct CapturedValueUses {
    /// The number of following steps that are offered.
    private static let limit = 8

    /// The run that sends the endpoint; nil where no chain does.
    let run: RunDefinition?
    /// The name of the step that captures the value; the last part of the target where no chain sends it.
    let step: String
    private(set) var uses: [CapturedValueUse] = []

    /// Finds the uses in the shown run, else in the first chain that sends the endpoint.
    init(of selected: SelectedValue, isMasked: Bool, _ state: AppState) {
        let target = selected.endpoint.target
        let chains = state.workspace.runs.filter { run in run.kind == .chain && run.steps.contains { $0.target == target } }
        let shown = RunsFeature.shownRuns(state)?.name
        run = chains.first { $0.name == shown } ?? chains.first
        guard let run, let index = run.steps.firstIndex(where: { $0.target == target }) else {
            step = FilePath.name(of: target)
            return
        }
        step = run.steps[index].name
        let scan = TemplateNeedsScan(state.workspace, environment: state.environment, overrides: state.overrides)
        for index in RunOutline(run, in: state.workspace).stepsAfter(index).prefix(Self.limit) {
            let later = run.steps[index]
            guard let endpoint = state.endpoint(EndpointID(later.target)), endpoint.target != target else { continue }
            func use(_ place: CapturedValueUse.Place, _ places: [String] = []) -> CapturedValueUse {
                CapturedValueUse(step: index, name: later.name, target: endpoint.id, place: place, places: places)
            }
            let undefined = scan.needs(of: endpoint, variables: later.variables).undefined.filter { !$0.contains(".") }
            uses += undefined.map { use(.variable($0)) }
            if !isMasked, let text = selected.text, text.utf8.count > 2 {
                var changed = endpoint
                let places = changed.replace(text, by: "{{\(step)}}")
                if !places.isEmpty { uses.append(use(.sameValue, places)) }
            }
            if case .string? = selected.value, endpoint.auth.mayBeBearer { uses.append(use(.bearer)) }
        }
    }

    /// The use that is proposed: a variable of the name, a place with the value, a token as the credential; nil for none.
    func proposed(named name: String) -> CapturedValueUse? {
        if let variable = uses.first(where: { if case .variable(name) = $0.place { true } else { false } }) { return variable }
        if let place = uses.first(where: { $0.place == .sameValue }) { return place }
        return Redaction.standard.isSecret(name) || name.lowercased().hasSuffix("token") ? uses.first { $0.place == .bearer } : nil
    }
}

extension Auth {
    /// Whether a bearer token takes the place of no other credentials of the endpoint.
    fileprivate var mayBeBearer: Bool {
        switch self {
        case .inherit, .none, .bearer: true
        default: false
        }
    }
}
