internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// Dispatch of keys and commands: the popup that is shown, else the focused pane, then what means the same everywhere.
extension AppState {
    mutating func pressed(_ key: Key) -> [Effect] {
        let contexts = contexts
        let binding = keymap.binding(for: key, in: contexts)
        if case .character(let character) = key.code, key.modifiers.isEmpty, !contexts.contains(.field),
            let effects = withPopup({ $0.name(character, isKey: binding != nil, &$1) }) ?? nil
        {
            return effects
        }
        if let binding {
            if let reason = binding.reason(self) {
                // Where nothing is sent, both keys may be pressed once too often.
                if ![.back, .cancel].contains(binding.command) || focusedCall != nil { toast = Toast(reason, .warning) }
                return []
            }
            if case .move = binding.command { states[PointerState.self].place = nil }
            let before = popups.topID
            let effects = perform(binding.command)
            if popups.topID != before, case .character(let character) = key.code { popups.change(ListPopup.self) { $0.opener = character } }
            return effects
        }
        guard case .character(let character) = key.code, key.modifiers.isEmpty else { return [] }
        if contexts.contains(.viCommands) { return changeText(.vi(character, register: cutText)) }
        if popups.isEmpty, !contexts.contains(.field), let hint = hint(forKeyOfOtherPane: key) {
            toast = Toast(hint, .warning)
            return []
        }
        return typed(String(character), in: contexts)
    }

    /// The pane in which a key works that means nothing in the focused one; nil for a key of no pane.
    private func hint(forKeyOfOtherPane key: Key) -> String? {
        let panes: [(Pane, Context)] = [(.services, .services), (.request, .request), (.response, .response)]
        for (pane, context) in panes where pane != focus {
            guard let binding = keymap.bindings.first(where: { $0.context == context && $0.keys.contains(key) }) else { continue }
            return "\(binding.label) (\(key.label)) works in \(context.title); \(self.key(.focus(pane))) goes there"
        }
        return nil
    }

    mutating func pasted(_ text: String) -> [Effect] {
        let contexts = contexts
        for feature in features.all { if let effects = feature.pasted(text, in: contexts, &self) { return effects } }
        if popups.isEmpty, !contexts.contains(.field), focusedPane.paste(text, &self) { return [] }
        guard contexts.contains(.field) else {
            toast = Toast("Nothing is being edited here; press \(key(.editRow)) on a field first, then paste", .warning)
            return []
        }
        return typed(text, in: contexts)
    }

    private mutating func typed(_ text: String, in contexts: [Context]) -> [Effect] {
        guard contexts.contains(.field) else { return [] }
        return changeText(.insert(text))
    }

    /// Changes the text that is being typed.
    mutating func changeText(_ change: TextChange) -> [Effect] {
        if case .edit(let edit) = change, let text = typedText, !text.isSecret, let cut = text.content.text(cutBy: edit), !cut.isEmpty {
            cutText = cut
        }
        let effects = withPopup { $0.type(change, &$1) } ?? focusedPane.type(change, &self)
        for feature in features.all { feature.typed(change, &self) }
        return effects
    }

    /// Performs a command of a key, the palette or the mouse.
    mutating func perform(_ command: Command) -> [Effect] { dispatch(command) ?? [] }

    /// Performs a command; nil when nothing handles it.
    mutating func dispatch(_ command: Command) -> [Effect]? {
        if command == .accept { for feature in features.all { feature.accepted(&self) } }
        if popups.isEmpty { return focusedPane.performFocused(command, &self) ?? performInPane(command) ?? performAnywhere(command) }
        let effects = withPopup { $0.perform(command, &$1) } ?? nil
        return effects ?? performAnywhere(command)
    }

    /// Performs a command that was chosen in the palette or the help, or shows why it is unavailable.
    mutating func performFromList(_ command: Command) -> [Effect] {
        if let reason = keymap.bindings.first(where: { $0.command == command })?.reason(self) {
            toast = Toast(reason, .warning)
            return []
        }
        return perform(command)
    }

    /// Performs a general command that the focused pane does not define.
    private mutating func performInPane(_ command: Command) -> [Effect]? {
        switch command {
        case .nextTab, .unfold: focusedPane.turnTab(by: 1, &self)
        case .previousTab, .fold: focusedPane.turnTab(by: -1, &self)
        case .accept: acceptSearch()
        case .leave: leaveSearch()
        case .back: return back()
        case .cancel: return focusedCall.map { cancel($0) } ?? dispatch(.back)
        case .copy: toast = Toast("There is nothing to copy here", .warning)
        case .search: startSearch()
        case .nextMatch: return find(forward: true, includingHere: false)
        case .previousMatch: return find(forward: false, includingHere: false)
        default: return nil
        }
        return []
    }

    /// Performs a command whose meaning does not depend on the focus.
    private mutating func performAnywhere(_ command: Command) -> [Effect]? {
        switch command {
        case .text(let edit): return changeText(.edit(edit))
        case .newLine: return changeText(.newLine)
        case .indent: return changeText(.indent)
        case .outdent: return changeText(.outdent)
        case .focus(let pane): focus(pane)
        case .focusNext: focus(focus.next)
        case .focusPrevious: focus(focus.previous)
        case .show(let tab): show(tab)
        case .zoom: isZoomed.toggle()
        case .growPane: growFocusedPane(by: 1)
        case .shrinkPane: growFocusedPane(by: -1)
        case .resetLayout: (isZoomed, splits) = (false, Layout.Splits())
        case .toggleSecrets: toggleSecrets()
        case .redraw: return [.redraw]
        case .suspend: return [.suspend]
        default:
            for feature in features.all {
                if let effects = feature.perform(command, &self) { return effects }
            }
            return nil
        }
        return []
    }

    /// Handles Esc in a pane: clears its search or filter, otherwise closes a popup that is being prepared, otherwise goes one step back.
    private mutating func back() -> [Effect] {
        if focusedPane.clearSearchOrFilter(&self) { return [] }
        if isAwaitingPopup {
            let message = jobs.values.compactMap { Swift.type(of: $0).cancelMessage }.first
            stopJobs { Swift.type(of: $0).opensPopup }
            if let message { toast = Toast(message) }
            return []
        }
        if let effects = focusedPane.back(&self) { return effects }
        isZoomed = false
        return []
    }

    /// Shows or masks secrets on the screen; files stay masked.
    private mutating func toggleSecrets() {
        showsSecrets.toggle()
        layoutChanged()
        toast = showsSecrets ? Toast("Secrets are shown; \(key(.toggleSecrets)) masks them again", .warning) : Toast("Secrets are masked")
    }

    /// The reason why Esc does nothing; it names the key that cancels while the focused pane sends.
    var cannotGoBackReason: String? {
        if isAwaitingPopup || isZoomed || focusedPane.hasSearchOrFilter(self) || focusedPane.canGoBack(self) { return nil }
        guard let call = focusedCall else { return "There is nothing to go back from" }
        let path = call.endpoint.flatMap { endpoint($0)?.path }
        return "\(key(.cancel)) \(call.cancelVerb) \(call.method.rawValue) \(path ?? call.name)"
    }

    /// The reason why Ctrl-C does nothing.
    var cannotCancelReason: String? { focusedCall == nil ? cannotGoBackReason : nil }

    /// The running call of the focused pane.
    var focusedCall: Call? { focusedPane.runningCall(self) }
}
