internal import BodyViews
internal import SortieBase
internal import SortieTerminal

/// An editable text of several lines.
struct TextArea: Hashable, Sendable {
    private(set) var content: EditableText
    /// The first visible row; nil before the text was scrolled.
    private var top: Int?
    /// Whether the text is the empty pair of a new body, and nothing was typed yet.
    private var isEmptyPair = false
    /// The mode of vi, which matters with its keymap only.
    var mode = ViMode()

    /// Creates an area with the cursor at the start of a row.
    init(_ text: String, row: Int = 0) {
        content = EditableText(text, isSingleLine: false, row: row)
    }

    var text: String { content.text }
    var row: Int { content.cursor.row }
    var column: Int { content.cursor.column }
    var lines: TextLines { content.lines }

    /// Inserts text at the cursor, in place of the selection.
    mutating func insert(_ text: String) { content.insert(text) }

    mutating func apply(_ edit: TextEdit) { content.apply(edit) }

    /// Selects the whole text, so that a bracket that is typed first, or a pasted text that begins with one, replaces it.
    ///
    /// For the empty object of a new body: other text is typed into it.
    mutating func enterEmptyPair() {
        content.place(.init(row: 0, column: 1))
        // The bracket was inserted by the program, as that of a pair is.
        content.keepClosers(["}"])
        isEmptyPair = true
    }

    /// Applies a change in a language, which determines the indentation and the brackets that are closed.
    mutating func apply(_ change: TextChange, _ language: TextLanguage = .plain) {
        if isEmptyPair, case .insert(let text) = change, text.first.map({ language.brackets[$0] != nil }) == true { content.apply(.selectAll) }
        isEmptyPair = false
        switch change {
        case .insert(let text) where text.count == 1 && (!language.pairs.isEmpty || language.isMarkup): text.first.map { content.type($0, language) }
        case .newLine: content.newLine(language)
        case .edit(.deleteBefore): if !content.deleteEmptyPair(language) { content.apply(change) }
        case .point(let point): apply(point)
        case .vi(let key, let register): performVi(key, register: register, language)
        case .insert, .edit, .indent, .outdent, .replace, .replaceAll: content.apply(change)
        }
    }

    private mutating func apply(_ point: TextPoint) {
        let row = (top(height: point.size.height) + point.point.row).clamped(to: 0...lines.count - 1)
        let column = window(ofRow: row, width: point.size.width).index(at: point.point.column, in: lines[row])
        switch point.action {
        case .move, .select: content.place(.init(row: row, column: column), selects: point.action == .select)
        case .selectWord: content.selectWord(at: .init(row: row, column: column))
        }
    }

    /// Replaces a range as one step.
    mutating func replace(_ range: Range<EditableText.Position>, with text: String) { content.replace(range, with: text, kind: .other) }

    /// Places the cursor, or as near as the text permits.
    mutating func place(_ position: EditableText.Position) { content.place(position) }

    /// Moves up (negative) or down (positive) by a number of rows.
    mutating func move(rows: Int) { content.move(rows: rows) }

    /// Scrolls as far as necessary to show the cursor in an area of this height.
    mutating func scroll(height: Int) { top = top(height: height) }

    /// The first visible row in an area of this height.
    private func top(height: Int) -> Int {
        Window.top(top ?? row - height * 2 / 3, showing: row, count: lines.count, height: height)
    }

    /// Draws the lines around the cursor, and positions the terminal's cursor.
    func draw(on canvas: inout Canvas, in rect: Rect, _ decoration: TextDecoration = TextDecoration()) {
        guard !rect.isEmpty else { return }
        let gutter = decoration.gutter(lines: lines.count, width: rect.width)
        let area = rect.split(leftWidth: gutter).right
        let isColoured = decoration.language != .plain
        canvas.fill(rect, style: isColoured ? .text : .input)
        let top = top(height: rect.height)
        let brackets = matchingBrackets(decoration.language)
        var colours: LineColours? = isColoured ? LineColours(decoration.language, before: top) { lines[$0] } : nil
        for row in top..<min(lines.count, top + rect.height) {
            let line = lines[row]
            let point = area.origin.moved(rows: row - top)
            var styles = LineStyles(line, &colours, base: isColoured ? .text : .input)
            if let matches = decoration.matches, line.count <= LineStyles.longestLine {
                for range in Self.columns(of: matches, in: line) { styles.restyle(range, of: line.count) { $0.role = .searchMatch } }
            }
            let mistakes = decoration.mistakes(inRow: row, line)
            for bracket in brackets where bracket.row == row {
                styles.restyle(bracket.column..<bracket.column + 1, of: line.count) { $0 = Style.accent.bold().underlined() }
            }
            for range in mistakes { styles.restyle(range, of: line.count) { $0 = Style.error.underlined() } }
            window(ofRow: row, width: area.width).draw(
                line, styles: styles, selected: content.selectedColumns(ofRow: row), on: &canvas, at: point, width: area.width)
            if gutter > 0 {
                let style: Style = !mistakes.isEmpty || decoration.mistake?.row == row ? .error : row == self.row ? .text : .muted
                canvas.write(ColumnText.right(String(row + 1), to: gutter - 1), at: point.moved(columns: -gutter), style: style)
            }
        }
        let column = window(ofRow: row, width: area.width).column(of: column, in: lines[row])
        canvas.cursor = area.origin.moved(columns: min(column, area.width - 1), rows: (row - top).clamped(to: 0...rect.height - 1))
        canvas.editedArea = area
    }

