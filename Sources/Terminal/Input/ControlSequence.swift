/// A control sequence that a terminal sends for a key: numeric parameters and a final byte.
struct ControlSequence {
    /// The parameters; a missing one is 0.
    let numbers: [Int]
    /// The private marker before the parameters, for example `<` of mouse reports.
    let marker: UInt8?
    /// The final byte, which determines the meaning of the sequence.
    let final: UInt8

    init(parameters: ArraySlice<UInt8>, final: UInt8) {
        self.final = final
        marker = parameters.first.flatMap { (0x3C...0x3F).contains($0) ? $0 : nil }
        numbers = parameters.drop { (0x3C...0x3F).contains($0) }
            .split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
            .map { part in
                // A colon separates parts of a parameter; keys use only the first part.
                part.prefix { (0x30...0x39).contains($0) }.reduce(0) { min($0 * 10 + Int($1) - 0x30, 1_000_000) }
            }
    }

    /// The key of a sequence that starts with ESC [; `nil` for other sequences.
    var key: Key? {
        guard marker == nil else { return nil }
        let number = numbers.first ?? 0
        switch final {
        case UInt8(ascii: "~"):
            if number == 27, numbers.count >= 3 { return typed(numbers[2]) }
            return Self.numbered(number).map { with($0) }
        case UInt8(ascii: "$"): return Self.numbered(number).map { Key($0, .shift) }
        case UInt8(ascii: "^"): return Self.numbered(number).map { Key($0, .control) }
        case UInt8(ascii: "@"): return Self.numbered(number).map { Key($0, [.control, .shift]) }
        case UInt8(ascii: "u"): return typed(number)
        case UInt8(ascii: "a")...UInt8(ascii: "d"): return Self.lettered(final & 0x5F).map { Key($0, .shift) }
        case UInt8(ascii: "Z"): return .backTab
        default: return Self.lettered(final).map { with($0) }
        }
    }

    /// The key of a sequence that starts with ESC O; `nil` for other sequences.
    var singleShiftKey: Key? {
        switch final {
        case UInt8(ascii: "M"): .enter
        case UInt8(ascii: "I"): .tab
        case UInt8(ascii: " "): .space
        case UInt8(ascii: "X"): .character("=")
        case UInt8(ascii: "a")...UInt8(ascii: "d"): Self.lettered(final & 0x5F).map { Key($0, .control) }
        // In application mode the numeric keypad sends its characters plus 0x40.
        case UInt8(ascii: "j")...UInt8(ascii: "y"): .character(Character(Unicode.Scalar(final - 0x40)))
        default: Self.lettered(final).map { with($0) }
        }
    }

    /// The modifiers from the second parameter, which counts from 1; ESC O 5 P has them in the first.
    private var modifiers: Key.Modifiers {
        let number =
            numbers.count > 1 ? numbers[1] : (final == UInt8(ascii: "~") || final == UInt8(ascii: "u") ? 0 : numbers.first ?? 0)
        guard number > 1 else { return [] }
        var modifiers: Key.Modifiers = []
        if (number - 1) & 1 != 0 { modifiers.insert(.shift) }
        if (number - 1) & (2 | 8 | 32) != 0 { modifiers.insert(.alt) }
        if (number - 1) & 4 != 0 { modifiers.insert(.control) }
        return modifiers
    }

    private func with(_ code: Key.Code) -> Key {
        Key(code, modifiers)
    }

    /// A key given by its character: xterm's modifyOtherKeys and compatible protocols.
    private func typed(_ number: Int) -> Key? {
        guard let value = UInt32(exactly: number), let scalar = Unicode.Scalar(value) else { return nil }
        if scalar.value < 0x20 || scalar.value == 0x7F {
            var key = KeyDecoder.control(UInt8(scalar.value))
            guard key.modifiers.isEmpty else { return key }
            key.modifiers = modifiers
            if key.code == .tab, modifiers.contains(.shift) { key = Key(.backTab, modifiers.subtracting(.shift)) }
            return key
        }
        guard !scalar.isC0OrC1, !(0xE000...0xF8FF).contains(scalar.value) else { return nil }
        if modifiers.contains(.control) {
            return Key(.character(Character(scalar).lowercased().first ?? Character(scalar)), modifiers)
        }
        let character = Character(scalar)
        let shifted = modifiers.contains(.shift) ? character.uppercased().first ?? character : character
        return Key(.character(shifted), modifiers.subtracting(.shift))
    }

    private static func lettered(_ final: UInt8) -> Key.Code? {
        switch final {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        case UInt8(ascii: "F"): .end
        case UInt8(ascii: "H"): .home
        case UInt8(ascii: "P")...UInt8(ascii: "S"): .function(Int(final) - 0x4F)
        default: nil
        }
    }

    private static func numbered(_ number: Int) -> Key.Code? {
        switch number {
        case 1, 7: .home
        case 2: .insert
        case 3: .delete
        case 4, 8: .end
        case 5: .pageUp
        case 6: .pageDown
        case 11...15: .function(number - 10)
        case 17...21: .function(number - 11)
        case 23...26: .function(number - 12)
        case 28, 29: .function(number - 13)
        case 31...34: .function(number - 14)
        default: nil
        }
    }
}
