/// Decodes the bytes from a terminal into events, depending only on the bytes and on calls of ``flush()``.
///
/// ncurses does not decode the bytes: its table contains only the keys of one terminal description, it splits
/// bracketed pastes, it drops unknown sequences, and it cannot be tested without a terminal. This decoder accepts the
/// sequences of xterm, tmux, screen, rxvt and the Linux console regardless of `TERM`.
///
/// A sequence may arrive in pieces. While ``pending`` is not `nothing`, the bytes so far are ambiguous. The caller
/// waits for the time that belongs to the value and, when nothing arrives, calls ``flush()``.
struct KeyDecoder {
    /// The kind of incomplete input.
    enum Pending: Equatable {
        /// No input is incomplete.
        case nothing
        /// A single escape character: the key, or the start of a sequence. Users notice a delay here.
        case escape
        /// The start of a sequence or of a UTF-8 character; the rest almost always follows at once.
        case sequence
        /// A paste without its end.
        case paste
        /// A report of the terminal without its end.
        case report
    }

    /// The result of decoding the first bytes, with their number.
    enum Step {
        /// The bytes are one event.
        case event(InputEvent, Int)
        /// The bytes are to be ignored.
        case skip(Int)
        /// More bytes are needed.
        case incomplete
        /// The bytes start a paste.
        case pasteStart(Int)
        /// The bytes start a report of the terminal.
        case reportStart(Int)
    }

    private var bytes: [UInt8] = []
    private var start = 0
    private var pasted: [UInt8]?
    private var isInReport = false

    private static let pasteEnd: [UInt8] = Array("\u{1B}[201~".utf8)

    /// Appends received bytes.
    mutating func feed(_ more: some Sequence<UInt8>) {
        bytes.removeFirst(start)
        start = 0
        bytes.append(contentsOf: more)
    }

    /// The next complete event; `nil` until more bytes arrive.
    mutating func next() -> InputEvent? {
        while start < bytes.count {
            if pasted != nil {
                guard let text = endOfPaste() else { return nil }
                return .paste(text)
            }
            if isInReport {
                guard dropReport() else { return nil }
                continue
            }
            switch Self.step(bytes[start...]) {
            case .event(let event, let length):
                start += length
                return event
            case .skip(let length): start += length
            case .pasteStart(let length):
                start += length
                pasted = []
            case .reportStart(let length):
                start += length
                isInReport = true
            case .incomplete: return nil
            }
        }
        return nil
    }

    /// The kind of incomplete input after ``next()`` returned `nil`.
    var pending: Pending {
        if pasted != nil { return .paste }
        if isInReport { return start < bytes.count ? .sequence : .report }
        switch bytes.count - start {
        case 0: return .nothing
        case 1 where bytes[start] == 0x1B: return .escape
        default: return .sequence
        }
    }

    /// Resolves the incomplete input after a timeout and returns its events.
    mutating func flush() -> [InputEvent] {
        defer {
            bytes.removeAll()
            start = 0
            isInReport = false
        }
        if let text = pasted {
            pasted = nil
            return [.paste(Self.text(text + bytes[start...]))]
        }
        return Self.leftovers(bytes[start...])
    }

    private mutating func endOfPaste() -> String? {
        let fresh = bytes[start...]
        if let end = fresh.firstRange(of: Self.pasteEnd) {
            let text = Self.text((pasted ?? []) + fresh[..<end.lowerBound])
            pasted = nil
            start = end.upperBound
            return text
        }
        // Retains the bytes that may start the end marker, so that no byte is searched twice.
        let kept = min(fresh.count, Self.pasteEnd.count - 1)
        pasted?.append(contentsOf: fresh.dropLast(kept))
        start = bytes.count - kept
        return nil
    }

