internal import Terminal

extension Keymap {
    /// Bindings of single panes.
    static let paneBindings: [Binding] = [
        Binding(.services, [.enter], .open, "Open", "Open the endpoint in Request; fold or unfold a service", hint: 3),
        Binding(.services, [.space], .toggle, "Fold", "Fold or unfold"),

        Binding(.request, [.enter, .character("e")], .editRow, "Edit", "Edit what is selected", hint: 3, unless: \.noRowReason),
        Binding(.request, [.space], .toggle, "On/off", "Switch the row on or off", hint: 4, unless: \.noPairReason),
        Binding(.request, [.character("a")], .addRow, "Add", "Add a row", hint: 5, unless: \.cannotAddReason),
        Binding(
            .request, [.character("d"), .delete], .deleteRow, "Delete", "Delete the row; u brings it back", hint: 6,
            unless: \.noPairReason),
        Binding(
            .request, [.character("u")], .undo, "Undo", "Take back the last change to this endpoint", hint: 8,
            unless: \.noUndoReason),
        Binding(.request, [.character("p")], .editURL, "URL", "Edit the path or URL", hint: 9, unless: \.noEndpointReason),
        Binding(.request, [.character("m")], .chooseMethod, "Method", "Choose the method", hint: 10, unless: \.noEndpointReason),
        Binding(
            .request, [], .discard, "Discard", "Forget the changes to this endpoint that are not saved", unless: \.notEditedReason
        ),

        Binding(
            .response, [.character("w")], .switchMode, "Pretty/raw/hex", "Show the body pretty, raw or as hex", hint: 4,
            unless: \.noBodyReason),
        Binding(.response, [.character("s")], .saveBody, "Save body", "Save the body to a file", hint: 5, unless: \.noBodyReason),

        Binding(
            .transfers, [.character("x")], .cancelTransfer, "Cancel", "Cancel the transfer", hint: 3, unless: \.noTransferReason),
        Binding(.transfers, [.enter], .open, "Show", "Show the response of the transfer", hint: 4, unless: \.noTransferRowReason),
    ]
}
