internal import SortieBase

/// Finds the files of descriptions: the documents of `contract:`, and the files to which they refer.
///
/// Those inside the workspace are no endpoints although they are YAML. Those outside are not read here, because opening a workspace needs no permission.
package struct ContractDocuments {
    /// The number of files from which on further references are not followed.
    private static let mostFiles = 10_000
    /// The longest path in bytes (`PATH_MAX` of Linux).
    private static let longestPath = 4096
    /// The most bytes of a mapping of a discriminator that are searched for references.
    private static let longestMapping = 8 << 10

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

    /// The relative paths and the URLs in the values of `$ref` and `$dynamicRef` and in the `mapping` of discriminators, found without reading the JSON or
    /// YAML document.
    ///
    /// A reference that an `$id` of the document names leads to no other document.
    package static func references(in bytes: [UInt8]) -> Set<String> {
        let found = values(of: "$ref", in: bytes).union(values(of: "$dynamicRef", in: bytes)).union(mappedReferences(in: bytes))
        let names = found.isEmpty ? [] : values(of: "$id", in: bytes)
        return names.isEmpty ? found : found.filter { reference in !names.contains { $0 == reference || $0.hasSuffix("/" + reference) } }
    }

    /// The texts of a member before the fragment.
    private static func values(of name: String, in bytes: [UInt8]) -> Set<String> {
        var found: Set<String> = []
        forEachMember(name, in: bytes) { rest in
            // The limit keeps the time proportional to the size of the file.
            let value = rest.drop { ": \t\r\n\"'".utf8.contains($0) }.prefix(longestPath).prefix { !"\"'#,}\r\n".utf8.contains($0) }
            if let path = path(of: String(decoding: value, as: UTF8.self)) { found.insert(path) }
        }
        return found
    }

    /// The references in the mappings of discriminators, before the fragment; a text without the ending of a file is the name of a schema.
    private static func mappedReferences(in bytes: [UInt8]) -> Set<String> {
        var found: Set<String> = []
        forEachMember("mapping", in: bytes) { rest in
            let text = String(decoding: rest.dropFirst().prefix(longestMapping), as: UTF8.self)
            let isFlow = text.first { !$0.isWhitespace } == "{"
            // A block ends with the first line that has no entry.
            let content = isFlow ? text.prefix { $0 != "}" } : text[...]
            let entries = content.split { $0.isNewline || isFlow && "{,".contains($0) }
            for entry in entries where !entry.allSatisfy(\.isWhitespace) {
                guard let colon = entry.firstIndex(of: ":"), entry[colon...].contains(where: { !": ".contains($0) }) else { break }
                let value = entry[entry.index(after: colon)...].drop { "\"' ".contains($0) }.prefix { !"\"'#".contains($0) }
                if let path = path(of: String(value)), path.contains(".") { found.insert(path) }
            }
        }
        return found
    }

    private static func path(of text: String) -> String? {
        let path = text.replacing("\\/", with: "/").trimmingBlanks
        return path.isEmpty ? nil : PercentEncoding.decode(path)
    }

    /// Calls a function with the bytes from the colon after each member of a name.
    private static func forEachMember(_ name: String, in bytes: [UInt8], _ work: (Slice<UnsafeRawBufferPointer>) -> Void) {
        let key = Array(name.utf8)
        bytes.withUnsafeBytes { bytes in
            var start = 0
            while let first = bytes.firstIndex(of: key[0], in: start..<bytes.count) {
                start = first + 1
                guard bytes[first...].starts(with: key) else { continue }
                let rest = bytes[(first + key.count)...].drop { "\"' ".utf8.contains($0) }
                if rest.first == UInt8(ascii: ":") { work(rest) }
            }
        }
    }
}
