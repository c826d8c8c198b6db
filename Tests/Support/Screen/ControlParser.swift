/// Splits a terminal's input into characters and control functions (ECMA-48), independent of how the bytes are divided.
struct ControlParser: Sendable {
    enum Event: Sendable {
        case print(Unicode.Scalar)
        case control(UInt8)
        /// ESC, intermediate bytes and final byte.
        case escape(String)
        /// CSI: private marker, parameters (nil when omitted), intermediate bytes and final byte.
        case sequence(marker: String, parameters: [Int?], intermediates: String, final: Character)
        /// The text of an OSC.
        case systemCommand(String)
    }

    private enum State: Sendable { case ground, escape, sequence, command, ignoredString, stringEscape(isCommand: Bool) }

    private var state = State.ground
    private var collected: [UInt8] = []
    private var character: [UInt8] = []
    private var missing = 0

    mutating func take(_ byte: UInt8) -> Event? {
        switch state {
        case .ground: return ground(byte)
        case .escape: return escape(byte)
        case .sequence: return sequence(byte)
        case .command, .ignoredString: return string(byte)
        case .stringEscape(let isCommand):
            state = .ground
            if byte == UInt8(ascii: "\\") { return isCommand ? .systemCommand(text) : nil }
            collected = []
            state = .escape
            return escape(byte)
        }
    }

    private var text: String { String(decoding: collected, as: UTF8.self) }

    private mutating func ground(_ byte: UInt8) -> Event? {
        if byte & 0xC0 == 0x80, missing > 0 {
            character.append(byte)
            missing -= 1
            return missing == 0 ? finishCharacter() : nil
        }
        missing = 0
        switch byte {
        case 0x1b:
            collected = []
            state = .escape
            return nil
        case 0..<0x20, 0x7f: return .control(byte)
        case 0x20..<0x7f: return .print(Unicode.Scalar(byte))
        case 0xC2..<0xE0: missing = 1
        case 0xE0..<0xF0: missing = 2
        case 0xF0..<0xF5: missing = 3
        default: return .print("\u{FFFD}")
        }
        character = [byte]
        return nil
    }

    private func finishCharacter() -> Event? {
        .print(String(decoding: character, as: UTF8.self).unicodeScalars.first ?? "\u{FFFD}")
    }

    private mutating func escape(_ byte: UInt8) -> Event? {
        if let event = interrupt(byte) { return event.value }
        if collected.isEmpty {
            switch byte {
            case UInt8(ascii: "["):
                state = .sequence
                return nil
            case UInt8(ascii: "]"):
                state = .command
                return nil
            case UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
                state = .ignoredString
                return nil
            default: break
            }
        }
        collected.append(byte)
        if byte < 0x30 { return nil }
        state = .ground
        return .escape(text)
    }

    private mutating func sequence(_ byte: UInt8) -> Event? {
        if let event = interrupt(byte) { return event.value }
        if byte < 0x40 || byte > 0x7e {
            collected.append(byte)
            return nil
        }
        state = .ground
        let markers = collected.prefix { (0x3c...0x3f).contains($0) }
        let parameters = collected.dropFirst(markers.count).prefix { (0x30...0x3b).contains($0) }
        // A colon separates subparameters; those of SGR can be read as parameters.
        let numbers = parameters.split(omittingEmptySubsequences: false) { $0 == 0x3b || $0 == 0x3a }
        return .sequence(
            marker: String(decoding: markers, as: UTF8.self),
            parameters: numbers.map { Int(String(decoding: $0, as: UTF8.self)).map { min($0, 100_000) } },
            intermediates: String(decoding: collected.dropFirst(markers.count + parameters.count), as: UTF8.self),
            final: Character(Unicode.Scalar(byte)))
    }

    private mutating func string(_ byte: UInt8) -> Event? {
        var isCommand = false
        if case .command = state { isCommand = true }
        switch byte {
        case 0x07 where isCommand:
            state = .ground
            return .systemCommand(text)
        case 0x1b: state = .stringEscape(isCommand: isCommand)
        case 0x18, 0x1a: state = .ground
        default: if isCommand { collected.append(byte) }
        }
        return nil
    }

    /// Control characters take effect even inside a sequence; CAN and SUB end it, ESC starts another one.
    private mutating func interrupt(_ byte: UInt8) -> (value: Event?, Void)? {
        switch byte {
        case 0x1b:
            collected = []
            state = .escape
            return (nil, ())
        case 0x18, 0x1a:
            state = .ground
            return (nil, ())
        case 0..<0x20: return (.control(byte), ())
        default: return nil
        }
    }
}
