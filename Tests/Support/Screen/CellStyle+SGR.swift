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

    /// The `CSI … m` that sets this style, whatever the style before was.
    var sequence: String {
        let attributes: [(isSet: Bool, code: String)] = [
            (isBold, "1"), (isDim, "2"), (isItalic, "3"), (isUnderlined, "4"), (isBlinking, "5"), (isReversed, "7"), (isHidden, "8"),
            (isStruckThrough, "9"),
        ]
        let codes = ["0"] + attributes.filter(\.isSet).map(\.code)
        return "\u{1B}[" + (codes + [foreground?.codes("38"), background?.codes("48")].compactMap(\.self)).joined(separator: ";") + "m"
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

extension ScreenColor {
    /// The parameters of `CSI … m` for the colour.
    ///
    /// - Parameter ground: 38 for the foreground, 48 for the background.
    fileprivate func codes(_ ground: String) -> String {
        switch self {
        case .indexed(let index): "\(ground);5;\(index)"
        case .rgb(let red, let green, let blue): "\(ground);2;\(red);\(green);\(blue)"
        }
    }
}

extension VirtualScreen {
    /// The rows with the escape sequences of their styles, without blanks at their ends.
    var textRows: [String] {
        cells.map { row in
            var (text, style) = ("", CellStyle())
            let end = row.lastIndex { $0.width > 0 && ($0.style != CellStyle() || !$0.text.allSatisfy { $0 == " " }) } ?? -1
            for cell in row[...end] where cell.width > 0 {
                if cell.style != style { text += cell.style.sequence }
                style = cell.style
                text += cell.text.isEmpty ? " " : cell.text
            }
            return style == CellStyle() ? text : text + "\u{1B}[0m"
        }
    }
}
