internal import BodyViews
internal import SortieBase

extension Command {
    static let goToOffset = Command.named("goToOffset")
}

/// Going to a byte of a body, and the width of hexadecimal rows.
extension ResponseFeature {
    static func askForOffset(_ state: inout AppState) {
        guard let key = state.shownKey, let body = state.openBody else { return }
        let last = max(0, body.bytes.count - 1)
        let range = "0 to \(last), or 0x0 to 0x\(String(last, radix: 16))"
        state.stopEditing()
        let prompt = Prompt("Go to the byte at an offset", placeholder: range) { prompt, state in
            guard let offset = Self.offset(prompt.text), offset <= last else {
                var prompt = prompt
                prompt.problem = "“\(prompt.text.trimmingBlanks)” is not an offset in this body: write a number from \(range)"
                state.popups.pop()
                state.popups.push(prompt)
                return []
            }
            state.popups.pop()
            guard state.shownKey == key else { return [] }
            state.responseState.forgetMatch()
            state.responseState.pendingOffset = offset
            return revealPending(key, &state)
        }
        state.popups.push(prompt)
    }

    /// The number in a text: decimal, or hexadecimal after `0x`.
    static func offset(_ text: String) -> Int? {
        let text = text.trimmingBlanks.lowercased()
        let digits = text.hasPrefix("0x") ? text.dropFirst(2) : text[...]
        guard let first = digits.first, first != "+", first != "-" else { return nil }
        return Int(digits, radix: text.hasPrefix("0x") ? 16 : 10)
    }

    /// Gives hexadecimal rows the number of bytes that fits into the pane; the cursor stays on its byte.
    static func fitHex(_ state: inout AppState) {
        guard let key = state.shownKey, var body = state.openBody, body.mode == .hex else { return }
        let (before, width) = (body.hexWidth, HexLayout.width(fitting: BodyTabView(state).width))
        guard width != before else { return }
        body.setHexWidth(width)
        state.setShownBody(body, key)
        state.responseState.row = state.responseState.row * before / width
        state.responseState.top = state.responseState.top * before / width
    }
}

extension ResponseFeature {
    /// Adapts what the Body tab shows to the size of the pane and to what has arrived.
    static func fitBody(_ state: inout AppState) -> [Effect] {
        guard state.openBody != nil else { return [] }
        fitHex(&state)
        return fitTable(&state) + fitPicture(&state)
    }
}
