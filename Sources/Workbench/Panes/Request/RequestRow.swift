internal import Model

/// One row under a tab of the request.
struct RequestRow: Hashable, Sendable {
    /// What can be done with it.
    enum Kind: Hashable, Sendable {
        /// A pair with a box: the position in its list.
        case pair(Int)
        /// A value with a fixed name.
        case setting(Setting)
        /// A fixed name whose value is chosen from a list.
        case choice(Setting)
        /// A line of a body: its number from 0.
        case line(Int)
        /// A sentence in place of rows.
        case note
        /// Comes from the service or the workspace; edited there.
        case inherited(String)
    }

    /// Values with a fixed name.
    enum Setting: Hashable, Sendable {
        case bodyKind, bodyFile, bodyType, authKind, authUser, authPassword, authToken
        case option(OptionRow)
    }

    /// The fields of a row that can be edited, left to right.
    enum Column: Int, Hashable, Sendable, CaseIterable {
        case name, value, summary
    }

    var kind: Kind
    var isEnabled = true
    var name = ""
    var value = ""
    var summary = ""
    /// Whether its value is masked.
    var isSecret = false

    /// The fields that can be edited.
    var columns: [Column] {
        switch kind {
        case .pair: [.name, .value, .summary]
        case .setting: [.value]
        case .choice, .line, .note, .inherited: []
        }
    }

    func text(of column: Column) -> String {
        switch column {
        case .name: name
        case .value: value
        case .summary: summary
        }
    }
}
