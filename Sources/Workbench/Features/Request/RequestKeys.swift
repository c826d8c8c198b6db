internal import SortieTerminal

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
    static let moveRowUp = Command.named("moveRowUp", isInPalette: false)
    static let moveRowDown = Command.named("moveRowDown", isInPalette: false)
    static let redo = Command.named("redo")
    static let editURL = Command.named("editURL")
    static let chooseMethod = Command.named("chooseMethod")
    static let formatBody = Command.named("formatBody")
    static let pickFile = Command.named("pickFile")
}

extension SearchPlace {
    static let request = SearchPlace("request")
}

extension RequestFeature {
    var bindings: [Binding] {
        [
            Binding(.request, [.enter], .editRow, "Edit", "Edit what is selected, or choose its file", hint: 3, unless: \.noRowReason),
            Binding(.request, [.character("e")], .editText, "Type", "Edit what is selected by typing", unless: \.noRowReason),
            Binding(
                .request, [.space], .toggle, "On/off", "Switch the row on or off; choose the next value", hint: 4,
                unless: \.noToggleReason),
            Binding(.request, [.character("a")], .addRow, "Add", "Add a row", hint: 5, unless: \.cannotAddReason),
            Binding(
                .request, [.character("d"), .delete], .deleteRow, "Delete", "Delete the row, or reset an option; it can be undone",
                hint: 6, unless: \.cannotDeleteReason),
            Binding(
                .request, [.character("f")], .pickFile, "File", "Choose the file of the body or of a part", hint: 5,
                unless: \.noFileReason),
            Binding(
                .request, [.character("="), .control("f")], .formatBody, "Format", "Format the JSON body", hint: 6,
                unless: \.cannotFormatReason),
            Binding(.request, [.character("D")], .duplicateRow, "Duplicate", "Insert a copy below the row", unless: \.noPairReason),
            Binding(.request, [.character("K"), Key(.up, .alt)], .moveRowUp, "Row up", "Move the row up", unless: \.noPairReason),
            Binding(.request, [.character("J"), Key(.down, .alt)], .moveRowDown, "Row down", "Move the row down", unless: \.noPairReason),
            Binding(
                .request, [.character("u")], .undo, "Undo", "Undo the last change to this endpoint", hint: 8,
                unless: \.noUndoReason),
            Binding(
                .request, [.character("U")], .redo, "Redo", "Redo the change that was undone last", unless: \.noRedoReason),
            Binding(.request, [.character("p")], .editURL, "URL", "Edit the path or URL", hint: 9, unless: \.noEndpointReason),
            Binding(.request, [.character("m")], .chooseMethod, "Method", "Choose the method", hint: 10, unless: \.noEndpointReason),
            Binding(.row, [.enter], .accept, "Done", "Leave the field; the text stays", hint: 1),
            Binding(.row, [.tab], .nextField, "Next field", "Name, value, description, next row", hint: 2),
            Binding(.row, [.backTab], .previousField, "Previous field", "The previous field"),
            Binding(.row, [.down], .lineDown, "Row below", "Edit the row below"),
            Binding(.row, [.up], .lineUp, "Row above", "Edit the row above"),
            Binding(.row, [.escape, .control("c")], .leave, "Leave", "Leave the field; the text stays and can be undone", hint: 3),
            Binding(.area, [.enter], .newLine, "New line", "Insert a new line"),
            Binding(.area, [.up], .lineUp, "Up", "One line up"),
            Binding(.area, [.down], .lineDown, "Down", "One line down"),
            Binding(.area, [.pageUp], .pageUp, "Page up", "Up by a page"),
            Binding(.area, [.pageDown], .pageDown, "Page down", "Down by a page"),
            Binding(.area, [.escape, .control("c")], .leave, "Leave", "Leave the body; the text stays and can be undone", hint: 1),
            Binding(.area, [.alt("=")], .formatBody, "Format", "Format the JSON body", hint: 2, unless: \.cannotFormatReason),
        ]
    }
}