    /// Drops the bytes of a report; false until its end arrives.
    ///
    /// A report contains no control characters, so another one than its end is a key after a report that was cut.
    private mutating func dropReport() -> Bool {
        while start < bytes.count {
            switch bytes[start] {
            case 0x07: start += 1
            case 0x1B:
                guard start + 1 < bytes.count else { return false }
                if bytes[start + 1] == UInt8(ascii: "\\") { start += 2 }
            case ..<0x20, 0x7F: break
            default:
                start += 1
                continue
            }
            isInReport = false
            return true
        }
        return false
    }

    private static func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    }

    private static func leftovers(_ bytes: ArraySlice<UInt8>) -> [InputEvent] {
        guard let first = bytes.first else { return [] }
        guard first == 0x1B else { return [.key(.character("\u{FFFD}"))] }
        switch bytes.dropFirst().first {
        case nil: return [.key(.escape)]
        case 0x1B: return [.key(.escape)] + leftovers(bytes.dropFirst())
        case let byte? where bytes.count == 2: return [.key(.alt(Character(Unicode.Scalar(byte))))]
        case let byte? where introducers.contains(byte):
            // Text was typed soon after a key with Alt.
            var rest = KeyDecoder()
            rest.feed(bytes.dropFirst(2))
            var events = [InputEvent.key(.alt(Character(Unicode.Scalar(byte))))]
            while let event = rest.next() { events.append(event) }
            return events + rest.flush()
        default: return []  // an incomplete sequence: no key
        }
    }
}

/// Decodes the first event of the input.
extension KeyDecoder {
    /// The longest accepted sequence; the bytes of a longer one are dropped.
    private static let longestSequence = 64

    /// Decodes the start of `bytes`, which is not empty.
    static func step(_ bytes: ArraySlice<UInt8>) -> Step {
        guard let first = bytes.first else { return .incomplete }
        if first == 0x1B { return escape(bytes) }
        if first < 0x20 || first == 0x7F { return .event(.key(control(first)), 1) }
        return character(bytes)
    }

    /// The key that sends a control character.
    ///
    /// Control-H, -I, -J and -M cannot be distinguished from Backspace, Tab and Return. A line feed counts as Return,
    /// because scripts and some terminals send it.
    static func control(_ byte: UInt8) -> Key {
        switch byte {
        case 0x00: .control(" ")
        case 0x08, 0x7F: .backspace
        case 0x09: .tab
        case 0x0A, 0x0D: .enter
        case 0x1B: .escape
        default: .control(Character(Unicode.Scalar(byte | 0x40)))
        }
    }

    private static func escape(_ bytes: ArraySlice<UInt8>) -> Step {
        let rest = bytes.dropFirst()
        guard let second = rest.first else { return .incomplete }
        switch second {
        case UInt8(ascii: "["): return controlSequence(rest.dropFirst(), before: 2)
        case UInt8(ascii: "O"): return singleShift(rest.dropFirst(), before: 2)
        case let byte where introducers.contains(byte): return report(rest.dropFirst(), introducer: second)
        case 0x1B:
            // Some terminals send Alt as Escape before a sequence; before anything else Escape is a separate key.
            guard let third = rest.dropFirst().first else { return .incomplete }
            guard third == UInt8(ascii: "[") || third == UInt8(ascii: "O") else { return .event(.key(.escape), 1) }
            return withAlt(escape(rest))
        default: return withAlt(step(rest))
        }
    }

    private static func withAlt(_ step: Step) -> Step {
        switch step {
        case .event(.key(var key), let length):
            key.modifiers.insert(.alt)
            return .event(.key(key), length + 1)
        case .event(let event, let length): return .event(event, length + 1)
        case .skip(let length): return .skip(length + 1)
        case .pasteStart(let length): return .pasteStart(length + 1)
        case .reportStart(let length): return .reportStart(length + 1)
        case .incomplete: return .incomplete
        }
    }

    /// The bytes after Escape that introduce a report: SOS, DCS, OSC, PM and APC.
    static let introducers = Array("XP]^_".utf8)

