internal import BodyViews
internal import SortieBase
internal import SortieTerminal

/// How the search text of a place is compared.
struct SearchMode: Hashable, Sendable {
    /// Whether the text is a regular expression.
    var isPattern = false
    /// Whether `a` never matches `A`; otherwise it does in a text without capitals.
    var matchesCase = false

    /// The search of a text.
    func search(_ text: String) -> BodySearch { BodySearch(text, caseInsensitive: matchesCase ? false : nil, isPattern: isPattern) }

    /// Why a text is no regular expression, with the position; nil where it is valid or a plain text.
    func problem(_ text: String) -> String? {
        guard !text.isEmpty else { return nil }
        do throws(PatternError) { _ = try search(text).pattern() } catch { return error.message }
        return nil
    }

    /// The names of what differs from a plain search, such as `regex · case`.
    var label: String { [isPattern ? "regex" : nil, matchesCase ? "case" : nil].compactMap(\.self).joined(separator: " · ") }
}

/// The modes of the searches, by place.
struct SearchModesState: FeatureState {
    var byPlace: [SearchPlace: SearchMode] = [:]
}

extension Command {
    static let toggleSearchPattern = Command.named("toggleSearchPattern", isInPalette: false)
    static let toggleSearchCase = Command.named("toggleSearchCase", isInPalette: false)
}

/// The modes of a search.
struct SearchFeature: Feature {
    var bindings: [Binding] {
        [
            Binding(.entry, [.alt("r")], .toggleSearchPattern, "Regex", "Search a regular expression, or plain text", hint: 3, unless: Self.noSearch),
            Binding(.entry, [.alt("c")], .toggleSearchCase, "Case", "Match the case exactly, or only of capitals", hint: 4, unless: Self.noSearch),
        ]
    }

    private static func noSearch(_ state: AppState) -> String? {
        guard state.searchEntry == nil else { return nil }
        return state.popup is any ReadingPopup ? "The search of a window compares plain text" : "A filter compares plain text"
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        guard let place = state.searchEntry?.place else { return nil }
        var mode = state.searchMode(place)
        switch command {
        case .toggleSearchPattern: mode.isPattern.toggle()
        case .toggleSearchCase: mode.matchesCase.toggle()
        default: return nil
        }
        state.states[SearchModesState.self].byPlace[place] = mode
        state.focusedPane.searchChanged(isEmpty: true, &state)
        return state.find(forward: true, includingHere: true)
    }
}

extension AppState {
    /// How the search text of a place is compared.
    func searchMode(_ place: SearchPlace) -> SearchMode { states[SearchModesState.self].byPlace[place] ?? SearchMode() }

    /// The search of a place in lines; nil while nothing is searched there.
    func lineSearch(_ place: SearchPlace) -> LineSearch? {
        searchTerms[place].map { LineSearch(searchTerm: $0, mode: searchMode(place)) }
    }

    /// The search of a place in a body; nil while nothing is searched there, and for an invalid pattern.
    func bodySearch(_ place: SearchPlace) -> BodySearch? {
        guard let text = searchTerms[place] else { return nil }
        let mode = searchMode(place)
        return mode.problem(text) == nil ? mode.search(text) : nil
    }
}
