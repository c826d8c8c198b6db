internal import SortieBase

/// Follows `$ref` in a collection of slumber: to a place in the document, or in another file of the folder.
struct SlumberReferences {
    /// How many references one document may follow.
    private static let limit = 10_000

    let source: ImportSource
    let root: SourceNode
    let file: String
    private var count = 0
    private var documents: [String: SourceNode] = [:]

    init(source: ImportSource, root: SourceNode, file: String) {
        (self.source, self.root, self.file) = (source, root, file)
    }

    /// The document with the values in the places of references; members beside `$ref` have priority.
    ///
    /// - Throws: A diagnostic with the place of a reference that leads nowhere or to itself.
    mutating func resolved() throws(Diagnostic) -> SourceNode { try resolved(root, in: file, document: root, trail: []) }

    private mutating func resolved(
        _ node: SourceNode, in path: String, document: SourceNode, trail: [String]
    ) throws(Diagnostic) -> SourceNode {
        var result = node
        switch node.content {
        case .null, .bool, .number, .string: return node
        case .array(let items):
            var values: [SourceNode] = []
            for item in items { values.append(try resolved(item, in: path, document: document, trail: trail)) }
            result.content = .array(values)
        case .object(let members):
            var values: [SourceNode.Member] = []
            if let reference = node["$ref"], let text = reference.string {
                let target = try followed(text, at: reference, in: path, document: document, trail: trail)
                let own = Set(members.map(\.name))
                guard let inner = target.members else { return target }
                values = inner.filter { !own.contains($0.name) }
            }
            for member in members where member.name != "$ref" || member.value.string == nil {
                values.append(.init(member.name, try resolved(member.value, in: path, document: document, trail: trail)))
            }
            result.content = .object(values)
        }
        return result
    }

    private mutating func followed(
        _ reference: String, at node: SourceNode, in path: String, document: SourceNode, trail: [String]
    ) throws(Diagnostic) -> SourceNode {
        let place = node.place(in: path)
        count += 1
        guard count <= Self.limit else { throw Diagnostic(place, "there are more than \(Self.limit) references") }
        let parts = reference.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        var (target, targetPath) = (document, path)
        if let name = parts.first, !name.isEmpty {
            targetPath = FilePath.normalized(FilePath.folder(of: path) + "/" + name)
            guard let bytes = source.file(targetPath) else {
                throw Diagnostic(place, "the file \(name) is not in the folder of the source, so that the reference cannot be followed")
            }
            if let known = documents[targetPath] {
                target = known
            } else {
                target = try source.document(bytes, file: targetPath)
                documents[targetPath] = target
            }
        }
        let key = "\(targetPath)#\(parts.count == 2 ? String(parts[1]) : "")"
        guard !trail.contains(key) else { throw Diagnostic(place, "the reference \(reference) leads to itself") }
        let root = target
        for part in (parts.count == 2 ? parts[1] : "").split(separator: "/") {
            let name = String(part.replacing("~1", with: "/").replacing("~0", with: "~"))
            guard let inner = target[name] ?? Int(name).flatMap({ index in target.items.flatMap { $0.indices.contains(index) ? $0[index] : nil } })
            else {
                throw Diagnostic(place, "there is nothing at \(reference)")
            }
            target = inner
        }
        return try resolved(target, in: targetPath, document: root, trail: trail + [key])
    }
}
