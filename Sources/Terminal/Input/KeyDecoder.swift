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
