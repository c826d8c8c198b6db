internal import BodyViews
internal import SortieBase

/// Editing of texts in a language: pairs of brackets and quotes, and indentation.
extension EditableText {
    /// The number of blanks of a level of indentation.
    static let indentation = 2
    /// The greatest number of lines that are read for the partner of a bracket.
    private static let bracketLines = 1000

    // MARK: Pairs

    /// Types a character: over the closing one of a pair, with its closing one, or alone.
    mutating func type(_ character: Character, _ language: TextLanguage) {
        if passEndTag(character) { return }
        let line = lines[cursor.row]
        if selection == nil, closers.last == character, cursor.column < line.count, line[cursor.column] == character {
            passCloser()
            return
        }
        if let close = language.pairs[character], isPaired(character, close, language) {
            insert(String(character), before: String(close), kind: .other, closes: close)
        } else if let open = language.brackets.first(where: { $0.value == character })?.key, selection == nil,
            let row = rowToAlign(with: open, character, language)
        {
            let blanks = String(lines[row].prefix(while: \.isSpaceOrTab))
            replace(Position(row: cursor.row)..<cursor, with: blanks + String(character), kind: .word)
        } else if character == "/", language.isMarkup, completeEndTag(language) {
            return
        } else {
            insertBetweenClosers(String(character), kind: TextChange.insert(String(character)).kind)
        }
    }

    /// Whether a typed bracket or quote is closed at once: before the end of a line, a blank or another closing character, and not in a string.
    private func isPaired(_ open: Character, _ close: Character, _ language: TextLanguage) -> Bool {
        let place = selection ?? cursor..<cursor
        let after = lines[place.upperBound.row].dropFirst(place.upperBound.column).first
        guard after.map({ $0.isWhitespace || $0 == "," || language.brackets.values.contains($0) }) ?? true else { return false }
        let before = lines[place.lowerBound.row][..<place.lowerBound.column]
        if open == close, let last = before.last, last.isWordCharacter || last == open || last == "\\" { return false }
        return !Self.endsInString(before)
    }

    /// Whether a string in quotes is open at the end of the start of a line.
    static func endsInString(_ line: some Sequence<Character>) -> Bool {
        var (isOpen, isEscaped) = (false, false)
        for character in line {
            if isEscaped {
                isEscaped = false
            } else if character == "\\" {
                isEscaped = isOpen
            } else if character == "\"" {
                isOpen.toggle()
            }
        }
        return isOpen
    }

    /// Deletes a pair with nothing in it whose closing character was not typed; false where the cursor is in none.
    mutating func deleteEmptyPair(_ language: TextLanguage) -> Bool {
        let line = lines[cursor.row]
        guard selection == nil, let close = closers.last, cursor.column > 0, cursor.column < line.count, line[cursor.column] == close,
            language.pairs[line[cursor.column - 1]] == close
        else { return false }
        let rest = Array(closers.dropLast())
        let range = Position(row: cursor.row, column: cursor.column - 1)..<Position(row: cursor.row, column: cursor.column + 1)
        replace(range, with: "", kind: .deletion)
        keepClosers(rest)
        return true
    }

    /// The row of the bracket that a closing bracket closes, where only blanks precede it.
    private func rowToAlign(with open: Character, _ close: Character, _ language: TextLanguage) -> Int? {
        guard cursor.column > 0, lines[cursor.row][..<cursor.column].allSatisfy(\.isSpaceOrTab) else { return nil }
        return enclosingBracket(of: cursor, language).flatMap { $0.bracket == open ? $0.place.row : nil }
    }

    /// The text before a place in its line, or the nearest line before it that is not blank.
    func line(before place: Position) -> ArraySlice<Character> {
        var row = place.row
        var line = lines[row][..<place.column]
        while line.allSatisfy(\.isWhitespace), row > 0, place.row - row < 100 {
            row -= 1
            line = lines[row][...]
        }
        return line
    }

