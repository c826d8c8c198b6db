internal import SortieBase

/// Finds the files of descriptions: the documents of `contract:`, and the files to which they refer.
///
/// Those inside the workspace are no endpoints although they are YAML. Those outside are not read here, because opening a workspace needs no permission.
package struct ContractDocuments {
    /// The number of files from which on further references are not followed.
    private static let mostFiles = 10_000
    /// The longest path in bytes (`PATH_MAX` of Linux).
    private static let longestPath = 4096

    private let walk: FolderWalk
    /// The absolute paths of the files inside, with those to which each refers.
    private var references: [String: [String]] = [:]
    /// The absolute paths of the files outside to which the documents inside lead, by document; without files that do not exist.
    private(set) var outside: [String: Set<String>] = [:]

    /// The absolute paths of the files inside.
    var files: Set<String> { Set(references.keys) }

    /// - Parameter documents: The absolute paths of the documents.
    init(_ documents: [String], in walk: FolderWalk) {
        self.walk = walk
        for document in Set(documents) where walk.isInside(path: document) { follow(document) }
    }

    private mutating func follow(_ document: String) {
        var pending = [FilePath.normalized(document)]
        var seen = Set(pending)
        while let file = pending.popLast() {
            if walk.isInside(path: file) {
                pending += references(of: file).filter { seen.insert($0).inserted }
            } else if RealPath.isFile(file) {
                outside[document, default: []].insert(file)
            }
        }
    }

    private mutating func references(of file: String) -> [String] {
        if let known = references[file] { return known }
        guard references.count < Self.mostFiles else { return [] }
        let found = Self.files(in: Self.references(ofFile: file), of: FilePath.folder(of: file))
        references[file] = found
        return found
    }

    /// The absolute paths of the files to which references of a file lead.
    package static func files(in references: Set<String>, of folder: String) -> [String] {
        references.filter { !SchemaIdentifier.isURL($0) }.map { FilePath.normalized(FilePath.joining(folder, $0)) }
    }

    private static func references(ofFile path: String) -> Set<String> {
        do { return references(in: try WorkspaceFile.bytes(at: path, limit: WorkspaceFile.largestSource)) } catch {
            // The comparison with the description reports why it cannot be read.
            return []
        }
    }

    /// The relative paths and the URLs in the values of `$ref` and `$dynamicRef`, found without reading the JSON or YAML document.
    ///
    /// A reference that an `$id` of the document names leads to no other document.
    package static func references(in bytes: [UInt8]) -> Set<String> {
        let found = values(of: "$ref", in: bytes).union(values(of: "$dynamicRef", in: bytes))
        let names = found.isEmpty ? [] : values(of: "$id", in: bytes)
        return names.isEmpty ? found : found.filter { reference in !names.contains { $0 == reference || $0.hasSuffix("/" + reference) } }
    }

    /// The texts of a member before the fragment.
    private static func values(of name: String, in bytes: [UInt8]) -> Set<String> {
        let key = Array(name.utf8)
        var found: Set<String> = []
        bytes.withUnsafeBytes { bytes in
            var start = 0
            while let dollar = bytes.firstIndex(of: key[0], in: start..<bytes.count) {
                start = dollar + 1
                guard bytes[dollar...].starts(with: key) else { continue }
                var rest = bytes[(dollar + key.count)...]
                func skip(_ characters: String) { rest = rest.drop { characters.utf8.contains($0) } }
                skip("\"' ")
                guard rest.first == UInt8(ascii: ":") else { continue }
                skip(": \t\r\n")
                skip("\"'")
                // The limit keeps the time proportional to the size of the file.
                let text = String(decoding: rest.prefix(longestPath).prefix { !"\"'#,}\r\n".utf8.contains($0) }, as: UTF8.self)
                let path = text.replacing("\\/", with: "/").trimmingBlanks
                if !path.isEmpty { found.insert(PercentEncoding.decode(path)) }
            }
        }
        return found
    }
}
