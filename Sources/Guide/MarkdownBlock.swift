/// A block of a Markdown text, as far as the articles of the guide use the format.
enum MarkdownBlock: Hashable, Sendable {
    /// A heading with its level, from 1.
    case heading(Int, String)
    /// The lines of a paragraph, joined by spaces.
    case paragraph(String)
    /// An item of a list, with its level from 0 and its bullet or number.
    case item(Int, String, String)
    /// The lines of a fenced code block.
    case code([String])
    /// The rows of a table, the first one the header.
    case table([[String]])

    /// Splits a text into blocks.
    static func blocks(of text: String) -> [MarkdownBlock] {
        var reader = Reader()
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) { reader.take(line) }
        return reader.end()
    }

    /// Collects blocks line by line.
    private struct Reader {
        private var blocks: [MarkdownBlock] = []
        /// The block that the next line may continue.
        private var open: MarkdownBlock?
        /// Whether the line is inside of a fenced block.
        private var isInCode = false

        mutating func take(_ line: Substring) {
            if isInCode {
                if line.hasPrefix("```") {
                    isInCode = false
                    close()
                } else if case .code(let lines) = open {
                    open = .code(lines + [String(line)])
                }
                return
            }
            let text = line.drop { $0 == " " }
            if text.hasPrefix("```") {
                close()
                (open, isInCode) = (.code([]), true)
            } else if text.isEmpty {
                close()
            } else if text.hasPrefix("|") {
                takeRow(text)
            } else if let heading = Self.heading(text) {
                close()
                blocks.append(heading)
            } else if let item = Self.item(text, indent: line.count - text.count) {
                close()
                open = item
            } else {
                takeText(text)
            }
        }

        mutating func end() -> [MarkdownBlock] {
            close()
            return blocks
        }

        private mutating func close() {
            if let open { blocks.append(open) }
            open = nil
        }

        private mutating func takeText(_ text: Substring) {
            switch open {
            case .paragraph(let before): open = .paragraph("\(before) \(text)")
            case .item(let level, let mark, let before): open = .item(level, mark, "\(before) \(text)")
            default:
                close()
                open = .paragraph(String(text))
            }
        }

        private mutating func takeRow(_ text: Substring) {
            let cells = Self.cells(text)
            // The line between the header and the rows.
            if cells.allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0 == "-" || $0 == ":" } }) { return }
            if case .table(let rows) = open {
                open = .table(rows + [cells])
            } else {
                close()
                open = .table([cells])
            }
        }

        /// The cells of a row; `\|` is a bar within a cell.
        private static func cells(_ row: Substring) -> [String] {
            var cells = [""]
            var isEscaped = false
            for character in row.dropFirst() {
                if isEscaped {
                    cells[cells.count - 1] += character == "|" ? "|" : "\\\(character)"
                    isEscaped = false
                } else if character == "\\" {
                    isEscaped = true
                } else if character == "|" {
                    cells.append("")
                } else {
                    cells[cells.count - 1].append(character)
                }
            }
            if cells.last?.allSatisfy(\.isWhitespace) == true { cells.removeLast() }
            return cells.map { cell in String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
        }

        private static func heading(_ text: Substring) -> MarkdownBlock? {
            let level = text.prefix { $0 == "#" }.count
            guard 1...6 ~= level, text.dropFirst(level).first == " " else { return nil }
            return .heading(level, String(text.dropFirst(level + 1)))
        }

        private static func item(_ text: Substring, indent: Int) -> MarkdownBlock? {
            if text.hasPrefix("- ") || text.hasPrefix("* ") { return .item(indent / 2, "-", String(text.dropFirst(2))) }
            let digits = text.prefix { $0.isASCII && $0.isNumber }
            guard !digits.isEmpty, text.dropFirst(digits.count).hasPrefix(". ") else { return nil }
            return .item(indent / 2, "\(digits).", String(text.dropFirst(digits.count + 2)))
        }
    }
}
