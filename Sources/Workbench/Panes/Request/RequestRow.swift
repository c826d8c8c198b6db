internal import Model

/// One row under a tab of the request.
struct RequestRow: Hashable, Sendable {
    /// What can be done with it.
    enum Kind: Hashable, Sendable {
        /// A pair with a box: the position in its list.
        case pair(Int)
        /// A part of a multipart body: the position in its list.
        case part(Int)
        /// A value with a fixed name.
        case setting(Setting)
        /// A fixed name whose value is chosen from a list.
        case choice(Setting)
        /// A fixed name whose value is on or off.
        case toggle(OptionRow)
        /// A line of a body: its number from 0.
        case line(Int)
        /// A sentence in place of rows.
        case note
        /// What results from the other rows.
        case result
        /// Comes from the service, the workspace, another tab or the engine; edited there.
        case inherited(String)
    }

    /// Values with a fixed name.
    enum Setting: Hashable, Sendable {
        case bodyKind, bodyFile, bodyType, authKind, authUser, authPassword, authToken
        case option(OptionRow)
    }

    /// The fields of a row that can be edited, left to right.
    enum Column: Int, Hashable, Sendable, CaseIterable {
        case name, value, fileName, contentType, summary
    }

    var kind: Kind
    var isEnabled = true
    var name = ""
    var value = ""
    /// The name under which a part is sent.
    var fileName = ""
    /// The media type of a part.
    var contentType = ""
    /// What stands beside the value: a description, or where the value comes from.
    var summary = ""
    /// Why the value cannot be used; stands in place of ``summary``.
    var problem = ""
    /// Whether its value is masked.
    var isSecret = false
    /// Whether the value is not the endpoint's own.
    var isTakenOver = false

    /// The position in its list, for rows that can be added and deleted.
    var listIndex: Int? {
        switch kind {
        case .pair(let index), .part(let index): index
        default: nil
        }
    }

    /// The option it shows.
    var option: OptionRow? {
        switch kind {
        case .setting(.option(let option)), .choice(.option(let option)), .toggle(let option): option
        default: nil
        }
    }

    /// The fields that can be edited.
    var columns: [Column] {
        switch kind {
        case .pair: [.name, .value, .summary]
        case .part: [.name, .value, .fileName, .contentType]
        case .setting: [.value]
        case .choice, .toggle, .line, .note, .result, .inherited: []
        }
    }

    func text(of column: Column) -> String {
        switch column {
        case .name: name
        case .value: value
        case .fileName: fileName
        case .contentType: contentType
        case .summary: summary
        }
    }
}