    /// The innermost bracket that is open at a place; nil where there is none nearby.
    func enclosingBracket(of place: Position, _ language: TextLanguage) -> (bracket: Character, place: Position)? {
        let pairs = language.brackets
        var depth = 0
        return bracket(from: place, forward: false, language) { bracket in
            if pairs[bracket] != nil { depth -= 1 } else if pairs.values.contains(bracket) { depth += 1 }
            return depth < 0
        }
    }

    /// The partner of the bracket at a place; nil where there is none nearby.
    func partner(of place: Position, _ language: TextLanguage) -> Position? {
        let bracket = lines[place.row][place.column]
        let close = language.brackets[bracket]
        guard let other = close ?? language.brackets.first(where: { $0.value == bracket })?.key else { return nil }
        var depth = 1
        return self.bracket(from: place, forward: close != nil, language) { found in
            depth += found == bracket ? 1 : found == other ? -1 : 0
            return depth == 0
        }?.place
    }

    /// The first character of punctuation before or after a place that satisfies a condition, within a number of lines.
    private func bracket(
        from place: Position, forward: Bool, _ language: TextLanguage, where isFound: (Character) -> Bool
    ) -> (bracket: Character, place: Position)? {
        var row = place.row
        for _ in 0..<Self.bracketLines where lines.indices.contains(row) {
            let line = lines[row]
            guard line.count <= LineStyles.longestLine else { return nil }
            var colours = LineColours(language)
            // Brackets in strings and comments are not punctuation.
            let columns = colours.parts(of: line).filter { $0.kind == .punctuation }.flatMap(\.range)
            for column in forward ? columns : columns.reversed()
            where row != place.row || (forward ? column > place.column : column < place.column) {
                if isFound(line[column]) { return (line[column], Position(row: row, column: column)) }
            }
            row += forward ? 1 : -1
        }
        return nil
    }

    // MARK: End tags

    /// The greatest size in bytes of a text whose end tags are completed, because it is read up to the cursor.
    private static let largestMarkup = 256 << 10

    /// Completes `</` to the end tag of the innermost open element, aligned with its start tag where only blanks precede it.
    ///
    /// - Returns: False where no element is open, or other text follows.
    private mutating func completeEndTag(_ language: TextLanguage) -> Bool {
        let (before, after) = (lines[cursor.row][..<cursor.column], lines[cursor.row][cursor.column...])
        guard selection == nil, before.last == "<", after.first.map({ $0.isWhitespace || $0 == "<" }) ?? true, lines.bytes <= Self.largestMarkup
        else { return false }
        let head = text(in: Position()..<Position(row: cursor.row, column: cursor.column - 1))
        guard let element = MarkupText.openElement(in: head, isHTML: language == .html) else { return false }
        let isFirst = before.dropLast().allSatisfy(\.isSpaceOrTab)
        let row = head.utf8.prefix(element.offset).count { $0 == 0x0A }
        let start = isFirst ? String(lines[row].prefix(while: \.isSpaceOrTab)) : String(before.dropLast())
        replace(Position(row: cursor.row)..<cursor, with: "\(start)</\(element.name)>", kind: .other)
        completedEndTag = EndTag(end: cursor, rest: element.name + ">")
        return true
    }

    /// Takes a character that a completed end tag has already, and true for it; false for other text.
    ///
    /// Where other text follows after all, the characters that were taken are a part of it.
    private mutating func passEndTag(_ character: Character) -> Bool {
        guard var tag = completedEndTag, selection == nil, tag.end == cursor else { return false }
        guard tag.rest.first == character else {
            if !tag.typed.isEmpty { insert(tag.typed, kind: .word) }
            completedEndTag = nil
            return false
        }
        tag.typed.append(tag.rest.removeFirst())
        completedEndTag = tag.rest.isEmpty ? nil : tag
        return true
    }

    // MARK: Lines

