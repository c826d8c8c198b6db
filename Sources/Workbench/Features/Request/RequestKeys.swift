internal import SortieTerminal
internal import WorkspaceModel

extension Context {
    static let request = Context("Request")
    /// A row or the URL of the request is being edited.
    static let row = Context("Editing a row")
    /// A body is being edited.
    static let area = Context("Editing a body")
}

extension Command {
    static let editText = Command.named("editText", isInPalette: false)
    static let duplicateRow = Command.named("duplicateRow")
    static let moveRowUp = Command.named("moveRowUp")
    static let moveRowDown = Command.named("moveRowDown")
    static let redo = Command.named("redo")
    static let editURL = Command.named("editURL")
    static let chooseMethod = Command.named("chooseMethod")
    static let formatBody = Command.named("formatBody")
    static let minifyBody = Command.named("minifyBody")
    static let moveBodyToFile = Command.named("moveBodyToFile")
    static let searchText = Command.named("searchText", isInPalette: false)
    static let nextInText = Command.named("nextInText", isInPalette: false)
    static let previousInText = Command.named("previousInText", isInPalette: false)
    static let replaceText = Command.named("replaceText", isInPalette: false)
    static let pickFile = Command.named("pickFile")
    static let editProperty = Command.named("editProperty")
}

extension SearchPlace {
    static let request = SearchPlace("request")
}

/// The reasons why commands of the request pane are unavailable; nil for an available command.
extension RequestFeature {
    static func noRow(_ state: AppState) -> String? {
        if let reason = state.noEndpointReason { return reason }
        guard let row = selectedRow(state) else {
            return state.requestState.row < 0 ? nil : cannotAdd(state).map { _ in "There is nothing to edit here" }
        }
        switch row.kind {
        case .inherited where row.isLeftOut == true: return "The endpoint leaves this header out; \(state.key(.toggle)) sends it again"
        case .inherited where row.isLeftOut == false: return nil
        case .inherited(let place): return "This row comes from \(place); edit it there"
        case .result: return "This is the result; change the rows above"
        case .note: return "Too long to edit in place; \(state.key(.editOutside)) opens it in $EDITOR"
        default: return nil
        }
    }

    private static func noPair(_ state: AppState) -> String? {
        selectedRow(state)?.listIndex == nil ? "No row with a check box is selected" : nil
    }

    private static func noToggle(_ state: AppState) -> String? {
        let row = selectedRow(state)
        switch row?.kind {
        case .inherited where row?.isLeftOut != nil: return nil
        case .pair, .part, .choice, .toggle: return nil
        case nil: return "No row is selected"
        default: return "This row cannot be switched; \(state.key(.editRow)) edits it"
        }
    }

    private static func cannotDelete(_ state: AppState) -> String? {
        if let section = selectedRow(state)?.section, let endpoint = state.openEndpoint {
            return state.sections?.text(of: section, in: endpoint).isEmpty == false ? nil : "The endpoint has no \(section.rawValue)"
        }
        if case .pathParameter = selectedRow(state)?.kind {
            return selectedRow(state)?.isTakenOver == true ? "The parameter has no value here; \(state.key(.editURL)) edits the path" : nil
        }
        guard let row = selectedRow(state), row.option != nil || row.isLeftOut != nil else { return noPair(state) }
        if row.isLeftOut != nil { return nil }
        return row.isTakenOver ? "The endpoint sets no value here; it is inherited" : nil
    }

    private static func noFile(_ state: AppState) -> String? {
        if let reason = state.noEndpointReason { return reason }
        guard state.requestState.tab == .body else { return "Only a body has files" }
        return filePurpose(state) == nil ? "Choose the kind File, or a part of a multipart body, first" : nil
    }

    private static func cannotFormat(_ state: AppState) -> String? {
        formattedPart(state) == nil ? "Only JSON and XML can be formatted" : nil
    }

    private static func cannotMove(_ state: AppState) -> String? {
        guard let endpoint = state.openEndpoint else { return state.noEndpointReason }
        return endpoint.movingBodyProblem
    }

    private static func noText(_ state: AppState) -> String? {
        state.requestState.editing?.area == nil ? "Only the texts of a request can be searched" : nil
    }

    private static func noTextSearch(_ state: AppState) -> String? {
        if let reason = noText(state) { return reason }
        return state.searchTerms[.request] == nil ? "Nothing was searched here yet; press \(state.key(.searchText))" : nil
    }

    static func cannotAdd(_ state: AppState) -> String? {
        guard let endpoint = state.openEndpoint else { return state.noEndpointReason }
        let tab = state.requestState.tab
        if endpoint.takesPairs(tab) { return nil }
        if let row = selectedRow(state), row.option != nil || row.section != nil { return nil }
        guard tab == .body else { return "\(tab.title) has no rows to add" }
        return "Only a form or a multipart body has rows; \(state.key(.editRow)) on Kind chooses one"
    }

    private static func noUndo(_ state: AppState) -> String? {
        state.openTarget.flatMap { state.drafts[$0] }?.canUndo == true ? nil : "There is nothing to undo"
    }

    private static func noRedo(_ state: AppState) -> String? {
        state.openTarget.flatMap { state.drafts[$0] }?.canRedo == true ? nil : "There is nothing to redo"
    }
}

