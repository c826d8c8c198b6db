internal import SortieBase

/// Finds the files of descriptions inside a workspace, which are no endpoints although they are YAML: the documents of `contract:`, and the files to which
/// they refer.
package struct ContractDocuments {
    /// The number of files from which on further references are not followed.
    private static let mostFiles = 10_000
    /// The longest path in bytes (`PATH_MAX` of Linux).
    private static let longestPath = 4096

    private let walk: FolderWalk
    /// The absolute paths of the files.
    private(set) var files: Set<String> = []

    /// - Parameter documents: The absolute paths of the documents.
    init(_ documents: [String], in walk: FolderWalk) {
        self.walk = walk
        var pending = documents.map(FilePath.normalized)
        while let file = pending.popLast() {
            guard files.count < Self.mostFiles, !files.contains(file), walk.isInside(path: file) else { continue }
            files.insert(file)
            let folder = FilePath.folder(of: file)
            pending += Self.references(ofFile: file).filter { !$0.contains("://") }.map { FilePath.normalized(FilePath.joining(folder, $0)) }
        }
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
