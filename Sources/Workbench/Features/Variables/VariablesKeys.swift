internal import SortieTerminal
internal import WorkspaceModel

extension Context {
    /// The variables popup.
    static let variables = Context("Variables")
}

extension Command {
    static let variables = Command.named("variables")
    static let defineVariable = Command.named("defineVariable")
    static let renameVariable = Command.named("renameVariable", isInPalette: false)
    static let compareEnvironments = Command.named("compareEnvironments", isInPalette: false)
    static let openDefinition = Command.named("openDefinition", isInPalette: false)
}

extension VariablesFeature {
    var bindings: [Binding] {
        [
            Binding(.variables, [.up, .character("k")], .move(.up), "Up", "Move up"),
            Binding(.variables, [.down, .character("j")], .move(.down), "Down", "Move down"),
            Binding(.variables, [.pageUp], .move(.pageUp), "Page up", "Move up by a page"),
            Binding(.variables, [.pageDown], .move(.pageDown), "Page down", "Move down by a page"),
            Binding(.variables, [.home, .character("g")], .move(.first), "Start", "Go to the first variable"),
            Binding(.variables, [.end, .character("G")], .move(.last), "End", "Go to the last variable"),
            Binding(.variables, [.left, .character("h")], .previousTab, "Left", "Go to the environment on the left"),
            Binding(.variables, [.right, .character("l")], .nextTab, "Right", "Go to the environment on the right"),
            Binding(.variables, [.enter], .open, "Uses", "List the places that use the variable, and go to one", hint: 1, unless: Self.noVariable),
            Binding(.variables, [.character("e")], .editRow, "Edit", "Edit the value in the environment", hint: 2, unless: Self.noVariable),
            Binding(.variables, [.character("a")], .addRow, "Add", "Add a variable or a secret", hint: 3),
            Binding(
                .variables, [.character("d"), .delete], .deleteRow, "Delete", "Delete the variable; it can be undone", hint: 4,
                unless: Self.noVariable),
            Binding(
                .variables, [.character("r")], .renameVariable, "Rename", "Rename the variable; the templates that use it can follow", hint: 7,
                unless: Self.noVariable),
            Binding(
                .variables, [.character("u")], .undoItems, "Undo", "Undo the last change of the workspace's files", hint: 8,
                unless: ItemsFeature.nothingToUndo),
            Binding(
                .variables, [.character("c")], .compareEnvironments, "Compare",
                "Show only what differs between the environment and another one; again for the next one", hint: 5, unless: Self.nothingToCompare),
            Binding(.variables, [.character("/")], .search, "Filter", "Show the variables whose name or value contains a text", hint: 6),
            Binding(.variables, [.character("x")], .reveal, "Reveal", "Show the value until the next key", hint: 9, unless: Self.noVariable),
            Binding(.variables, [.character("S")], .toggleSecrets, "Secrets", "Show values with secret names, or mask them again"),
            Binding(.variables, [.character("n")], .newEnvironment, "New environment", "Create an environment, as a copy of another one or empty"),
            Binding(
                .variables, [.character("o")], .openDefinition, "Open", "Open the file in $EDITOR at the definition", unless: Self.noVariable),
            Binding(.variables, [.character("y")], .copy, "Copy", "Copy the value, with unresolved templates", unless: Self.noVariable),
            Binding(.variables, [.escape, .control("c"), .character("q")], .close, "Close", "Close the variables", hint: 20),
            Binding(.panes, [.character("E")], .variables, "Variables", "Show, compare and edit variables", hint: 7)
                .alsoKnownAs("Compare environments", "Secrets"),
            Binding(
                .request, [.character("+")], .defineVariable, "Define", "Define a variable that the request uses and nothing defines", hint: 2,
                unless: Self.nothingUndefined
            ).alsoKnownAs("Unresolved variable", "New variable"),
        ]
    }

    private static func noVariable(_ state: AppState) -> String? {
        guard let popup = state.popup as? VariablesPopup else { return "The variables are not open; \(state.key(.variables)) shows them" }
        return popup.chosen(state) == nil ? "No variable is selected" : nil
    }

    private static func nothingToCompare(_ state: AppState) -> String? {
        state.workspace.environments.count > 1 ? nil : "There is no other environment; \(state.key(.newEnvironment, in: .variables)) creates one"
    }

    private static func nothingUndefined(_ state: AppState) -> String? {
        state.noEndpointReason ?? (undefinedName(state) == nil ? "Every variable of this request is defined" : nil)
    }
}
