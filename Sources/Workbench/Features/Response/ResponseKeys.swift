internal import BodyViews
internal import SortieBase
internal import SortieTerminal

extension Context {
    static let response = Context("Response")
    /// The response pane while it shows an untrusted server.
    static let untrusted = Context("Refused certificate")
    /// The response pane while it shows a failure without a body.
    static let failed = Context("Failed request")
}

extension Command {
    static let switchMode = Command.named("switchMode")
    static let saveBody = Command.named("saveBody")
    static let copyPin = Command.named("copyPin")
    static let trustServer = Command.named("trustServer")
    static let repair = Command.named("repair")
    static let loadMore = Command.named("loadMore")
    static let filterBody = Command.named("filterBody")
    static let toggleFold = Command.named("toggleFold", isInPalette: false)
    static let foldAll = Command.named("foldAll")
    static let unfoldAll = Command.named("unfoldAll")
    static let copyPath = Command.named("copyPath")
    static let copyKey = Command.named("copyKey")
}

extension SearchPlace {
    static let response = SearchPlace("response")
}

extension ResponseFeature {
    static func noBody(_ state: AppState) -> String? {
        guard state.openCall?.body?.bytes.isEmpty == false else { return "There is no body" }
        return state.responseState.tab == .body ? nil : "The Body tab is not shown"
    }

    var bindings: [Binding] {
        Self.openingBindings + Self.streamBindings + [
            Binding(
                .response, [.character("w")], .switchMode, "Pretty/raw/hex", "Show the body pretty, raw or as hex; an image drawn or as hex", hint: 4,
                unless: Self.noBody
            ).alsoKnownAs("Hex", "Raw"),
            Binding(.response, [.character("s")], .saveBody, "Save body", "Save the body to a file", hint: 5, unless: Self.noBody),
            Binding(
                .response, [.character("f")], .filterBody, "Filter", "Filter the body by a JSON path ($.items[*].id) or as jq does (.items[] | {id})",
                hint: 2, unless: Self.noFilter),
            Binding(
                .response, [.character("t")], .toggleTable, "Table", "Show the array of objects at the cursor as a table, or the tree again",
                hint: 5, unless: Self.noTable
            ).alsoKnownAs("Columns", "CSV", "Spreadsheet", "Grid"),
            Binding(.bodyTable, [.enter], .copyCell, "Copy cell", "Copy the value of the cell at the cursor", hint: 2),
            Binding(
                .bodyTable, [.character("=")], .sortColumn, "Sort",
                "Sort by the column at the cursor: ascending, descending, in the order of the body",
                hint: 1, unless: Self.noTableShown
            ).alsoKnownAs("Order by", "Ascending", "Descending"),
            Binding(
                .response, [.character("W")], .toggleWrapping, "Wrap", "Wrap long lines of the body, or cut them at the border",
                unless: Self.noWrapping
            ).alsoKnownAs("Word wrap", "Line wrapping", "Soft wrap"),
            Binding(
                .response, [.character("@")], .goToOffset, "Go to offset", "Go to the byte at an offset, such as 4096 or 0x1000", unless: Self.noBody
            ).alsoKnownAs("Jump to byte", "Address", "Position"),
            Binding(
                .response, [.enter], .toggleFold, "Fold", "Fold or unfold the value or the element at the cursor", hint: 6, unless: Self.noFolding),
            Binding(.response, [.character("-")], .foldAll, "Fold all", "Fold all values or elements of the body", unless: Self.noFolding),
            Binding(.response, [.character("+")], .unfoldAll, "Unfold all", "Unfold all values or elements of the body", unless: Self.noFolding),
            Binding(
                .response, [.character("Y")], .copyPath, "Copy path", "Copy the JSON path of the value, or the XPath of the element, at the cursor",
                unless: Self.noPath),
            Binding(
                .response, [.character("K")], .copyKey, "Copy name", "Copy the name of the member or the element at the cursor",
                unless: Self.noFolding),
            Binding(.bodyFilter, [.enter], .accept, "Keep", "Keep the filter and go to the results", hint: 1),
            Binding(.bodyFilter, [.escape, .control("c")], .leave, "Remove", "Show the whole body again", hint: 2),
            Binding(.bodyFilter, [.up], .move(.up), "Up", "Move up in the results"),
            Binding(.bodyFilter, [.down], .move(.down), "Down", "Move down in the results"),
            Binding(.bodyFilter, [.pageUp], .move(.pageUp), "Page up", "Move up by a page"),
            Binding(.bodyFilter, [.pageDown], .move(.pageDown), "Page down", "Move down by a page"),
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
