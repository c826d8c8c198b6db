import SortieTerminal
import Support
import Testing

@testable import SortieWorkbench

/// The reference of keys, generated from the key table.
@Suite struct KeysDocumentTests {
    private static var markdown: String {
        let head = """
            # Keys

            The keys of the workbench. A test generates this page from the table of keys.

            `?` shows the keys that work in the current place, F1 the article of the guide about the popup or the pane. Ctrl-P lists every command by name;
            commands without a key are in the palette only. A key means what the innermost context says: the popup or text field, then the pane, then
            *\(Context.panes.title)*, then *\(Context.everywhere.title)* (not in popups), then *\(Context.always.title)*. Single letters act
            when no text is edited.

            The mouse selects, scrolls, opens, and drags the borders of panes; a double click does what Enter does, and a click of the right button
            lists the keys for the row, which a click performs. Keys and the environment in the footer, the method, values with `▾` and words in a form are
            buttons. The [settings](Settings.md) change keys.


            """
        let all = AppState.sample().keymap.bindings
        var contexts: [Context] = []
        for binding in all where !contexts.contains(binding.context) { contexts.append(binding.context) }
        let sections = contexts.map { context -> String in
            let bindings = all.filter { $0.context == context }
            let rows = bindings.map { binding in
                let keys = binding.keys.isEmpty ? "palette" : binding.keys.map { code($0.label) }.joined(separator: " ")
                return "| \(keys) | \(escaped(binding.summary)) |\n"
            }
            return "## \(context.title)\n\n| keys | does |\n|---|---|\n\(rows.joined())"
        }
        return head + sections.joined(separator: "\n")
    }

    /// `^R` becomes `Ctrl-R`.
    private static func code(_ label: String) -> String {
        "`\(escaped(label.count == 2 && label.hasPrefix("^") ? "Ctrl-\(label.dropFirst())" : label))`"
    }

    /// A text of a cell, in which a bar would begin another cell.
    private static func escaped(_ text: String) -> String { text.replacing("|", with: "\\|") }

    @Test func `the reference has the keys of the program`() throws {
        let document = GeneratedDocument("Sources/sortie/Documentation.docc/Keys.md")
        let problem = try document.problem(comparedWith: Self.markdown, suite: "KeysDocumentTests")
        #expect(problem == nil)
    }
}
