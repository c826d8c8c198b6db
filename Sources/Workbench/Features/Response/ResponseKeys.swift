internal import BodyViews
internal import SortieBase
internal import SortieTerminal

extension Context {
    static let response = Context("Response")
    /// The response pane while it shows an untrusted server.
    static let untrusted = Context("Refused certificate")
}

extension Command {
    static let switchMode = Command.named("switchMode")
    static let saveBody = Command.named("saveBody")
    static let copyPin = Command.named("copyPin")
    static let loadMore = Command.named("loadMore")
}

extension SearchPlace {
    static let response = SearchPlace("response")
}

extension ResponseFeature {
    private static func noBody(_ state: AppState) -> String? {
        guard state.openCall?.body?.bytes.isEmpty == false else { return "There is no body" }
        return state.responseState.tab == .body ? nil : "The Body tab is not shown"
    }

    var bindings: [Binding] {
        [
            Binding(
                .response, [.character("w")], .switchMode, "Pretty/raw/hex", "Show the body pretty, raw or as hex", hint: 4,
                unless: Self.noBody),
            Binding(.response, [.character("s")], .saveBody, "Save body", "Save the body to a file", hint: 5, unless: Self.noBody),
            Binding(
                .response, [.character("m")], .loadMore, "More", "Load the next page and append its items", hint: 3,
                unless: Self.cannotLoadMore),
            Binding(
                .untrusted, [.character("T")], .copyPin, "Copy pin",
                "Copy the pin of the server's key; Transfers is a tab of the bottom pane",
                hint: 3),
        ]
    }
}
