extension CellStyle {
    /// Applies `CSI … m` (ECMA-48 8.3.117, and xterm's colours).
    mutating func apply(_ parameters: Parameters) {
        var rest = parameters.all[...]
        while let first = rest.popFirst() {
            let code = first ?? 0
            switch code {
            case 0: self = CellStyle()
            case 1: isBold = true
            case 2: isDim = true
            case 3: isItalic = true
            case 4, 21: isUnderlined = true
            case 5: isBlinking = true
            case 7: isReversed = true
            case 8: isHidden = true
            case 9: isStruckThrough = true
            case 22: (isBold, isDim) = (false, false)
            case 23: isItalic = false
            case 24: isUnderlined = false
            case 25: isBlinking = false
            case 27: isReversed = false
            case 28: isHidden = false
            case 29: isStruckThrough = false
            case 30...37: foreground = .indexed(code - 30)
            case 38: foreground = Self.color(&rest)
            case 39: foreground = nil
            case 40...47: background = .indexed(code - 40)
            case 48: background = Self.color(&rest)
            case 49: background = nil
            case 90...97: foreground = .indexed(code - 90 + 8)
            case 100...107: background = .indexed(code - 100 + 8)
            default: break
            }
        }
    }

    private static func color(_ rest: inout ArraySlice<Int?>) -> ScreenColor? {
        func next() -> Int { (rest.popFirst() ?? nil) ?? 0 }
        switch next() {
        case 5: return .indexed(next())
        case 2: return .rgb(next(), next(), next())
        default: return nil
        }
    }
}