extension RequestFeature {
    var bindings: [Binding] {
        [
            Binding(.request, [.enter], .editRow, "Edit", "Edit what is selected, or choose its file", hint: 3, unless: Self.noRow),
            Binding(.request, [.character("e")], .editText, "Type", "Edit what is selected by typing", unless: Self.noRow),
            Binding(
                .request, [.space], .toggle, "On/off", "Switch the row on or off; choose the next value", hint: 4,
                unless: Self.noToggle),
            Binding(.request, [.character("a")], .addRow, "Add", "Add a row; set an option or a rule", hint: 5, unless: Self.cannotAdd),
            Binding(
                .request, [.character("d"), .delete], .deleteRow, "Delete", "Delete the row, or reset an option; it can be undone",
                hint: 6, unless: Self.cannotDelete),
            Binding(
                .request, [.character("f")], .pickFile, "File", "Choose the file of the body or of a part", hint: 5,
                unless: Self.noFile),
            Binding(
                .request, [.character("="), .control("f")], .formatBody, "Format", "Format the body: JSON or XML", hint: 6,
                unless: Self.cannotFormat
            ).alsoKnownAs("Pretty", "Beautify", "Indent"),
            Binding(.request, [], .minifyBody, "Minify", "Put the body on one line: JSON or XML", unless: Self.cannotFormat)
                .alsoKnownAs("Compact", "Compress", "One line"),
            Binding(
                .request, [], .moveBodyToFile, "Body to a file", "Move the text of the body to a file beside the endpoint's file",
                unless: Self.cannotMove
            ).alsoKnownAs("Side file", "Large body"),
            Binding(.request, [.character("D")], .duplicateRow, "Duplicate", "Insert a copy below the row", unless: Self.noPair)
                .alsoKnownAs("Clone"),
            Binding(.request, [.character("K"), Key(.up, .alt)], .moveRowUp, "Row up", "Move the row up", unless: Self.noPair),
            Binding(.request, [.character("J"), Key(.down, .alt)], .moveRowDown, "Row down", "Move the row down", unless: Self.noPair),
            Binding(
                .request, [.character("u")], .undo, "Undo", "Undo the last change to this endpoint", hint: 8,
                unless: Self.noUndo),
            Binding(
                .request, [.character("U")], .redo, "Redo", "Redo the change that was undone last", unless: Self.noRedo),
            Binding(
                .request, [.character("P")], .editProperty, "Properties", "List every property of the endpoint with its value, and edit one", hint: 7,
                unless: \.noEndpointReason
            ).alsoKnownAs("Tag endpoint", "Tags", "Answer", "Plugins", "Rules of the endpoint"),
            Binding(.request, [.character("p")], .editURL, "URL", "Edit the path or URL", hint: 9, unless: \.noEndpointReason),
            Binding(.request, [.character("m")], .chooseMethod, "Method", "Choose the method", hint: 10, unless: \.noEndpointReason),
            Binding(.row, [.enter], .accept, "Done", "Leave the field; the text stays", hint: 1),
            Binding(.row, [.tab], .nextField, "Next field", "Name, value, description, next row; after the last one a new row", hint: 2),
            Binding(.row, [.backTab], .previousField, "Previous field", "The previous field"),
            Binding(.row, [.down], .lineDown, "Row below", "Edit the row below"),
            Binding(.row, [.up], .lineUp, "Row above", "Edit the row above"),
            Binding(.row, [.escape, .control("c")], .leave, "Leave", "Leave the field; the text stays and can be undone", hint: 3),
            Binding(.area, [.enter], .newLine, "New line", "Insert a new line"),
            Binding(.area, [.up], .lineUp, "Up", "One line up"),
            Binding(.area, [.down], .lineDown, "Down", "One line down"),
            Binding(.area, [.pageUp], .pageUp, "Page up", "Up by a page"),
            Binding(.area, [.pageDown], .pageDown, "Page down", "Down by a page"),
            Binding(.area, [.escape, .control("c")], .leave, "Leave", "Leave the text; it stays and can be undone", hint: 1),
            Binding(.area, [.tab], .indent, "Indent", "Indent the selected lines, or insert blanks"),
            Binding(.area, [.backTab], .outdent, "Outdent", "Remove a level of indentation from the line, or from the selected lines"),
            Binding(.area, [.alt("=")], .formatBody, "Format", "Format the body: JSON or XML", hint: 2, unless: Self.cannotFormat),
            Binding(.area, [.alt("-")], .minifyBody, "Minify", "Put the body on one line: JSON or XML", unless: Self.cannotFormat),
            Binding(.area, [.alt("/")], .searchText, "Search", "Search in the text", hint: 3, unless: Self.noText),
            Binding(.area, [.alt("n")], .nextInText, "Next match", "Select the next match", unless: Self.noTextSearch),
            Binding(.area, [.alt("N")], .previousInText, "Previous match", "Select the previous match", unless: Self.noTextSearch),
            Binding(.area, [.alt("r")], .replaceText, "Replace", "Replace matches in the text", hint: 4, unless: Self.noText),
        ] + RequestPlace.all.map(\.binding)
    }
}
