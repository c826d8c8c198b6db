internal import Model

/// An endpoint with the changes that are not in its file yet.
struct Draft: Hashable, Sendable {
    /// How many steps can be taken back.
    static let undoLimit = 200

    /// As the file has it.
    var original: Endpoint
    /// As it will be sent.
    private(set) var edited: Endpoint
    private var past: [Endpoint] = []

    init(_ original: Endpoint) {
        self.original = original
        edited = original
    }

    var isEdited: Bool { edited != original }
    var canUndo: Bool { !past.isEmpty }

    /// Changes it as one step that ``undo()`` takes back.
    mutating func change(_ work: (inout Endpoint) -> Void) {
        let before = edited
        work(&edited)
        if edited != before { remember(before) }
    }

    /// Changes it within a step that was remembered before: each key typed into a field.
    mutating func continueChange(_ work: (inout Endpoint) -> Void) {
        work(&edited)
    }

    /// Makes an earlier state one that ``undo()`` comes back to.
    mutating func remember(_ before: Endpoint) {
        guard before != edited else { return }
        past.append(before)
        if past.count > Draft.undoLimit { past.removeFirst() }
    }

    /// Takes back the last step; false when there is none.
    mutating func undo() -> Bool {
        guard let last = past.popLast() else { return false }
        edited = last
        return true
    }
}