    /// Begins a new line with the indentation that its place has.
    mutating func newLine(_ language: TextLanguage) {
        let place = selection ?? cursor..<cursor
        let before = lines[place.lowerBound.row][..<place.lowerBound.column]
        let after = lines[place.upperBound.row][place.upperBound.column...].drop(while: \.isSpaceOrTab)
        let blanks = String(before.prefix(while: \.isSpaceOrTab))
        let deeper = blanks + (blanks.hasPrefix("\t") ? "\t" : String(repeating: " ", count: Self.indentation))
        switch language {
        case .plain, .form: insert("\n", kind: .space)
        case .yaml: insert("\n" + (before.last == ":" ? deeper : blanks), kind: .space)
        case .json, .graphQL:
            guard let close = Self.openBracket(in: before, language).flatMap({ language.brackets[$0] }) else {
                return insert("\n" + blanks, kind: .space)
            }
            insert("\n" + deeper, before: after.first == close ? "\n" + blanks : "", kind: .space)
        case .xml, .html:
            guard Self.endsWithStartTag(before) else { return insert("\n" + blanks, kind: .space) }
            insert("\n" + deeper, before: after.starts(with: "</") ? "\n" + blanks : "", kind: .space)
        }
    }

    /// The innermost bracket that the start of a line leaves open; nil for none, and in a string.
    private static func openBracket(in line: ArraySlice<Character>, _ language: TextLanguage) -> Character? {
        let line = Array(line)
        guard line.count <= LineStyles.longestLine, !endsInString(line) else { return nil }
        var colours = LineColours(language)
        var open: [Character] = []
        // Brackets in strings and comments are not punctuation.
        for column in colours.parts(of: line).filter({ $0.kind == .punctuation }).flatMap(\.range) {
            if language.brackets[line[column]] != nil {
                open.append(line[column])
            } else if let last = open.last, language.brackets[last] == line[column] {
                open.removeLast()
            }
        }
        return open.last
    }

    private static func endsWithStartTag(_ line: ArraySlice<Character>) -> Bool {
        guard line.last == ">", let open = line.lastIndex(of: "<"), let first = line[open...].dropFirst().first else { return false }
        return first != "/" && first != "?" && first != "!" && line.dropLast().last != "/"
    }

    /// Indents the selected lines by a level; without a selection of several lines, inserts the blanks up to the next level.
    mutating func indent() {
        guard let selection, selection.lowerBound.row < selection.upperBound.row else {
            let width = cells(before: self.selection?.lowerBound ?? cursor)
            return insert(String(repeating: " ", count: Self.indentation - width % Self.indentation))
        }
        changeSelectedLines { $0.isEmpty ? $0 : [Character](repeating: " ", count: Self.indentation) + $0 }
    }

    /// Removes a level of indentation from the selected lines, or from the line of the cursor.
    mutating func outdent() {
        changeSelectedLines { line in
            if line.first == "\t" { return Array(line.dropFirst()) }
            let blanks = line.prefix(Self.indentation).prefix { $0 == " " }.count
            return Array(line.dropFirst(blanks))
        }
    }

    /// Changes whole lines as one step, and keeps the selection and the cursor at their characters.
    private mutating func changeSelectedLines(_ change: ([Character]) -> [Character]) {
        let (oldCursor, oldAnchor) = (cursor, anchor)
        let first = selection?.lowerBound.row ?? cursor.row
        var last = selection?.upperBound.row ?? cursor.row
        // A selection up to the start of a line does not have that line.
        if last > first, selection?.upperBound.column == 0 { last -= 1 }
        let before = Array(lines[first...last])
        let after = before.map(change)
        guard after != before else { return }
        replace(
            Position(row: first)..<Position(row: last, column: before[last - first].count), with: after.map { String($0) }.joined(separator: "\n"),
            kind: .other)
        func moved(_ position: Position) -> Position {
            guard (first...last).contains(position.row) else { return position }
            let shift = after[position.row - first].count - before[position.row - first].count
            return Position(row: position.row, column: max(0, position.column + shift))
        }
        if let oldAnchor {
            place(moved(oldAnchor))
            place(moved(oldCursor), selects: true)
        } else {
            place(moved(oldCursor))
        }
    }
}

/// An end tag that was completed after `</`, while it may still be typed.
struct EndTag: Hashable, Sendable {
    /// The place behind it.
    var end: EditableText.Position
    /// What may be typed next without effect.
    var rest: String
    /// What was typed without effect.
    var typed = ""
}
