internal import BodyViews
internal import SortieBase
internal import SortieTerminal

/// The mode of a text that is edited with the keys of vi, and the command that is being typed.
struct ViMode: Hashable, Sendable {
    /// Whether keys are commands; otherwise they are inserted.
    var isNormal = false
    /// The operator that waits for a movement, or the first `g` of two.
    fileprivate(set) var pending: Character?
    /// The digits before the operator, and those of the command.
    fileprivate var operatorCount = ""
    fileprivate var count = ""
    /// The text that the last command deleted or yanked; whole lines end with a line break.
    fileprivate(set) var register: String?

    /// Whether a command is incomplete.
    var isPending: Bool { pending != nil || !count.isEmpty }

    /// The mode, with the command that is incomplete.
    var label: String { isNormal ? "NORMAL" + (isPending ? " \(operatorCount)\(pending.map(String.init) ?? "")\(count)" : "") : "INSERT" }

    fileprivate mutating func endCommand() { (pending, count, operatorCount) = (nil, "", "") }
}

/// Commands of vi. In normal mode the cursor is on a character: before it, and never after the last one of a line.
extension TextArea {
    private typealias Position = EditableText.Position

    /// The position to which a command moves, and the range of an operator before it.
    private struct Target {
        var position: Position
        /// Whether whole lines are taken.
        var isLines = false
        /// Whether the character at the position is taken.
        var isInclusive = false
    }

    /// Performs the command of a key; Esc ends insertion, or an incomplete command.
    ///
    /// - Parameter register: The text that is put.
    mutating func performVi(_ key: Character, register: String, _ language: TextLanguage) {
        mode.register = nil
        if key == "\u{1B}" {
            if !mode.isNormal, column > 0 { place(Position(row: row, column: column - 1)) }
            mode.isNormal = true
            return mode.endCommand()
        }
        // A match that a search selected is where its first character is.
        if mode.isNormal, let selection = content.selection { place(selection.lowerBound) }
        if key.isASCII, key.isNumber, key != "0" || !mode.count.isEmpty {
            if mode.count.count < 4 { mode.count.append(key) }
            return
        }
        let isCounted = !mode.count.isEmpty || !mode.operatorCount.isEmpty
        let count = min((Int(mode.count) ?? 1) * (Int(mode.operatorCount) ?? 1), 9999)
        if let pending = mode.pending {
            if pending == "g" {
                if key == "g" { place(Position(row: isCounted ? count - 1 : 0)) }
            } else {
                operate(pending, key, count, isCounted, language)
            }
        } else if "dcyg".contains(key) {
            (mode.pending, mode.operatorCount, mode.count) = (key, mode.count, "")
            return
        } else {
            perform(key, count, isCounted, register, language)
        }
        mode.endCommand()
        if mode.isNormal { place(Position(row: row, column: min(column, max(0, lines[row].count - 1)))) }
    }

    private mutating func perform(_ key: Character, _ count: Int, _ isCounted: Bool, _ register: String, _ language: TextLanguage) {
        let end = Position(row: row, column: lines[row].count)
        switch key {
        case "j", "k": move(rows: key == "j" ? count : -count)
        case "i": mode.isNormal = false
        case "a": insert(at: Position(row: row, column: min(column + 1, end.column)))
        case "I": insert(at: firstCharacter(ofRow: row))
        case "A": insert(at: end)
        case "o":
            insert(at: end)
            apply(.newLine, language)
        case "O":
            let blanks = String(lines[row].prefix(while: \.isSpaceOrTab))
            replace(Position(row: row)..<Position(row: row), with: blanks + "\n")
            insert(at: Position(row: row - 1, column: blanks.count))
        case "x": operate("d", "l", count, true, language)
        case "X": operate("d", "h", count, true, language)
        case "D", "C": operate(key == "D" ? "d" : "c", "$", 1, false, language)
        case "s": operate("c", "l", count, true, language)
        case "u": for _ in 0..<count { apply(.undo) }
        case "U": for _ in 0..<count { apply(.redo) }
        case "p", "P": put(String(repeating: register, count: min(count, 100)), isAfter: key == "p")
        default: if let target = target(of: key, count, isCounted) { place(target.position) }
        }
    }

    private mutating func insert(at position: Position) {
        place(position)
        mode.isNormal = false
    }

    private mutating func put(_ text: String, isAfter: Bool) {
        guard !text.isEmpty else { return }
        let (row, column) = (self.row, self.column)
        if text.last == "\n" {
            // Whole lines, below or above that of the cursor.
            let end = Position(row: row, column: lines[row].count)
            let start = Position(row: row)
            if isAfter { replace(end..<end, with: "\n" + text.dropLast()) } else { replace(start..<start, with: text) }
            place(firstCharacter(ofRow: isAfter ? row + 1 : row))
        } else {
            let place = Position(row: row, column: min(column + (isAfter ? 1 : 0), lines[row].count))
            replace(place..<place, with: text)
            self.place(Position(row: self.row, column: max(0, self.column - 1)))
        }
    }

    // MARK: Operators

