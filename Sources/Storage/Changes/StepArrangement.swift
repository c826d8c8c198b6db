internal import SortieBase

/// A turn of a run as it is to be written: a step, or the steps of a parallel group.
struct StepTurn {
    /// A step.
    enum Step {
        /// A step of the file, by its index among all steps.
        case known(Int)
        case new(YAMLValue)

        /// The index in the file; nil for a new step.
        var index: Int? { if case .known(let index) = self { index } else { nil } }
    }

    var steps: [Step]
    var isGroup: Bool
    /// The maximum number of concurrent steps of a group; nil for the default.
    var concurrency: Int?
}

extension YAMLPatch {
    /// Puts the steps of a run into another order and other parallel groups; each step keeps its text and the comments above it.
    ///
    /// Blank lines stay between the same turns. A step that is left out is removed.
    mutating func arrangeSteps(of root: YAMLNode?, as turns: [StepTurn]) throws(CannotPatch) {
        guard let root, let entry = root.entries?.first(where: { $0.key.text == "chain" || $0.key.text == "batch" }),
            let items = entry.value.items, !entry.value.isAlias
        else { throw CannotPatch() }
        var count = 0
        let isSame =
            items.count == turns.count
            && zip(items, turns).allSatisfy { item, turn in
                let members = item["parallel"].map { $0.items?.count ?? 0 }
                let known = turn.steps.compactMap(\.index)
                defer { count += members ?? 1 }
                return (members != nil) == turn.isGroup && known == Array(count..<count + (members ?? 1)) && known.count == turn.steps.count
            }
        if isSame { return }
        if source.isFlow(entry.value) {
            try arrange(flow: items, in: entry, as: turns)
        } else {
            let lines = try StepLines(items, in: entry, source)
            let text = try lines.text(of: turns)
            // A file that ends within the steps keeps its end.
            let endsFile = lines.range.upperBound == source.bytes.count && source.bytes.last != UInt8(ascii: "\n")
            add(lines.range, endsFile && text.hasSuffix("\n") ? String(text.dropLast()) : text)
        }
    }

    /// Arranges steps that are written in brackets.
    private mutating func arrange(flow items: [YAMLNode], in entry: YAMLNode.Entry, as turns: [StepTurn]) throws(CannotPatch) {
        let nodes = items.flatMap { $0["parallel"]?.items ?? [$0] }
        let values = try turns.map { turn throws(CannotPatch) -> String in
            let steps = try turn.steps.map { step throws(CannotPatch) -> String in
                switch step {
                case .known(let index): try source.text(of: nodes[index])
                case .new(let value): YAMLText.flow(value)
                }
            }
            guard turn.isGroup else { return steps.joined() }
            return "{parallel: [\(steps.joined(separator: ", "))]\(turn.concurrency.map { ", concurrency: \($0)" } ?? "")}"
        }
        let range = entry.value.start..<(try source.end(of: entry.value, parentIndentation: 0))
        // A comment between the steps has no place in the new order.
        guard !source.bytes[range].contains(UInt8(ascii: "#")) else { throw CannotPatch() }
        add(range, "[\(values.joined(separator: ", "))]")
    }
}

extension SourceText {
    /// The text of a node that is written in brackets or on one line.
    fileprivate func text(of node: YAMLNode) throws(CannotPatch) -> String {
        String(decoding: bytes[node.start..<(try end(of: node, parentIndentation: node.column - 1))], as: UTF8.self)
    }
}

/// The lines of the steps of a run that has separate lines for each.
private struct StepLines {
    /// The lines of a step from its first comment on, with LF, and the column of its dash from 0.
    private struct Lines {
        var text: String
        var dash: Int

