internal import SortieBase

/// The code of a Markdown document: fenced and indented blocks, and spans of code with a curl command.
struct MarkdownCode {
    /// A block of code without its indentation.
    struct Block {
        /// The first word behind the fence, in lower case; empty for none.
        var language: String
        /// The number of the first line, from 1.
        var line: Int
        var lines: [Substring]

        var text: String { lines.joined(separator: "\n") }
    }

    private(set) var blocks: [Block] = []
    private let lines: [Substring]
    private var index = 0

    init(_ text: String) {
        lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        while index < lines.count { readLine() }
    }

    private mutating func readLine() {
        let line = lines[index]
        index += 1
        if let fence = Fence(line) { return readBlock(fence) }
        if Self.isIndented(line), Self.namesCurl(line) { return readIndented() }
        // Within a paragraph or a table, code is between single backticks.
        for (position, span) in line.split(separator: "`", omittingEmptySubsequences: false).enumerated() where position % 2 == 1 {
            // The name of an option or of the program alone is no command.
            guard Self.namesCurl(span), span.contains("/") || span.contains("localhost") else { continue }
            blocks.append(Block(language: "sh", line: index, lines: [span]))
        }
    }

    /// Reads the lines to the closing fence, or to the end of the document.
    private mutating func readBlock(_ fence: Fence) {
        var block = Block(language: fence.language, line: index + 1, lines: [])
        while index < lines.count {
            let line = fence.content(lines[index])
            index += 1
            if fence.isClosed(by: line) { break }
            block.lines.append(line)
        }
        blocks.append(block)
    }

    private mutating func readIndented() {
        var block = Block(language: "", line: index, lines: [lines[index - 1].drop(while: \.isSpaceOrTab)])
        while index < lines.count, Self.isIndented(lines[index]) {
            block.lines.append(lines[index].drop(while: \.isSpaceOrTab))
            index += 1
        }
        blocks.append(block)
    }

    private static func isIndented(_ line: Substring) -> Bool { line.hasPrefix("    ") || line.hasPrefix("\t") }

    private static func namesCurl(_ text: Substring) -> Bool {
        let words = text.split(whereSeparator: \.isSpaceOrTab).map(String.init)
        return words.count > 1 && CurlScript.namesCurl(words)
    }
}

/// The opening fence of a block, possibly in a list or a quotation.
private struct Fence {
    let language: String
    /// The quotation marks and blanks before the fence.
    private let prefix: Substring
    private let mark: Character
    private let count: Int

    /// The fence that a line begins; nil for another line.
    init?(_ line: Substring) {
        let content = line.drop { $0 == ">" || $0.isSpaceOrTab }
        guard let mark = content.first, mark == "`" || mark == "~" else { return nil }
        let count = content.prefix { $0 == mark }.count
        let info = content.dropFirst(count)
        guard count >= 3, mark == "~" || !info.contains("`") else { return nil }
        (self.mark, self.count) = (mark, count)
        prefix = line[..<content.startIndex]
        // `{.sh .numberLines}` of Pandoc and `bash title="…"` have further words.
        let word = info.drop { $0.isSpaceOrTab || "{.".contains($0) }.prefix { !$0.isWhitespace && !"{},:".contains($0) }
        language = word.lowercased()
    }

    /// A line of the block without the indentation of the fence.
    func content(_ line: Substring) -> Substring {
        var line = line
        for mark in prefix {
            guard let first = line.first, first == mark || mark.isSpaceOrTab && first.isSpaceOrTab else { return line }
            line.removeFirst()
        }
        return line
    }

    func isClosed(by line: Substring) -> Bool {
        let content = line.drop(while: \.isSpaceOrTab)
        let marks = content.prefix { $0 == mark }.count
        return marks >= count && content.dropFirst(marks).allSatisfy(\.isWhitespace)
    }
}
