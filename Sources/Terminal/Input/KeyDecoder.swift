/// Turns the bytes a terminal sends into events; a pure function of the bytes and of "nothing more came".
///
/// The bytes are decoded here rather than by ncurses: its table knows only the keys of one terminal description, it takes
/// bracketed paste apart, it drops what it does not know, and it cannot be tested without a terminal. This decoder takes the
/// sequences of xterm, tmux, screen, rxvt and the Linux console alike, whatever `TERM` says.
///
/// A sequence may arrive in pieces. While ``pending`` is not `nothing`, the bytes so far could still become something else; the
/// caller waits as long as that says and, when nothing came, calls ``flush()``.
struct KeyDecoder {
    /// What the bytes at hand, still undecided, are waiting for.
    enum Pending: Equatable {
        /// Nothing is undecided.
        case nothing
        /// An escape character alone: the key, or the beginning of a sequence. People notice a wait here.
        case escape
        /// The beginning of a sequence or of a UTF-8 character; the rest is nearly always on its way.
        case sequence
        /// The end of a paste.
        case paste
    }

    /// The outcome of looking at the first bytes.
    enum Step {
        /// So many bytes are one event.
        case event(InputEvent, Int)
        /// So many bytes mean nothing to us.
        case skip(Int)
        /// More bytes are needed.
        case incomplete
        /// So many bytes begin a paste.
        case pasteStart(Int)
    }

    private var bytes: [UInt8] = []
    private var start = 0
    private var pasted: [UInt8]?

    private static let pasteEnd: [UInt8] = Array("\u{1B}[201~".utf8)

    /// Takes in bytes as they came.
    mutating func feed(_ more: some Sequence<UInt8>) {
        bytes.removeFirst(start)
        start = 0
        bytes.append(contentsOf: more)
    }

    /// The next whole event, or `nil` until more bytes come.
    mutating func next() -> InputEvent? {
        while start < bytes.count {
            if pasted != nil {
                guard let text = endOfPaste() else { return nil }
                return .paste(text)
            }
            switch Self.step(bytes[start...]) {
            case .event(let event, let length):
                start += length
                return event
            case .skip(let length): start += length
            case .pasteStart(let length):
                start += length
                pasted = []
            case .incomplete: return nil
            }
        }
        return nil
    }

    /// What is being waited for after ``next()`` returned `nil`.
    var pending: Pending {
        if pasted != nil { return .paste }
        switch bytes.count - start {
        case 0: return .nothing
        case 1 where bytes[start] == 0x1B: return .escape
        default: return .sequence
        }
    }

    /// Decides about the undecided bytes, because nothing followed them in time, and returns what they were.
    mutating func flush() -> [InputEvent] {
        defer {
            bytes.removeAll()
            start = 0
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
        // Keep back what could be the beginning of the end, so that no byte is searched twice.
        let kept = min(fresh.count, Self.pasteEnd.count - 1)
        pasted?.append(contentsOf: fresh.dropLast(kept))
        start = bytes.count - kept
        return nil
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
        default: return []  // the beginning of a sequence whose end got lost: no key
        }
    }
}