        /// The lines for a list whose dashes have another column.
        func moved(to column: Int) -> String {
            let distance = column - dash
            guard distance != 0 else { return text }
            return text.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
                if line.allSatisfy({ $0 == " " }) { return String(line) }
                if distance > 0 { return YAMLText.spaces(distance) + line }
                return String(line.dropFirst(min(-distance, line.prefix { $0 == " " }.count)))
            }.joined(separator: "\n")
        }
    }

    /// A parallel group: what is above and below its steps.
    private struct Group {
        var members: Range<Int>
        var head: String
        var tail: String
        /// The column of the dashes of its steps.
        var dash: Int
        /// Whether the steps are written in brackets, within ``head``.
        var isFlow: Bool
        /// All lines.
        var whole: String
    }

    /// The bytes of all lines.
    let range: Range<Int>
    private let dash: Int
    private var steps: [Lines] = []
    private var groups: [Group] = []
    /// The blank lines above each turn.
    private var blanks: [String] = []

    init(_ items: [YAMLNode], in entry: YAMLNode.Entry, _ source: SourceText) throws(CannotPatch) {
        dash = entry.value.column - 1
        let start = source.nextLineStart(after: entry.key.start)
        var position = start
        for item in items {
            let lines = try Self.lines(of: item, from: position, dash: dash, source)
            position = lines.upperBound
            let (blank, content) = Self.withoutBlankLines(Self.text(lines, source))
            blanks.append(blank)
            guard let parallel = item.entries?.first(where: { $0.key.text == "parallel" }), let members = parallel.value.items else {
                steps.append(Lines(text: content, dash: dash))
                continue
            }
            let first = steps.count
            let inner = parallel.value.column - 1
            if source.isFlow(parallel.value) {
                for member in members {
                    let text = try source.text(of: member)
                    guard !text.contains("\n") else { throw CannotPatch() }
                    steps.append(Lines(text: "- \(text)\n", dash: 0))
                }
                groups.append(Group(members: first..<steps.count, head: content, tail: "", dash: inner, isFlow: true, whole: content))
                continue
            }
            let head = source.nextLineStart(after: parallel.key.start)
            var place = head
            for member in members {
                let lines = try Self.lines(of: member, from: place, dash: inner, source)
                place = lines.upperBound
                steps.append(Lines(text: Self.text(lines, source), dash: inner))
            }
            let above = Self.withoutBlankLines(Self.text(lines.lowerBound..<head, source)).content
            let tail = Self.text(place..<lines.upperBound, source)
            groups.append(Group(members: first..<steps.count, head: above, tail: tail, dash: inner, isFlow: false, whole: content))
        }
        range = start..<position
    }

    /// The lines up to the end of an item; its dash must be the first character of its line.
    private static func lines(of item: YAMLNode, from start: Int, dash: Int, _ source: SourceText) throws(CannotPatch) -> Range<Int> {
        let end = try source.end(of: item, parentIndentation: dash)
        let first = try YAMLPatch(source: source).dashOffset(before: item, dash: dash)
        guard first >= start, source.isLastOnLine(end) else { throw CannotPatch() }
        return start..<source.nextLineStart(after: end)
    }

    /// The blank lines at the start of a text, and the rest.
    private static func withoutBlankLines(_ text: String) -> (blank: String, content: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let count = lines.dropLast().prefix { $0.allSatisfy { $0 == " " } }.count
        return (String(repeating: "\n", count: count), lines.dropFirst(count).joined(separator: "\n"))
    }

    private static func text(_ range: Range<Int>, _ source: SourceText) -> String {
        let text = String(decoding: source.bytes[range], as: UTF8.self).replacing("\r\n", with: "\n")
        return text.isEmpty || text.hasSuffix("\n") ? text : text + "\n"
    }

    /// The lines of all turns.
    func text(of turns: [StepTurn]) throws(CannotPatch) -> String {
        var isUsed = groups.map { _ in false }
        var texts: [String] = []
        for turn in turns {
            guard turn.isGroup else {
                texts += turn.steps.map { lines(of: $0, at: dash) }
                continue
            }
            let known = turn.steps.compactMap(\.index)
            let group = groups.indices.first { !isUsed[$0] && known.contains(where: groups[$0].members.contains) }
            if let group { isUsed[group] = true }
            texts.append(try lines(of: turn, group.map { groups[$0] }))
        }
        // The comments of a group that no longer exists stay above the first of its steps.
        for (group, isUsed) in zip(groups, isUsed) where !isUsed {
            let lines = group.head.split(separator: "\n")
            let comments = lines.prefix { $0.drop { $0 == " " }.first == "#" }
            guard !lines.dropFirst(comments.count).contains(where: { $0.contains("#") }), !group.tail.contains("#") else { throw CannotPatch() }
            guard !comments.isEmpty else { continue }
            guard let turn = turns.firstIndex(where: { $0.steps.contains { $0.index.map(group.members.contains) ?? false } }) else { continue }
            texts[turn] = comments.joined(separator: "\n") + "\n" + texts[turn]
        }
        return texts.enumerated().map { index, text in (blanks.isEmpty ? "" : blanks[min(index, blanks.count - 1)]) + text }.joined()
    }

    private func lines(of step: StepTurn.Step, at column: Int) -> String {
        switch step {
        case .known(let index): steps[index].moved(to: column)
        case .new(let value): YAMLText.spaces(column) + "- " + YAMLText.block(value, indentation: column + 2) + "\n"
        }
    }

    /// The lines of a parallel group, with what is above and below the steps of the group that it was before.
    private func lines(of turn: StepTurn, _ group: Group?) throws(CannotPatch) -> String {
        if let group, turn.steps.map(\.index) == group.members.map({ $0 }) { return group.whole }
        if let group, !group.isFlow { return group.head + turn.steps.map { lines(of: $0, at: group.dash) }.joined() + group.tail }
        guard group?.whole.contains("#") != true else { throw CannotPatch() }
        let steps = turn.steps.map { lines(of: $0, at: dash + 4) }.joined()
        let concurrency = turn.concurrency.map { "\(YAMLText.spaces(dash + 2))concurrency: \($0)\n" } ?? ""
        return "\(YAMLText.spaces(dash))- parallel:\n\(steps)\(concurrency)"
    }
}
