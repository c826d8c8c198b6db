internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// A row on a tab of the request pane.
struct RequestRow: Hashable, Sendable {
    /// The kind of row, which determines the available edits.
    enum Kind: Hashable, Sendable {
        /// A parameter with a checkbox, by its index.
        case pair(Int)
        /// A parameter in the path, by its index.
        case pathParameter(Int)
        /// A part of a multipart body, by its index.
        case part(Int)
        /// A value with a fixed name.
        case setting(Setting)
        /// A value with a fixed name that is chosen from a list.
        case choice(Setting)
        /// A value with a fixed name that is on or off.
        case toggle(OptionRow)
        /// The heading of a text of a body.
        case bodyText(BodyText)
        /// A line of a text of a body, by its number from 0.
        case line(Int, of: BodyText)
        /// The heading of a section.
        case section(EndpointSection)
        /// A line of a section, by its number from 0.
        case sectionLine(EndpointSection, Int)
        /// A message instead of rows.
        case note
        /// A value that results from the other rows.
        case result
        /// A value from the service, the workspace, another tab or the engine, where it is edited.
        case inherited(String)
    }

    /// Values with a fixed name.
    enum Setting: Hashable, Sendable {
        case bodyKind, bodyFile, bodyType, operation, authKind
        case auth(AuthField)
        case option(OptionRow)
        /// A setting of a service.
        case service(ServiceKey)
    }

    /// The editable fields of a row, from left to right.
    enum Column: Int, Hashable, Sendable, CaseIterable {
        case name, value, fileName, contentType, summary
    }

    /// A part of a text.
    struct Piece: Hashable, Sendable {
        var text: String
        /// Whether it is a template without a value.
        var isUndefined: Bool
    }

    var kind: Kind
    var isEnabled = true
    var name = ""
    var value = ""
    /// The file name of a part.
    var fileName = ""
    /// The media type of a part.
    var contentType = ""
    /// The text beside the value: a description, or the source of the value.
    var summary = ""
    /// The text in which a search finds the row.
    var searchedText: String { "\(name) \(value) \(summary)" }
    /// The reason why the value is invalid, shown instead of ``summary``.
    var problem = ""
    /// The parts of a line of a body in their styles.
    var spans: [Span] = []
    /// Whether the value is masked.
    var isSecret = false
    /// Whether the value is inherited.
    var isTakenOver = false
    /// Whether the endpoint leaves out an inherited header; nil for a row that is not one, or cannot be left out here.
    var isLeftOut: Bool?

    /// The index of a row that can be added and deleted.
    var listIndex: Int? {
        switch kind {
        case .pair(let index), .part(let index): index
        default: nil
        }
    }

    /// The option of the row.
    var option: OptionRow? {
        switch kind {
        case .setting(.option(let option)), .choice(.option(let option)), .toggle(let option): option
        default: nil
        }
    }

    /// The text of the body that the row belongs to.
    var bodyText: BodyText? {
        switch kind {
        case .bodyText(let part), .line(_, let part): part
        default: nil
        }
    }

    /// The section of the row.
    var section: EndpointSection? {
        switch kind {
        case .section(let section), .sectionLine(let section, _): section
        default: nil
        }
    }

    /// The fields that can be edited.
    var columns: [Column] {
        switch kind {
        case .pair: [.name, .value, .summary]
        case .pathParameter: [.name, .value]
        case .part: [.name, .value, .fileName, .contentType]
        case .setting: [.value]
        case .choice, .toggle, .bodyText, .line, .section, .sectionLine, .note, .result, .inherited: []
        }
    }

    /// What completes the text of a field.
    ///
    /// - Parameter tab: The tab of the request with the row; nil for another list.
    func completionPlace(of column: Column, on tab: RequestTab?) -> CompletionPlace? {
        switch (kind, column) {
        case (.pair, .name) where tab == .headers: .headerName
        case (.pair, .value) where tab == .headers: .headerValue(name)
        case (.pair, .name) where tab == .params: .parameterName(.query)
        case (.pair, .value) where tab == .params: .parameterValue(.query, name)
        case (.pathParameter, .value): .parameterValue(.path, name)
        case (.pair, .name) where tab == .body, (.part, .name): .parameterName(.form)
        case (.pair, .value) where tab == .body, (.part, .value): .parameterValue(.form, name)
        case (.part, .contentType), (.setting(.bodyType), .value): .headerValue("Content-Type")
        case (.setting(.option), _), (_, .summary), (.pathParameter, .name): nil
        default: .templates
        }
    }

    /// Whether a field keeps the line breaks of a pasted text: that of a key or a password, and a field of a form.
    ///
    /// - Parameter tab: The tab of the request with the row; nil for another list.
    func keepsLineBreaks(_ column: Column, on tab: RequestTab?) -> Bool { column == .value && (isSecret || tab == .body && listIndex != nil) }

    func text(of column: Column) -> String {
        switch column {
        case .name: name
        // The word for no tags is no tag to continue with.
        case .value: option == .tags && value == OptionRow.noTags ? "" : value
        case .fileName: fileName
        case .contentType: contentType
        case .summary: summary
        }
    }
}

/// A pane with lists of rows, one of which is selected.
protocol RowPane {
    /// The rows of the shown list.
    static func rows(_ state: AppState) -> [RequestRow]

    /// The index of the selected row, which need not exist.
    static func selectedIndex(_ state: AppState) -> Int

    /// Selects a row; the last one when there are fewer.
    static func select(_ row: Int, _ state: inout AppState)
}

extension RowPane {
    /// The row at an index; nil where there is none.
    static func row(_ index: Int, _ state: AppState) -> RequestRow? {
        let rows = rows(state)
        return rows.indices.contains(index) ? rows[index] : nil
    }

    /// The selected row; nil where none is.
    static func selectedRow(_ state: AppState) -> RequestRow? { row(selectedIndex(state), state) }

    /// Selects the next row that a search finds.
    static func selectNext(_ search: LineSearch, forward: Bool, includingHere: Bool, _ state: inout AppState) {
        let rows = rows(state)
        let found = state.find(search, in: rows.count, from: selectedIndex(state), forward: forward, includingHere: includingHere) {
            rows[$0].searchedText
        }
        if let found { select(found, &state) }
    }

    /// The place of the selected row.
    static func place(_ state: AppState) -> RowPlace { RowPlace(selectedIndex(state), in: rows(state)) }

    /// Selects the row of a place.
    static func select(_ place: RowPlace, _ state: inout AppState) { select(place.index(in: rows(state)), &state) }
}

/// The place of a row in a list, which stays that of the row when another program inserts or removes rows.
struct RowPlace {
    private let index: Int
    /// The rows up to this one.
    private let rows: ArraySlice<RequestRow>

    init(_ index: Int, in rows: [RequestRow]) {
        self.index = index
        self.rows = rows.indices.contains(index) ? rows[...index] : []
    }

    /// The index in the present rows: that of the same name and value, else that of the same name, else the same index.
    func index(in others: [RequestRow]) -> Int {
        guard let row = rows.last, !row.name.isEmpty else { return index }
        func find(_ isSame: (RequestRow) -> Bool) -> Int? {
            let (before, found) = (rows.count(where: isSame), others.indices.filter { isSame(others[$0]) })
            return found.indices.contains(before - 1) ? found[before - 1] : nil
        }
        return find { $0.name == row.name && $0.value == row.value } ?? find { $0.name == row.name } ?? index
    }
}