    private static func columns(of matches: (String) -> [Range<String.Index>], in line: [Character]) -> [Range<Int>] {
        let text = String(line)
        // A long line may have many matches, so that each is counted from the one before.
        var (index, column) = (text.startIndex, 0)
        return matches(text).map { range in
            let start = column + text.distance(from: index, to: range.lowerBound)
            column = start + text.distance(from: range.lowerBound, to: range.upperBound)
            index = range.upperBound
            return start..<column
        }
    }

    /// The visible part of a row: only the row of the cursor is scrolled.
    private func window(ofRow row: Int, width: Int) -> TextWindow {
        let cell = row == self.row ? content.cells(before: content.cursor) : 0
        return TextWindow(lines[row], showing: cell, width: width, hasCursor: row == self.row)
    }

    /// The bracket after the cursor, else the one before it, and its partner; empty where there is no pair.
    func matchingBrackets(_ language: TextLanguage) -> [EditableText.Position] {
        guard !language.brackets.isEmpty, content.selection == nil else { return [] }
        var colours = LineColours(language)
        let line = lines[row]
        guard line.count <= LineStyles.longestLine else { return [] }
        let punctuation = colours.parts(of: line).filter { $0.kind == .punctuation }
        for column in [column, column - 1] where punctuation.contains(where: { $0.range.contains(column) }) {
            let place = EditableText.Position(row: row, column: column)
            if let partner = content.partner(of: place, language) { return [place, partner] }
        }
        return []
    }

    /// Scrolls by rows without moving the cursor further than the area shows.
    mutating func scroll(by rows: Int, height: Int) {
        let top = Window.limited(top(height: height) + rows, count: lines.count, height: height)
        self.top = top
        let shown = top...max(top, min(lines.count, top + height) - 1)
        guard !shown.contains(row) else { return }
        content.move(rows: row.clamped(to: shown) - row)
    }

    // MARK: Searching

    /// Selects the next match of a search, or the previous one; false where there is none.
    ///
    /// - Parameter includingHere: Whether a match at the start of the selection counts.
    mutating func select(
        forward: Bool, includingHere: Bool, _ matches: (_ line: String) -> [Range<String.Index>]
    ) -> Bool {
        let here = content.selection?.lowerBound ?? content.cursor
        let count = lines.count
        for distance in 0...count {
            let row = ((here.row + (forward ? distance : -distance)) % count + count) % count
            let line = lines[row]
            let found = Self.columns(of: matches, in: line).filter { range in
                let start = EditableText.Position(row: row, column: range.lowerBound)
                // The first row is read again at the end, for the matches on the other side of the cursor.
                guard distance == 0 else { return true }
                return forward ? start > here || includingHere && start == here : start < here
            }
            guard let range = forward ? found.first : found.last else { continue }
            content.place(.init(row: row, column: range.lowerBound))
            content.place(.init(row: row, column: range.upperBound), selects: true)
            return true
        }
        return false
    }

    /// Replaces the matches of a search in rows as one step, and returns their number.
    mutating func replaceAll(
        in rows: ClosedRange<Int>, with replacement: String, _ matches: (_ line: String) -> [Range<String.Index>]
    ) -> Int {
        var count = 0
        let before = content.cursor
        let new = rows.map { row -> String in
            let line = String(lines[row])
            var (result, end) = ("", line.startIndex)
            for range in matches(line) {
                result += line[end..<range.lowerBound] + replacement
                end = range.upperBound
                count += 1
            }
            return result + line[end...]
        }
        guard count > 0 else { return 0 }
        let end = EditableText.Position(row: rows.upperBound, column: lines[rows.upperBound].count)
        content.replace(.init(row: rows.lowerBound)..<end, with: new.joined(separator: "\n"), kind: .other)
        content.place(before)
        return count
    }

    /// A line with its tabs expanded.
    static func expanded(_ line: String) -> String { line.replacing("\t", with: String(repeating: " ", count: EditableText.tabWidth)) }
}
