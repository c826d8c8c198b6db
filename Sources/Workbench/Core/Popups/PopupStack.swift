internal import SortieTerminal

/// A popup, which covers the panes and handles keys and commands before them.
protocol Popup: Sendable {
    /// The contexts of its keys, apart from those that apply everywhere, the innermost first.
    var contexts: [Context] { get }

    /// The address of the part of the guide about the popup; nil when it is that of the pane below.
    var guideAddress: String? { get }

    /// Performs a command; nil for a command that means the same everywhere.
    mutating func perform(_ command: Command, _ state: inout AppState) -> [Effect]?

    /// The text that is being typed in the popup; nil when none is.
    func typedText(_ state: AppState) -> TypedText?

    /// Changes the text that is being typed in the popup.
    mutating func type(_ change: TextChange, _ state: inout AppState) -> [Effect]

    /// Takes a character while no text is being typed in the popup, as the name of a choice; nil where it names none.
    ///
    /// - Parameter isKey: Whether the character is the key of a command.
    mutating func name(_ character: Character, isKey: Bool, _ state: inout AppState) -> [Effect]?

    /// Handles the mouse, apart from presses beside the popup and on the hint that names the key which closes it.
    mutating func use(_ mouse: Mouse, _ state: inout AppState) -> [Effect]

    /// The area on the screen; a press beside it closes the popup.
    func area(_ state: AppState) -> Rect

    /// Whether closing the popup loses something that was typed, so that a press beside it does nothing.
    var hasInput: Bool { get }

    /// The label of a binding in the current state, where it differs from that of the key table.
    func label(of command: Command) -> String?

    /// Draws the popup.
    func draw(on canvas: inout Canvas, _ state: AppState)
}

extension Popup {
    var guideAddress: String? { nil }

    func typedText(_ state: AppState) -> TypedText? { nil }

    mutating func type(_ change: TextChange, _ state: inout AppState) -> [Effect] { [] }

    mutating func name(_ character: Character, isKey: Bool, _ state: inout AppState) -> [Effect]? { nil }

    func area(_ state: AppState) -> Rect { state.popupArea }

    var hasInput: Bool { false }

    func label(of command: Command) -> String? { nil }
}

/// The open popups; the last one is shown.
struct PopupStack: Sendable {
    /// Identifies an open popup.
    struct ID: Hashable, Sendable {
        fileprivate let number: Int
    }

    private struct Entry: Sendable {
        let id: ID
        var popup: any Popup
    }

    private var entries: [Entry] = []
    private var lastNumber = 0

    var isEmpty: Bool { entries.isEmpty }
    /// The popup that is shown.
    var top: (any Popup)? { entries.last?.popup }
    /// The popup that is shown, by its identity.
    var topID: ID? { entries.last?.id }

    /// Whether a popup is open, shown or below others.
    func isOpen(_ id: ID) -> Bool { entries.contains { $0.id == id } }

    /// Opens a popup instead of those that are open.
    @discardableResult
    mutating func show(_ popup: some Popup) -> ID {
        entries = []
        return push(popup)
    }

    /// Opens a popup above those that are open; they are shown again when it closes.
    @discardableResult
    mutating func push(_ popup: some Popup) -> ID {
        lastNumber += 1
        entries.append(Entry(id: ID(number: lastNumber), popup: popup))
        return ID(number: lastNumber)
    }

    /// Closes the popup that is shown.
    mutating func pop() { _ = entries.popLast() }

    /// Closes the popups above the topmost one of a type.
    mutating func removeAll<Wanted: Popup>(above type: Wanted.Type) {
        while let top = entries.last, !(top.popup is Wanted) { entries.removeLast() }
    }

    /// Closes all popups.
    mutating func removeAll() { entries = [] }

    /// Stores a changed popup, unless it was closed.
    mutating func put(_ popup: any Popup, _ id: ID) {
        guard let index = entries.lastIndex(where: { $0.id == id }) else { return }
        entries[index].popup = popup
    }

    /// The topmost open popup of a type; nil when none is open.
    func popup<Wanted: Popup>(_ type: Wanted.Type) -> Wanted? {
        entries.reversed().lazy.compactMap { $0.popup as? Wanted }.first
    }

    /// The open popups of a type, the one on top last.
    func all<Wanted: Popup>(_ type: Wanted.Type) -> [Wanted] { entries.compactMap { $0.popup as? Wanted } }

    /// Changes the topmost open popup of a type; false when none is open.
    @discardableResult
    mutating func change<Changed: Popup>(_ type: Changed.Type, _ work: (inout Changed) -> Void) -> Bool {
        for index in entries.indices.reversed() {
            guard var popup = entries[index].popup as? Changed else { continue }
            work(&popup)
            entries[index].popup = popup
            return true
        }
        return false
    }
}

extension AppState {
    /// The popup that is shown.
    var popup: (any Popup)? { popups.top }

    /// Lets the popup that is shown do something; nil when none is open.
    mutating func withPopup<Result>(_ work: (inout any Popup, inout AppState) -> Result) -> Result? {
        guard var popup = popups.top, let id = popups.topID else { return nil }
        let result = work(&popup, &self)
        popups.put(popup, id)
        return result
    }

    /// Opens a list, and ends typing in the panes; a form in which something was typed stays open below it.
    @discardableResult
    mutating func show(_ list: ListPopup) -> PopupStack.ID {
        focusedPane.stopEditing(&self)
        stopTyping()
        var list = list
        list.selectCurrent()
        guard !formDrafts.isEmpty else { return popups.show(list) }
        popups.removeAll(above: Form.self)
        return popups.push(list)
    }

    /// Whether a popup is open or text is being typed.
    ///
    /// The result of a job must neither cover nor change that.
    var isOccupied: Bool { !popups.isEmpty || contexts.contains(.field) }

    /// Whether the result of a job may open its popup.
    ///
    /// Otherwise a message is shown in the footer.
    mutating func mayOpen(_ what: String) -> Bool {
        guard isOccupied else { return true }
        toast = Toast("\(what) finished in the background; request it again to see it", .warning)
        return false
    }

    /// The area of a popup that fills the screen apart from a margin.
    var readingRect: Rect {
        let whole = popupArea
        return whole.inset(columns: min(4, whole.width / 20), rows: min(2, whole.height / 12))
    }

    /// The key that closes a popup, for its border.
    var closingHint: [Span] { [Span("\(key(.close, in: .popup)) closes", .muted)] }

    /// The area that popups may cover: everything but the footer.
    var popupArea: Rect { Rect(origin: .zero, size: size).split(bottomHeight: 1).top }
}