    /// A report of the terminal, such as its background colour, its version or the state of its clipboard: text up to BEL or ESC \.
    ///
    /// Nothing asks for one here, but a program that ran before may have. Before other input, the introducer is a key with Alt; text that does not
    /// begin as a report does is one only where its end follows.
    private static func report(_ content: ArraySlice<UInt8>, introducer: UInt8) -> Step {
        if beginsReport(content, introducer: introducer) { return .reportStart(2) }
        let key = Step.event(.key(.alt(Character(Unicode.Scalar(introducer)))), 2)
        guard let end = content.firstIndex(where: { $0 < 0x20 || $0 == 0x7F }) else {
            return content.count < longestSequence ? .incomplete : key
        }
        let length = end - content.startIndex + 2
        if content[end] == 0x07 { return .skip(length + 1) }
        guard content[end] == 0x1B else { return key }
        guard let next = content[end...].dropFirst().first else { return .incomplete }
        return next == UInt8(ascii: "\\") ? .skip(length + 2) : key
    }

    /// Whether the content begins as the reports of terminals do: a number of OSC, the parameters and the function of DCS, a key of APC.
    private static func beginsReport(_ content: ArraySlice<UInt8>, introducer: UInt8) -> Bool {
        let rest = content.drop { (0x30...0x39).contains($0) }
        guard let first = rest.first else { return false }
        switch introducer {
        case UInt8(ascii: "]"): return rest.count < content.count && first == UInt8(ascii: ";")
        case UInt8(ascii: "P"): return ">=?!$+|".utf8.contains(first)
        case UInt8(ascii: "_"): return rest.count == content.count && first == UInt8(ascii: "G") && rest.dropFirst(2).first == UInt8(ascii: "=")
        default: return false
        }
    }

    private static func character(_ bytes: ArraySlice<UInt8>) -> Step {
        let length =
            switch bytes[bytes.startIndex] {
            case 0x20...0x7E: 1
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 0
            }
        let text = bytes.prefix(length)
        guard length > 0, text.dropFirst().allSatisfy({ $0 & 0xC0 == 0x80 }) else {
            return .event(.key(.character("\u{FFFD}")), 1)
        }
        guard text.count == length else { return .incomplete }
        guard let string = String(validating: text, as: UTF8.self), let scalar = string.unicodeScalars.first else {
            return .event(.key(.character("\u{FFFD}")), 1)
        }
        return scalar.isC0OrC1 ? .skip(length) : .event(.key(.character(Character(scalar))), length)
    }

    /// ESC O and a letter: the keypad and the first function keys.
    ///
    /// Some terminals send a modifier before the letter.
    private static func singleShift(_ bytes: ArraySlice<UInt8>, before: Int) -> Step {
        let digits = bytes.prefix { (0x30...0x3B).contains($0) }
        guard digits.count < 8 else { return .skip(before + digits.count) }
        guard let final = bytes.dropFirst(digits.count).first else { return .incomplete }
        guard (0x20..<0x7F).contains(final) else { return .event(.key(.alt("O")), before) }
        let sequence = ControlSequence(parameters: digits, final: final)
        let length = before + digits.count + 1
        guard let key = sequence.singleShiftKey else { return .skip(length) }
        return .event(.key(key), length)
    }

