/// A mouse report, in the form with decimal numbers (SGR, mode 1006) or the old one with three bytes.
struct MouseReport {
    let mouse: Mouse

    /// A report `ESC [ < code ; column ; row` ended by `M` (down) or `m` (up), or `nil` for another sequence.
    init?(_ sequence: ControlSequence) {
        guard sequence.numbers.count >= 3, sequence.marker == UInt8(ascii: "<") else { return nil }
        self.init(
            code: sequence.numbers[0], column: sequence.numbers[1], row: sequence.numbers[2],
            isUp: sequence.final == UInt8(ascii: "m"))
    }

    /// A report of three bytes, each moved up by 32, or `nil` where they are none.
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
            default: return nil  // the wheel tilted
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
            guard button != .none else { return nil }  // moved with no button down
            mouse = Mouse(kind: .drag, button: button, position: position)
        } else {
            mouse = Mouse(kind: isUp ? .release : .press, button: button, position: position)
        }
    }
}
