package import SortieBase
package import SortieTerminal
package import WorkspaceModel

/// The themes of the settings.
extension Theme {
    /// The themes of the program and those that the settings define; invalid colours are those of the theme that they change.
    static func themes(of settings: Settings) -> (themes: [Theme], problems: [Diagnostic]) {
        var (themes, problems) = (all, [Diagnostic]())
        for definition in settings.themes {
            func place(_ key: String) -> SourceLocation { definition.places[key] ?? SourceLocation(file: settings.path) }
            let base = definition.colours["base"] ?? automatic.name
            var theme = themes.first { $0.name == base } ?? automatic
            if theme.name != base { problems.append(Diagnostic(place("base"), "there is no theme “\(base)”" + hint(base, themes.map(\.name)))) }
            (theme.name, theme.summary, theme.depth) = (definition.name, "of your settings", .rich)
            for (name, text) in definition.colours.sorted(by: { $0.key < $1.key }) where name != "base" {
                guard let colour = Colour(rawValue: name) else {
                    let names = ["base"] + Colour.allCases.map(\.rawValue)
                    problems.append(Diagnostic(place(name), "there is no colour “\(name)”" + hint(name, names)))
                    continue
                }
                guard let number = number(of: text) else {
                    problems.append(Diagnostic(place(name), "\(name) must be a number from 0 to 255, #rrggbb or default, not “\(text)”"))
                    continue
                }
                theme.colours[colour] = number
            }
            themes.removeAll { $0.name == theme.name }
            themes.append(theme)
        }
        return (themes, problems)
    }

    /// The theme that the settings name, and what is invalid in them; the one for any background where there is none of the name.
    package static func theme(of settings: Settings) -> (theme: Theme, problems: [Diagnostic]) {
        var (themes, problems) = themes(of: settings)
        if let theme = themes.first(where: { $0.name == settings.theme }) { return (theme, problems) }
        let names = themes.map(\.name)
        let message = "theme must be one of \(names.joined(separator: ", ")), not “\(settings.theme)”" + hint(settings.theme, names)
        problems.append(Diagnostic(settings.places["theme"] ?? SourceLocation(file: settings.path), message))
        return (.automatic, problems)
    }

    private static func hint(_ word: String, _ words: [String]) -> String {
        Suggestion.clause(for: word, in: words)
    }
}
