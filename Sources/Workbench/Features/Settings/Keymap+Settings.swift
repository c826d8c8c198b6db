internal import SortieBase
internal import SortieTerminal
internal import WorkspaceModel

/// The keys of the settings.
extension Keymap {
    /// The key table of the features with the keys of the settings, and what is invalid in these.
    static func keymap(_ features: FeatureList, _ settings: Settings) -> (keymap: Keymap, problems: [Diagnostic]) {
        var keymap = Keymap(features)
        for (context, command, keys) in additions(settings.keymap) { keymap.bind(keys, to: command, in: context) }
        var problems: [Diagnostic] = []
        for assignment in settings.keys {
            do throws(Diagnostic) { try keymap.apply(assignment) } catch { problems.append(error) }
        }
        return (keymap, problems)
    }

    /// The keys that a keymap has besides those of the table.
    private static func additions(_ keymap: Settings.Keymap) -> [(Context, Command, [Key])] {
        switch keymap {
        case .standard: []
        case .vi:
            [
                (.panes, .move(.pageDown), [.control("d"), .control("f")]), (.panes, .move(.pageUp), [.control("u"), .control("b")]),
                (.panes, .palette, [.character(":")]),
            ]
        case .emacs:
            [
                (.panes, .move(.down), [.control("n")]), (.panes, .move(.up), [.control("p")]), (.panes, .move(.pageDown), [.control("v")]),
                (.panes, .move(.pageUp), [.alt("v")]), (.panes, .move(.first), [.alt("<")]), (.panes, .move(.last), [.alt(">")]),
                (.panes, .search, [.control("s")]), (.panes, .back, [.control("g")]), (.popup, .close, [.control("g")]),
                (.popup, .move(.down), [.control("n")]), (.popup, .move(.up), [.control("p")]), (.everywhere, .palette, [.alt("x")]),
                (.everywhere, .save, [.alt("s")]),
            ]
        }
    }

    /// What a keymap adds, for a preview.
    static func summary(of keymap: Settings.Keymap?, _ features: FeatureList) -> String {
        let table = Keymap(features)
        let added = additions(keymap ?? .standard).map { context, command, keys in
            let bindings = table.bindings.filter { $0.command == command }
            let label = (bindings.first { $0.context == context } ?? bindings.first)?.label ?? ""
            return keys.map(\.label).joined(separator: " ") + " " + label
        }
        return added.isEmpty ? "arrows, and h j k l g G n N" : added.joined(separator: " · ")
    }

    /// The message about a text that is not the name of a key.
    static func message(aboutKey label: String) -> String { "“\(label)” is not a key; write Ctrl-R, Alt-x, F5, Enter, Space or a letter" }

    /// Adds keys to a command in a context, where they mean nothing else any more.
    private mutating func bind(_ keys: [Key], to command: Command, in context: Context) {
        free(keys, in: context)
        // In every pane the key would hide the one that works everywhere.
        if context == .panes { free(keys, in: .everywhere) }
        if let index = bindings.firstIndex(where: { $0.context == context && $0.command == command }) {
            bindings[index].keys += keys
        } else if var binding = bindings.first(where: { $0.command == command }) {
            binding.context = context
            binding.keys = keys
            binding.hint = 0
            bindings.append(binding)
        }
    }

    /// Removes keys from all commands in a context.
    private mutating func free(_ keys: [Key], in context: Context) {
        for index in bindings.indices where bindings[index].context == context { bindings[index].keys.removeAll { keys.contains($0) } }
    }

    private mutating func apply(_ assignment: Settings.KeyAssignment) throws(Diagnostic) {
        var keys: [Key] = []
        for label in assignment.keys {
            guard let key = Key(label: label) else {
                throw Diagnostic(assignment.location, Self.message(aboutKey: label))
            }
            keys.append(key)
        }
        let indices = try indices(of: assignment)
        for index in indices {
            free(keys, in: bindings[index].context)
            if bindings[index].context == .panes { free(keys, in: .everywhere) }
            bindings[index].keys = keys
        }
    }

    /// The rows that an assignment names.
    private func indices(of assignment: Settings.KeyAssignment) throws(Diagnostic) -> [Int] {
        let all = bindings.indices.filter { bindings[$0].command.isInPalette }
        func name(_ index: Int, _ hasPane: Bool) -> String {
            hasPane ? bindings[index].context.title + "/" + bindings[index].label : bindings[index].label
        }
        let wanted = assignment.command.lowercased()
        let found = all.filter { name($0, false).lowercased() == wanted || name($0, true).lowercased() == wanted }
        guard let first = found.first else {
            let nearest = Suggestion.nearest(to: assignment.command, in: all.map { name($0, false) }).map { "; did you mean “\($0)”?" }
            throw Diagnostic(
                assignment.location, "there is no command “\(assignment.command)”" + (nearest ?? "; the palette lists the names of all commands"))
        }
        if let other = found.first(where: { bindings[$0].command != bindings[first].command }) {
            throw Diagnostic(
                assignment.location, "several panes have a command “\(assignment.command)”; write \(name(first, true)) or \(name(other, true))")
        }
        return found
    }
}
