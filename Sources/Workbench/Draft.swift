internal import Model

/// An endpoint with the changes that are not in its file yet.
struct Draft: Hashable, Sendable {
    /// How many steps can be taken back.
    static let undoLimit = 200

    /// What came of a change of the file by another program.
    enum FileChange: Hashable, Sendable {
        /// The file says what it said before.
        case none
        /// The changes here and there do not overlap; the draft has both.
        case merged
        /// The keys that were changed both here and there; the draft stays as it is until the user decides.
        case conflict([String])
    }

    /// Changes that belong to one step: what is typed into one field without a break.
    struct Typing: Hashable, Sendable {
        /// The field, as a row and a column or another text that identifies it.
        var field: String
        /// Counts the words and the kinds of change within the field.
        var part: Int
    }

    /// As the file had it when the changes began, or when the changes of another program were merged.
    private(set) var original: Endpoint
    /// As it will be sent.
    private(set) var edited: Endpoint
    /// What the file has now, where another program changed it and the change is not merged.
    private(set) var onDisk: Endpoint?
    /// Whether the file was removed.
    var isFileGone = false
    private var past: [Endpoint] = []
    private var undone: [Endpoint] = []
    private var typing: Typing?

    init(_ original: Endpoint) {
        self.original = original
        edited = original
    }

    var isEdited: Bool { edited != original }
    var canUndo: Bool { !past.isEmpty }
    var canRedo: Bool { !undone.isEmpty }

    // MARK: Changing

    /// Changes it as one step that ``undo()`` takes back.
    mutating func change(_ work: (inout Endpoint) -> Void) {
        typing = nil
        step(work)
    }

    /// Changes it within the step of what is being typed; another field or part begins a step.
    mutating func change(typing: Typing, _ work: (inout Endpoint) -> Void) {
        if self.typing == typing {
            work(&edited)
        } else if step(work) {
            self.typing = typing
        }
    }

    /// Goes on with a step under another name: the row that was added and what is typed into it.
    mutating func continueTyping(_ step: Typing, as next: Typing) {
        if typing == step { typing = next }
    }

    /// Ends the step of what was typed; steps that changed nothing in the end are forgotten.
    mutating func endTyping() {
        typing = nil
        while past.last == edited { past.removeLast() }
    }

    @discardableResult
    private mutating func step(_ work: (inout Endpoint) -> Void) -> Bool {
        let before = edited
        work(&edited)
        guard edited != before else { return false }
        undone = []
        past.append(before)
        if past.count > Draft.undoLimit { past.removeFirst() }
        return true
    }

    /// Takes back the last step; false when there is none.
    mutating func undo() -> Bool {
        endTyping()
        guard let last = past.popLast() else { return false }
        undone.append(edited)
        edited = last
        return true
    }

    /// Does the step again that was taken back last; false when there is none.
    mutating func redo() -> Bool {
        guard let next = undone.popLast() else { return false }
        typing = nil
        past.append(edited)
        edited = next
        return true
    }

    // MARK: The file

    /// Takes up what the file has now.
    ///
    /// - Parameter mayMerge: false while a field is being edited: its rows must stay where they are.
    mutating func take(_ file: Endpoint, mayMerge: Bool = true) -> FileChange {
        onDisk = nil
        isFileGone = false
        guard !isSame(file, as: original) else {
            rebase(on: file)
            return .none
        }
        guard mayMerge else {
            onDisk = file
            return .none
        }
        let merge = EndpointMerge(base: original, ours: edited, theirs: file)
        guard merge.conflicts.isEmpty else {
            onDisk = file
            return .conflict(merge.conflicts)
        }
        rebase(on: file)
        return .merged
    }

    /// The file is as it was saved: `saved` is what it has now, `sent` what was to be saved.
    mutating func saved(_ saved: Endpoint, sent: Endpoint) {
        // What was typed since is a change of what was sent.
        original = sent
        onDisk = nil
        isFileGone = false
        rebase(on: saved)
    }

    /// What saving would write over the changes of another program: the changes of both, and those made here where they overlap.
    var overwriting: EndpointMerge? { onDisk.map { EndpointMerge(base: original, ours: edited, theirs: $0) } }

    /// Makes the changes made here win over those of another program, so that they can be saved.
    mutating func keepOurs() {
        guard let onDisk else { return }
        self.onDisk = nil
        rebase(on: onDisk)
    }

    /// Takes the file as it is now, as a step that can be taken back.
    mutating func takeFile() {
        if let onDisk {
            self.onDisk = nil
            rebase(on: onDisk)
        }
        let file = original
        change { $0 = file }
    }

    /// Whether a state of the file was taken up before.
    func knows(_ file: Endpoint) -> Bool { isSame(file, as: onDisk ?? original) }

    /// Whether both say the same, wherever they stand in the file.
    private func isSame(_ file: Endpoint, as other: Endpoint) -> Bool {
        var other = other
        other.location = file.location
        return file == other
    }

    /// Applies the changes made here, and the steps that can be taken back, to another state of the file.
    private mutating func rebase(on file: Endpoint) {
        let base = original
        func rebased(_ state: Endpoint) -> Endpoint { EndpointMerge(base: base, ours: state, theirs: file).endpoint }
        edited = rebased(edited)
        past = past.map(rebased)
        undone = undone.map(rebased)
        original = file
    }
}
