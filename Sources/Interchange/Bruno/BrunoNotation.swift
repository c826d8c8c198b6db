internal import SortieBase

/// A notation of Bruno other than `.bru` files, whose items become the blocks of such a file, so that all are imported in the same way.
protocol BrunoNotation {
    /// The file of the places.
    var file: String { get }
    /// The blocks so far.
    var blocks: [BruBlock] { get set }
}

extension BrunoNotation {
    mutating func add(_ name: String, _ pairs: [BruBlock.Pair], at node: SourceNode) {
        blocks.append(BruBlock(name: name, content: .pairs(pairs), place: node.place(in: file)))
    }

    mutating func add(_ name: String, text: String, at node: SourceNode) {
        blocks.append(BruBlock(name: name, content: .text(text), place: node.place(in: file)))
    }

    func pair(_ name: String, _ value: String, isEnabled: Bool = true, at node: SourceNode) -> BruBlock.Pair {
        BruBlock.Pair(name: name, value: value, isEnabled: isEnabled, summary: Self.summary(node), place: node.place(in: file))
    }

    func pair(_ name: String, _ node: SourceNode) -> BruBlock.Pair? { node.text.map { pair(name, $0, at: node) } }

    /// The description of a row; nil for none.
    static func summary(_ node: SourceNode) -> String? {
        let summary = node["description"]?.text ?? node["description"]?["content"]?.text
        return summary?.isEmpty == false ? summary : nil
    }

    /// Files in the notation of a block.
    func files(_ paths: [String], _ item: SourceNode) -> String { "@file(\(paths.joined(separator: "|")))" + contentType(item) }

    func contentType(_ item: SourceNode) -> String {
        item["contentType"]?.text.map { $0.isEmpty ? "" : " @contentType(\($0))" } ?? ""
    }
}