    /// ESC [, parameters and a final byte: all other sequences.
    private static func controlSequence(_ bytes: ArraySlice<UInt8>, before: Int) -> Step {
        // The Linux console sends ESC [ [ A for F1.
        if bytes.first == UInt8(ascii: "[") {
            guard let final = bytes.dropFirst().first else { return .incomplete }
            guard (0x41...0x45).contains(final) else { return .skip(before + 1) }
            return .event(.key(.function(Int(final) - 0x40)), before + 2)
        }
        // rxvt ends shifted keys with a dollar sign, which is an intermediate byte in sequences with a private
        // marker.
        let isPrivate = bytes.first.map { (0x3C...0x3F).contains($0) } ?? false
        let parameters = bytes.prefix { (0x20...0x3F).contains($0) && ($0 != UInt8(ascii: "$") || isPrivate) }
        guard parameters.count <= longestSequence else { return .skip(before + parameters.count) }
        guard let final = bytes.dropFirst(parameters.count).first else { return .incomplete }
        let length = before + parameters.count + 1
        guard (0x40...0x7E).contains(final) || final == UInt8(ascii: "$") else { return .skip(before + parameters.count) }
        let sequence = ControlSequence(parameters: parameters, final: final)
        switch final {
        case UInt8(ascii: "M") where parameters.isEmpty:
            let report = bytes.dropFirst().prefix(3)
            guard report.count == 3 else { return .incomplete }
            return MouseReport(oldStyle: Array(report)).map { .event(.mouse($0.mouse), length + 3) } ?? .skip(length + 3)
        case UInt8(ascii: "M"), UInt8(ascii: "m"):
            return MouseReport(sequence).map { .event(.mouse($0.mouse), length) } ?? .skip(length)
        case UInt8(ascii: "~") where sequence.numbers.first == 200: return .pasteStart(length)
        default:
            guard let key = sequence.key else { return .skip(length) }
            return .event(.key(key), length)
        }
    }
}

/// An event from the terminal.
package enum InputEvent: Hashable, Sendable {
    /// A key was pressed.
    case key(Key)
    /// Text was pasted. Its line breaks are line feeds.
    case paste(String)
    /// The mouse was used.
    case mouse(Mouse)
    /// The size of the terminal changed; the screen must be drawn again.
    case resize(Size)
    /// The program is in the foreground again after it was stopped; the screen must be drawn again.
    case resumed
    /// The terminal was closed. No event follows; the program must end.
    case hangup
}

/// A mouse report, in the decimal form (SGR, mode 1006) or the older form with three bytes.
struct MouseReport {
    let mouse: Mouse

    /// Parses a report `ESC [ < code ; column ; row` with the final byte `M` (press) or `m` (release); `nil` for
    /// another sequence.
    init?(_ sequence: ControlSequence) {
        guard sequence.numbers.count >= 3, sequence.marker == UInt8(ascii: "<") else { return nil }
        self.init(
            code: sequence.numbers[0], column: sequence.numbers[1], row: sequence.numbers[2],
            isUp: sequence.final == UInt8(ascii: "m"))
    }

    /// Parses a report of three bytes, each offset by 32; `nil` for invalid bytes.
    init?(oldStyle bytes: [UInt8]) {
        guard bytes.count == 3, bytes.allSatisfy({ $0 >= 32 }) else { return nil }
        let code = Int(bytes[0]) - 32
        self.init(code: code, column: Int(bytes[1]) - 32, row: Int(bytes[2]) - 32, isUp: code & 0x43 == 3)
    }

    private init?(code: Int, column: Int, row: Int, isUp: Bool) {
        let position = Point(column: max(0, column - 1), row: max(0, row - 1))
        if code & 64 != 0 {
            switch code & 3 {
            case 0: mouse = Mouse(kind: .scrollUp, button: .none, position: position)
            case 1: mouse = Mouse(kind: .scrollDown, button: .none, position: position)
            default: return nil  // the wheel was tilted
            }
            return
        }
        guard code & 128 == 0 else { return nil }  // buttons beyond the third
        let button: Mouse.Button =
            switch code & 3 {
            case 0: .left
            case 1: .middle
            case 2: .right
            default: .none
            }
        if code & 32 != 0 {
            guard button != .none else { return nil }  // motion without a button
            mouse = Mouse(kind: .drag, button: button, position: position)
        } else {
            mouse = Mouse(kind: isUp ? .release : .press, button: button, position: position)
        }
    }
}
