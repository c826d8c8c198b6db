internal import BodyViews
internal import SortieBase
internal import SortieTerminal

extension Style {
    /// The style of a part of a body, in responses and in texts that are typed.
    init(_ kind: BodySpan.Kind) {
        self =
            switch kind {
            case .key: .jsonKey
            case .string, .attribute: .jsonString
            case .number: .jsonNumber
            case .literal: .jsonLiteral
            case .punctuation: .jsonPunctuation
            case .text, .hexByte: .text
            case .tag: .accent
            case .comment, .hexOffset, .notice: .muted
            case .hexASCII: .info
            }
    }
}

/// The styles of the characters of a line.
struct LineStyles {
    /// The number of characters above which a line is drawn in one style.
    static let longestLine = 16 << 10

    private var styles: [Style]
    private let base: Style

    /// Creates the styles of a line of text.
    ///
    /// - Parameters:
    ///   - colours: The colours of the text before the line; they are advanced over it. Nil for a text in the base style.
    init(_ line: [Character], _ colours: inout LineColours?, base: Style = .text) {
        self.base = base
        styles = []
        guard line.count <= Self.longestLine, let parts = colours?.parts(of: line) else { return }
        styles = [Style](repeating: base, count: line.count)
        for part in parts where part.kind != .text { for column in part.range { styles[column] = Style(part.kind) } }
    }

    /// Changes the styles of a part of the line.
    mutating func restyle(_ range: Range<Int>, of count: Int, _ change: (inout Style) -> Void) {
        guard count <= Self.longestLine else { return }
        if styles.isEmpty { styles = [Style](repeating: base, count: count) }
        for column in range.clamped(to: 0..<count) { change(&styles[column]) }
    }

    subscript(column: Int) -> Style { column < styles.count ? styles[column] : base }
}

/// The appearance of a text of several lines that is typed, besides its characters.
struct TextDecoration {
    var language = TextLanguage.plain
    /// Whether the number of each line precedes it.
    var hasLineNumbers = false
    /// Whether `{{templates}}` without a value are mistakes, and which have none.
    var isUndefined: ((_ template: String) -> Bool)?
    /// The mistake of the text.
    var mistake: EditableText.Position?
    /// The matches of the search in a line.
    var matches: ((_ line: String) -> [Range<String.Index>])?

    /// The width of the line numbers of a text, with the blank after them; 0 where the area is too narrow.
    func gutter(lines: Int, width: Int) -> Int {
        guard hasLineNumbers, width >= 30 else { return 0 }
        return max(2, String(lines).count) + 1
    }

    /// The characters of a line that are underlined as mistakes.
    func mistakes(inRow row: Int, _ line: [Character]) -> [Range<Int>] {
        guard line.count <= LineStyles.longestLine, !line.isEmpty else { return [] }
        var found = isUndefined.map { isUndefined in Self.templates(in: line).filter { isUndefined(String(line[$0])) } } ?? []
        guard let mistake, mistake.row == row else { return found }
        // At the end of the line, the character before it shows the place.
        let start = mistake.column.clamped(to: 0...line.count - 1)
        var end = start + 1
        if line[start].isWordCharacter { while end < line.count, line[end].isWordCharacter { end += 1 } }
        if !found.contains(where: { $0.contains(start) }) { found.append(start..<end) }
        return found
    }

    /// The `{{templates}}` of a line.
    private static func templates(in line: [Character]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var start = 0
        while start + 3 < line.count {
            guard line[start] == "{", line[start + 1] == "{",
                let end = (start + 2..<line.count - 1).first(where: { line[$0] == "}" && line[$0 + 1] == "}" })
            else {
                start += 1
                continue
            }
            found.append(start..<end + 2)
            start = end + 2
        }
        return found
    }
}
