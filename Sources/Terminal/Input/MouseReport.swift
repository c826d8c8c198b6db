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
