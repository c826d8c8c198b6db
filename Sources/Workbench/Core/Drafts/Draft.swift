internal import WorkspaceModel

/// An endpoint with unsaved changes.
struct Draft: Hashable, Sendable {
    /// The maximum number of undo steps.
    static let undoLimit = 200
    /// The maximum number of bytes of the bodies of all undo steps together, apart from the last step.
    static let undoBytes = 64 << 20

    /// The effect of another program's change of the file on the draft.
    enum FileChange: Hashable, Sendable {
        /// The file has the same content as before.
        case none
        /// The changes do not overlap; the draft has both.
        case merged
        /// The keys that were changed in both; the draft stays as it is until the user decides.
        case conflict([String])
    }

    /// The key of an undo step for typing: changes of one field without a break form one step.
    struct Typing: Hashable, Sendable {
        /// The field, as a row and a column or another text that identifies it.
        var field: String
        /// A counter of the words and the kinds of change within the field.
        var part: Int
    }

    /// The content of the file when the changes began, or when the changes of another program were merged.
    private(set) var original: Endpoint
    /// The endpoint as it will be sent.
    private(set) var edited: Endpoint
    /// The content of the file, when another program changed it and the change is not merged.
    private(set) var onDisk: Endpoint?
    /// Whether the file was removed.
    var isFileGone = false
    /// Whether a value of the file became a secret in the draft, so that the content of the file is not stored for the next session.
    var hidesOriginal = false
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

    /// Applies a change as one undo step, or within the undo step of the current typing; another field or part begins a new step.
    mutating func change(typing: Typing? = nil, _ work: (inout Endpoint) -> Void) {
        if let typing, self.typing == typing {
            work(&edited)
        } else if step(work) || typing == nil {
            self.typing = typing
        }
    }

    /// Continues a step under another key: the added row and what is typed into it.
    mutating func continueTyping(_ step: Typing, as next: Typing) {
        if typing == step { typing = next }
    }

    /// Ends the typing step, and drops steps that changed nothing in the end.
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
        var bytes = past.reduce(0) { $0 + $1.bodyBytes }
        while past.count > 1, bytes > Draft.undoBytes { bytes -= past.removeFirst().bodyBytes }
        return true
    }

    /// Reverts the last step; false when there is none.
    mutating func undo() -> Bool {
        endTyping()
        guard let last = past.popLast() else { return false }
        undone.append(edited)
        edited = last
        return true
    }

    /// Repeats the step that was reverted last; false when there is none.
    mutating func redo() -> Bool {
        guard let next = undone.popLast() else { return false }
        typing = nil
        past.append(edited)
        edited = next
        return true
    }

    // MARK: The file

    /// Gives the endpoint its new name, in the undo steps too.
    mutating func move(to target: EndpointID) {
        func moved(_ endpoint: Endpoint) -> Endpoint {
            var endpoint = endpoint
            endpoint.target = target.path
            return endpoint
        }
        (original, edited, onDisk) = (moved(original), moved(edited), onDisk.map(moved))
        (past, undone) = (past.map(moved), undone.map(moved))
    }

    /// Takes over a new content of the file.
    ///
    /// - Parameter mayMerge: False while a field is being edited, because its rows must stay where they are.
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

    /// Records that the endpoint was saved: `saved` is the content of the file, `sent` the content that was to be saved.
    mutating func saved(_ saved: Endpoint, sent: Endpoint) {
        // What was typed since is a change relative to `sent`.
        original = sent
        if let edit = sent.editedBodyFile {
            // The file of the body has the saved text now, from which states before and after it differ.
            func afterSaving(_ state: Endpoint) -> Endpoint {
                guard case .file(edit.path, _) = state.body else { return state }
                var state = state
                let text = state.editedBodyFile?.text ?? edit.original
                state.bodyFileEdit = nil
                state.setBodyFileText(to: text, original: edit.text)
                return state
            }
            (original, edited) = (afterSaving(sent), afterSaving(edited))
            (past, undone) = (past.map(afterSaving), undone.map(afterSaving))
        }
        onDisk = nil
        isFileGone = false
        hidesOriginal = false
        rebase(on: saved)
    }

    /// Makes the edited text of the body's file a change of what the file has now.
    mutating func keepOurBodyFile(over text: String) {
        guard let edit = edited.editedBodyFile else { return }
        edited.bodyFileEdit = nil
        edited.setBodyFileText(to: edit.text, original: text)
    }

    /// The merge that saving would write over the changes of another program: the changes of both, and the local ones where they
    /// overlap.
    var overwriting: EndpointMerge? { onDisk.map { EndpointMerge(base: original, ours: edited, theirs: $0) } }

    /// Resolves conflicts with another program in favour of the local changes, so that they can be saved.
    mutating func keepOurs() {
        guard let onDisk else { return }
        self.onDisk = nil
        rebase(on: onDisk)
    }

    /// Replaces the draft with the content of the file, as an undo step.
    mutating func takeFile() {
        if let onDisk {
            self.onDisk = nil
            rebase(on: onDisk)
        }
        let file = original
        change { $0 = file }
    }

    /// Whether this content of the file was taken over before.
    func knows(_ file: Endpoint) -> Bool { isSame(file, as: onDisk ?? original) }

    /// Whether both are equal apart from their location in the file.
    private func isSame(_ file: Endpoint, as other: Endpoint) -> Bool {
        var other = other
        other.location = file.location
        return file == other
    }

    /// Applies the local changes and the undo steps to another content of the file.
    private mutating func rebase(on file: Endpoint) {
        let base = original
        func rebased(_ state: Endpoint) -> Endpoint { EndpointMerge(base: base, ours: state, theirs: file).endpoint }
        edited = rebased(edited)
        past = past.map(rebased)
        undone = undone.map(rebased)
        original = file
    }
}

extension Endpoint {
    /// The size of the texts of the body.
    fileprivate var bodyBytes: Int {
        let text =
            switch body {
            case .json(let text), .plist(let text), .text(let text, _): text.utf8.count
            case .graphQL(let request): request.query.utf8.count + request.variables.utf8.count
            case .none, .form, .file, .multipart: 0
            }
        return text + (bodyFileEdit?.text.utf8.count ?? 0)
    }
}