    /// Deletes (d), changes (c) or yanks (y) what a movement passes, or lines where the key is that of the operator.
    private mutating func operate(_ name: Character, _ key: Character, _ count: Int, _ isCounted: Bool, _ language: TextLanguage) {
        let here = Position(row: row, column: column)
        // As in vi, cw changes the word without the blanks behind it.
        let changesWord = name == "c" && key == "w" && kind(at: here) != .blank
        // Behind the last character of a word, e goes to the end of the next one.
        let isWordEnd = kind(at: Position(row: row, column: column + 1)) != kind(at: here)
        let (movement, steps) = changesWord ? ("e", isWordEnd ? count - 1 : count) : (key, count)
        guard let target = key == name ? lineTarget(count) : target(of: movement, steps, isCounted, ofOperator: true) else { return }
        let first = min(here, target.position)
        var last = max(here, target.position)
        if target.isLines {
            let rows = first.row...last.row
            let end = Position(row: rows.upperBound, column: lines[rows.upperBound].count)
            mode.register = content.text(in: Position(row: rows.lowerBound)..<end) + "\n"
            switch name {
            case "y": place(Position(row: rows.lowerBound, column: here.row == rows.lowerBound ? here.column : 0))
            case "c":
                replace(firstCharacter(ofRow: rows.lowerBound)..<end, with: "")
                mode.isNormal = false
            default: deleteLines(rows)
            }
            return
        }
        if target.isInclusive { last.column = min(last.column + 1, lines[last.row].count) }
        // A word at the end of a line does not take the line break.
        if key == "w", last.row > here.row { last = Position(row: here.row, column: lines[here.row].count) }
        guard first < last else {
            if name == "c" { mode.isNormal = false }
            return
        }
        mode.register = content.text(in: first..<last)
        if name == "y" { return place(first) }
        replace(first..<last, with: "")
        if name == "c" { mode.isNormal = false }
    }

    private mutating func deleteLines(_ rows: ClosedRange<Int>) {
        let isLast = rows.upperBound == lines.count - 1
        let end = isLast ? Position(row: rows.upperBound, column: lines[rows.upperBound].count) : Position(row: rows.upperBound + 1)
        var start = Position(row: rows.lowerBound)
        if isLast, rows.lowerBound > 0 { start = Position(row: rows.lowerBound - 1, column: lines[rows.lowerBound - 1].count) }
        replace(start..<end, with: "")
        place(firstCharacter(ofRow: min(rows.lowerBound, lines.count - 1)))
    }

    // MARK: Movements

    /// The lines that an operator takes which is typed twice; nil where the lines below that of the cursor are counted and there is none.
    private func lineTarget(_ count: Int) -> Target? {
        count == 1 ? Target(position: Position(row: row), isLines: true) : rowTarget(count - 1)
    }

    /// A line above or below that of the cursor, at most the first or the last one; nil where there is none, so that an operator takes nothing.
    private func rowTarget(_ rows: Int) -> Target? {
        let target = (row + rows).clamped(to: 0...lines.count - 1)
        return target == row ? nil : Target(position: Position(row: target, column: 0), isLines: true)
    }

    private func target(of key: Character, _ count: Int, _ isCounted: Bool, ofOperator: Bool = false) -> Target? {
        var position = Position(row: row, column: column)
        let width = lines[row].count
        switch key {
        case "h": return Target(position: Position(row: row, column: max(0, column - count)))
        case "l", " ": return Target(position: Position(row: row, column: min(column + count, ofOperator ? width : max(0, width - 1))))
        case "j", "k": return rowTarget(key == "j" ? count : -count)
        case "0": return Target(position: Position(row: row))
        case "^": return Target(position: firstCharacter(ofRow: row))
        case "$": return Target(position: Position(row: row, column: max(0, width - 1)), isInclusive: true)
        case "G": return Target(position: Position(row: isCounted ? min(count, lines.count) - 1 : lines.count - 1), isLines: true)
        case "w":
            for _ in 0..<count {
                let kind = kind(at: position)
                while kind != .blank, self.kind(at: position) == kind, let next = content.after(position) { position = next }
                while self.kind(at: position) == .blank, let next = content.after(position) { position = next }
            }
            return Target(position: position)
        case "e":
            for _ in 0..<count {
                guard let next = content.after(position) else { break }
                position = next
                while kind(at: position) == .blank, let next = content.after(position) { position = next }
                while let next = content.after(position), kind(at: next) == kind(at: position) { position = next }
            }
            return Target(position: position, isInclusive: true)
        case "b":
            for _ in 0..<count {
                guard let previous = content.before(position) else { break }
                position = previous
                while kind(at: position) == .blank, let previous = content.before(position) { position = previous }
                while let previous = content.before(position), kind(at: previous) == kind(at: position) { position = previous }
            }
            return Target(position: position)
        default: return nil
        }
    }

    private enum Kind { case blank, punctuation, word }

    /// The kind of the character at a position; a line break is a blank.
    private func kind(at position: Position) -> Kind {
        guard position.column < lines[position.row].count else { return .blank }
        let character = lines[position.row][position.column]
        return character.isWordCharacter ? .word : character.isWhitespace ? .blank : .punctuation
    }

    private func firstCharacter(ofRow row: Int) -> Position {
        Position(row: row, column: lines[row].prefix(while: \.isSpaceOrTab).count)
    }
}
