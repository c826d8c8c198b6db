internal import SortieTerminal

/// The list of completions below the text that is being typed.
struct CompletionList: Sendable {
    /// The text that the list belongs to; the list ends with any other change of the text or its cursor.
    var content: EditableText
    /// The numbers of characters before and after the cursor that a completion replaces.
    var before: Int
    var after: Int
    var items: [Completion]
    /// The row that the user selected; nil while the list was only shown.
    var selected: Int?

    /// Selects the row at a distance, wrapping around; the first step selects the first or the last row.
    mutating func select(by distance: Int) {
        let start = selected ?? (distance > 0 ? -1 : items.count)
        selected = (start + distance + items.count) % items.count
    }

    /// The change of the text by the selected row, or by the first one.
    var change: TextChange {
        let item = items[selected ?? 0]
        return .replace(TextReplacement(before: before, after: after, text: item.text, cursor: item.cursor))
    }
}

/// The state of completion.
struct CompletionState: FeatureState {
    var list: CompletionList?

    init() {}
}

extension AppState {
    /// The list of completions of the text that is being typed; nil when none is open.
    var completionList: CompletionList? {
        guard let list = states[CompletionState.self].list, let text = typedText, text.content == list.content else { return nil }
        return list
    }
}
