extension VirtualScreen {
    /// The screen as an SVG image with its own dark background, so that it can be read on light and dark pages.
    ///
    /// Each run of cells of one style is a text whose length is fixed, so that columns stay aligned in every font.
    public var svg: String {
        let (width, height) = size(of: rowCount)
        var svg = Self.head(width, height)
        for row in cells.indices { svg += markup(ofRow: row, at: Self.margin + Double(row) * Self.line) }
        return svg + "</svg>\n"
    }

    /// The width and the height of an image with a number of rows of the screen.
    func size(of rows: Int) -> (width: Double, height: Double) {
        (Double(columns) * Self.cell + 2 * Self.margin, Double(rows) * Self.line + 2 * Self.margin)
    }

    /// The begin of an image: its size, the styles and the background.
    static func head(_ width: Double, _ height: Double, styles: String = "") -> String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="\(number(width))" height="\(number(height))" \
        viewBox="0 0 \(number(width)) \(number(height))">
        <style>text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:\(foreground);white-space:pre}\
        .b{font-weight:bold}.u{text-decoration:underline}.d{opacity:.7}\(styles)</style>
        <rect width="100%" height="100%" rx="8" fill="\(background)"/>

        """
    }

    /// The texts and backgrounds of a row whose upper border is at `y`.
    func markup(ofRow row: Int, at y: Double) -> String {
        var svg = ""
        for run in Self.runs(of: cells[row]) where !run.isInvisible {
            let x = Self.margin + Double(run.column) * Self.cell
            let length = Self.number(Double(run.width) * Self.cell)
            if let fill = run.style.fill.background {
                svg += "<rect x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" width=\"\(length)\" height=\"18\" fill=\"\(fill)\"/>\n"
            }
            let classes = [run.style.isBold ? "b" : "", run.style.isUnderlined ? "u" : "", run.style.isDim ? "d" : ""].filter { !$0.isEmpty }
            let classText = classes.isEmpty ? "" : " class=\"\(classes.joined(separator: " "))\""
            let fillText = run.style.fill.foreground.map { " style=\"fill:\($0)\"" } ?? ""
            svg += "<text x=\"\(Self.number(x))\" y=\"\(Self.number(y + 13.5))\" textLength=\"\(length)\"\(classText)\(fillText)>"
            svg += Self.escaped(run.text) + "</text>\n"
        }
        return svg
    }

    /// A text as content of an element.
    static func escaped(_ text: String) -> String { text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;") }

    /// The text that ``escaped(_:)`` got.
    static func unescaped(_ text: Substring) -> String {
        text.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&").description
    }

    /// The width of a cell, the height of a row, and the blank border around the screen.
    static let cell = 8.4
    static let line = 18.0
    static let margin = 12.0
    private static let foreground = "#d8dee9"
    private static let background = "#1b1f27"

    /// A number with at most one digit after the point.
    static func number(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }

    /// Adjacent cells of one style.
    private struct Run {
        var column: Int
        var width: Int
        var text: String
        var style: CellStyle

        var isInvisible: Bool { text.allSatisfy { $0 == " " } && style.fill.background == nil && !style.isUnderlined }
    }

    private static func runs(of cells: [ScreenCell]) -> [Run] {
        var runs: [Run] = []
        for (column, cell) in cells.enumerated() where cell.width > 0 {
            let text = cell.text.isEmpty ? " " : cell.text
            if let last = runs.indices.last, runs[last].style == cell.style, runs[last].column + runs[last].width == column {
                runs[last].text += text
                runs[last].width += cell.width
            } else {
                runs.append(Run(column: column, width: cell.width, text: text, style: cell.style))
            }
        }
        return runs.map(trimmed)
    }

    /// The run without blanks at its ends, where these are not visible.
    private static func trimmed(_ run: Run) -> Run {
        guard run.style.fill.background == nil, !run.style.isUnderlined else { return run }
        var run = run
        // Blanks are one cell wide.
        let leading = run.text.prefix { $0 == " " }.count
        let trailing = run.text.reversed().prefix { $0 == " " }.count
        guard leading < run.text.count else { return run }
        run.text = String(run.text.dropFirst(leading).dropLast(trailing))
        run.column += leading
        run.width -= leading + trailing
        return run
    }

    /// The text of an image that ``svg`` made, row by row and without blanks.
    public static func text(ofSVG svg: String) -> [String] {
        var rows: [String: String] = [:]
        var order: [String] = []
        for text in svg.matches(of: /<text x="[^"]*" y="([^"]*)"[^>]*>([^<]*)<\/text>/) {
            let row = String(text.1)
            if rows[row] == nil { order.append(row) }
            rows[row, default: ""] += unescaped(text.2).filter { $0 != " " }
        }
        return order.compactMap { rows[$0] }
    }
}

extension CellStyle {
    /// The colours in CSS; nil for those of the screen.
    fileprivate var fill: (foreground: String?, background: String?) {
        let (front, back) = (foreground?.css, background?.css)
        return isReversed ? (back ?? "#1b1f27", front ?? "#d8dee9") : (front, back)
    }
}

extension ScreenColor {
    /// The colour in CSS, with xterm's palette.
    fileprivate var css: String {
        switch self {
        case .rgb(let red, let green, let blue): return Self.hex(red, green, blue)
        case .indexed(let index) where index < 16:
            let basic = [
                "#3b4252", "#bf616a", "#a3be8c", "#ebcb8b", "#81a1c1", "#b48ead", "#88c0d0", "#e5e9f0", "#4c566a", "#bf616a", "#a3be8c", "#ebcb8b",
                "#81a1c1", "#b48ead", "#8fbcbb", "#eceff4",
            ]
            return basic[max(0, index)]
        case .indexed(let index) where index < 232:
            let levels = [0, 95, 135, 175, 215, 255]
            let cube = index - 16
            return Self.hex(levels[cube / 36], levels[cube / 6 % 6], levels[cube % 6])
        case .indexed(let index):
            let level = 8 + (min(index, 255) - 232) * 10
            return Self.hex(level, level, level)
        }
    }

    private static func hex(_ red: Int, _ green: Int, _ blue: Int) -> String {
        "#" + [red, green, blue].map { value in String(value / 16, radix: 16) + String(value % 16, radix: 16) }.joined()
    }
}
