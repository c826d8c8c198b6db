internal import SortieTerminal

extension Context {
    /// A popup that shows a folder.
    static let files = Context("Choosing a file")
}

extension Command {
    static let folderUp = Command.named("folderUp", isInPalette: false)
    static let completeName = Command.named("completeName", isInPalette: false)
    static let toggleHidden = Command.named("toggleHidden", isInPalette: false)
}

extension FilePickerFeature {
    var bindings: [Binding] {
        [
            Binding(.files, [.up], .move(.up), "Up", "Move up"),
            Binding(.files, [.down], .move(.down), "Down", "Move down"),
            Binding(.files, [.pageUp], .move(.pageUp), "Page up", "Move up by a page"),
            Binding(.files, [.pageDown], .move(.pageDown), "Page down", "Move down by a page"),
            Binding(.files, [.enter, .right], .choose, "Open", "Open the folder, or choose the file", hint: 1),
            Binding(.files, [.left], .folderUp, "Up", "Go to the folder above; so does Backspace", hint: 2),
            Binding(.files, [.tab], .completeName, "Complete", "Complete the common beginning of the names", hint: 3),
            Binding(.files, [.control("t")], .toggleHidden, "Hidden", "Show or hide hidden files", hint: 4),
            Binding(.files, [.escape, .control("c")], .close, "Close", "Close without choosing", hint: 5),
        ]
    }
}
