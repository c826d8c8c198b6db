internal import SortieTerminal

/// An editable line of text, with a cursor.
struct TextField: Hashable, Sendable {
    private(set) var characters: [Character]
    /// The number of characters before the cursor.
    private(set) var cursor: Int

    /// Creates a field with the cursor after the text.
    init(_ text: String = "") {
        characters = Array(TextField.oneLine(text))
        cursor = characters.count
    }

    /// Replaces the characters without changing them, for ``TextArea``, whose lines are already split.
    mutating func replace(_ line: [Character], cursor: Int) {
        characters = line
        self.cursor = cursor.clamped(to: 0...line.count)
    }

    var text: String { String(characters) }
    var isEmpty: Bool { characters.isEmpty }

    /// Inserts text at the cursor.
    ///
    /// Line breaks and tabs become spaces.
    mutating func insert(_ text: String) {
        // Joined and split again, because a combining mark belongs to the preceding character.
        let before = Array(String(characters[..<cursor]) + TextField.oneLine(text))
        let after = characters[cursor...]
        characters = Array(String(before) + String(after))
        cursor = min(before.count, characters.count)
    }

    mutating func apply(_ edit: TextEdit) {
        switch edit {
        case .left: cursor = max(0, cursor - 1)
        case .right: cursor = min(characters.count, cursor + 1)
        case .wordLeft: cursor = wordStart
        case .wordRight: cursor = wordEnd
        case .start: cursor = 0
        case .end: cursor = characters.count
        case .deleteBefore: delete(max(0, cursor - 1)..<cursor)
        case .deleteAfter: delete(cursor..<min(characters.count, cursor + 1))
        case .deleteWordBefore: delete(wordStart..<cursor)
        case .deleteWordAfter: delete(cursor..<wordEnd)
        case .deleteToStart: delete(0..<cursor)
        case .deleteToEnd: delete(cursor..<characters.count)
        }
    }

    /// Moves the cursor to the character at a column of a field of this width.
    mutating func moveCursor(toColumn column: Int, width: Int) {
        var left = column
        var index = firstVisible(width: width)
        while index < characters.count, left >= CellWidth.width(of: characters[index]) {
            left -= CellWidth.width(of: characters[index])
            index += 1
        }
        cursor = index
    }

    /// Draws the part around the cursor, and positions the terminal's cursor.
    func draw(on canvas: inout Canvas, at point: Point, width: Int, placeholder: String = "", isMasked: Bool = false) {
        guard width > 0 else { return }
        canvas.fill(Rect(column: point.column, row: point.row, width: width, height: 1), style: .input)
        if characters.isEmpty {
            canvas.write(CellWidth.truncated(placeholder, to: width), at: point, style: .placeholder, width: width)
        }
        if isMasked {
            // One dot for each character, because the number of characters is no secret to the user.
            var dots = TextField(String(repeating: "•", count: characters.count))
            dots.cursor = cursor
            return dots.draw(on: &canvas, at: point, width: width, placeholder: placeholder)
        }
        let start = firstVisible(width: width)
        canvas.write(String(characters[start...].prefix(width)), at: point, style: .input, width: width)
        let column = characters[start..<cursor].reduce(0) { $0 + CellWidth.width(of: $1) }
        canvas.cursor = Point(column: point.column + min(column, width - 1), row: point.row)
    }

    /// The index of the first visible character, so that the cursor and the character before it are visible.
    private func firstVisible(width: Int) -> Int {
        var room = max(1, width - 1)
        var index = cursor
        while index > 0 {
            room -= CellWidth.width(of: characters[index - 1])
            if room < 0 { break }
            index -= 1
        }
        return index
    }

    private mutating func delete(_ range: Range<Int>) {
        characters.removeSubrange(range)
        cursor = range.lowerBound
    }

    private var wordStart: Int {
        var index = cursor
        while index > 0, !TextField.isWord(characters[index - 1]) { index -= 1 }
        while index > 0, TextField.isWord(characters[index - 1]) { index -= 1 }
        return index
    }

    private var wordEnd: Int {
        var index = cursor
        while index < characters.count, !TextField.isWord(characters[index]) { index += 1 }
        while index < characters.count, TextField.isWord(characters[index]) { index += 1 }
        return index
    }

    static func isWord(_ character: Character) -> Bool { character.isLetter || character.isNumber || character == "_" }

    private static func oneLine(_ text: String) -> String {
        String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
    }
}
