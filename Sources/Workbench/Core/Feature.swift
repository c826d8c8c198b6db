internal import SortieTerminal

/// A feature of the workbench: its rows of the key table, and what its commands do.
///
/// A feature is stateless; its ``FeatureState`` is stored in ``AppState``.
protocol Feature: Sendable {
    /// Its rows of the key table.
    var bindings: [Binding] { get }

    /// The stacks of contexts that its panes and popups use, apart from those that apply everywhere, the innermost first.
    var stacks: [[Context]] { get }

    /// Performs a command whose meaning does not depend on the focus; nil for a command of another feature.
    func perform(_ command: Command, _ state: inout AppState) -> [Effect]?

    /// A warning at the start of the footer; nil when there is none.
    func alert(_ state: AppState) -> Span?

    /// What the palette finds besides commands, such as endpoints.
    func places(_ state: AppState) -> [ListPopup.Item]

    /// Requests what the palette finds and the state does not have; the result is added to this list.
    func requestPlaces(for list: PopupStack.ID, _ state: inout AppState) -> [Effect]

    // MARK: Typing

    /// The values of ``contextsOfTyping(_:)`` apart from none.
    var stacksOfTyping: [[Context]] { get }

    /// The contexts of keys that precede those of the text that is being typed.
    func contextsOfTyping(_ state: AppState) -> [Context]

    /// Reacts to a change of the text that is being typed.
    func typed(_ change: TextChange, _ state: inout AppState)

    /// Reacts to Enter, which accepts the text that is being typed.
    func accepted(_ state: inout AppState)

    /// Takes pasted text before the field that is being typed in and the focused pane; nil for text of no interest.
    func pasted(_ text: String, in contexts: [Context], _ state: inout AppState) -> [Effect]?

    /// Handles the mouse before popups and panes; nil where the feature has drawn nothing.
    func use(_ mouse: Mouse, _ state: inout AppState) -> [Effect]?

    /// Draws above popups and panes.
    func drawAbove(on canvas: inout Canvas, _ state: AppState)

    /// What the footer of a wide terminal says besides the environment and the service; nil for nothing.
    func fact(_ state: AppState) -> String?
}

extension Feature {
    var bindings: [Binding] { [] }
    var stacks: [[Context]] { [] }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? { nil }

    func alert(_ state: AppState) -> Span? { nil }

    func places(_ state: AppState) -> [ListPopup.Item] { [] }

    func requestPlaces(for list: PopupStack.ID, _ state: inout AppState) -> [Effect] { [] }

    var stacksOfTyping: [[Context]] { [] }

    func contextsOfTyping(_ state: AppState) -> [Context] { [] }

    func typed(_ change: TextChange, _ state: inout AppState) {}

    func accepted(_ state: inout AppState) {}

    func pasted(_ text: String, in contexts: [Context], _ state: inout AppState) -> [Effect]? { nil }

    func use(_ mouse: Mouse, _ state: inout AppState) -> [Effect]? { nil }

    func drawAbove(on canvas: inout Canvas, _ state: AppState) {}

    func fact(_ state: AppState) -> String? { nil }
}

/// The features of the program.
struct FeatureList: Sendable {
    let services: any PaneFeature
    let request: any PaneFeature
    /// What the request pane shows in place of an endpoint: a service.
    let service: any PaneFeature
    let response: any PaneFeature
    /// The tabs of the bottom pane, in their order.
    let tabs: [any TabFeature]
    /// The features without a pane.
    let others: [any Feature]

    // Elements are converted one by one. The conversion of a whole array, and the cast of a feature to `any PaneFeature`, search the conformances of the
    // program for each type, which took a sixth of the start of the workbench.

    /// The features with a pane.
    var panes: [any PaneFeature] { [services, request, service, response] + tabs.map { $0 as any PaneFeature } }

    /// All features, in the order of the key table and the palette.
    var all: [any Feature] { panes.map { $0 as any Feature } + others }
}

extension AppState {
    /// The pane that has the focus; for the bottom pane its tab.
    var focusedPane: any PaneFeature { paneFeature(focus) }

    /// The feature that a pane shows.
    func paneFeature(_ pane: Pane) -> any PaneFeature {
        switch pane {
        case .services: features.services
        case .request: shownService == nil ? features.request : features.service
        case .response: features.response
        case .bottom: shownTab
        }
    }

    /// The shown tab of the bottom pane.
    var shownTab: any TabFeature { features.tabs.first { $0.tab == bottomTab } ?? features.tabs[0] }
}

/// The state of a feature, which ``AppState`` stores by its type.
///
/// The state of the program therefore does not depend on the features, and a new feature changes nothing outside its directory.
protocol FeatureState: Sendable {
    /// Creates the initial state.
    init()
}

/// The states of the features, by type.
struct FeatureStates: Sendable {
    private var states: [ObjectIdentifier: any FeatureState] = [:]

    /// The state of a feature.
    ///
    /// A mutation happens in place: the state is taken out of the dictionary meanwhile, so that its arrays have one owner and are not copied.
    subscript<State: FeatureState>(_ type: State.Type) -> State {
        get { states[ObjectIdentifier(type)] as? State ?? State() }
        _modify {
            var state = states.removeValue(forKey: ObjectIdentifier(type)) as? State ?? State()
            defer { states[ObjectIdentifier(type)] = state }
            yield &state
        }
    }
}
