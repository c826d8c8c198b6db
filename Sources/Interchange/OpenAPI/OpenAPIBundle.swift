internal import SortieBase
internal import SortieHTTP

/// Joins a description and the files to which it refers in one document, because the copy of an import has one file.
///
/// The other files are members of `x-files` at the root, where references to them lead. A reference that cannot be followed stays as it is.
struct OpenAPIBundle {
    /// The member with the other files.
    static let member = "x-files"

    private let root: OpenAPIValue
    private let reader: OpenAPIReader
    private var files: [String] = []

    private init(_ root: OpenAPIValue, _ reader: OpenAPIReader) { (self.root, self.reader) = (root, reader) }

    /// The document as JSON; nil where it refers to no other file.
    ///
    /// - Parameter bytes: The document as it is written.
    static func bytes(of root: OpenAPIValue, _ bytes: [UInt8], _ reader: OpenAPIReader) -> [UInt8]? {
        guard hasOtherFiles(bytes) else { return nil }
        let document = document(of: root, reader)
        return document[member] == nil ? nil : Array((document.text + "\n").utf8)
    }

    /// The document with the files to which it refers; the document itself where it refers to no other file.
    static func document(of root: OpenAPIValue, _ reader: OpenAPIReader) -> JSONValue {
        var bundle = OpenAPIBundle(root, reader)
        guard case .object(let members) = bundle.rewritten(root.node.json, in: root.file) else { return root.node.json }
        var (all, next): ([JSONValue.Member], Int) = ([], 0)
        while next < bundle.files.count {
            let file = bundle.files[next]
            next += 1
            guard let value = reader.root(of: file, isReference: true) else { continue }
            all.append(.init(file, bundle.rewritten(value.node.json, in: file)))
        }
        return .object(members + (all.isEmpty ? [] : [.init(member, .object(all))]))
    }

    /// Whether a text has a `$ref` or `$dynamicRef` that does not begin with `#`.
    private static func hasOtherFiles(_ bytes: [UInt8]) -> Bool {
        hasOtherFiles(bytes, name: "$ref") || hasOtherFiles(bytes, name: "$dynamicRef")
    }

    private static func hasOtherFiles(_ bytes: [UInt8], name: String) -> Bool {
        let name = Array(name.utf8)
        var index = 0
        while let start = bytes[index...].firstIndex(of: name[0]) {
            index = start + 1
            guard bytes[start...].starts(with: name) else { continue }
            let value = bytes[(start + name.count)...].first { !" \"':\t\r\n".utf8.contains($0) }
            if let value, value != UInt8(ascii: "#") { return true }
        }
        return false
    }

    /// - Parameter isInResource: Whether the value is in a schema with an `$id`, to which references without a path are relative.
    private mutating func rewritten(_ value: JSONValue, in file: String, isInResource: Bool = false) -> JSONValue {
        let isInResource = isInResource || value["$id"]?.stringValue != nil
        return value.mapChildren { key, child in
            switch (key, child) {
            case ("$ref", .string(let text)), ("operationRef", .string(let text)), ("$dynamicRef", .string(let text)):
                .string(isInResource && text.hasPrefix("#") ? text : reference(text, in: file))
            case ("mapping", .object):
                // The value of a discriminator is a reference, or the name of a schema.
                child.mapChildren { _, value in
                    guard case .string(let text) = value, text.contains(where: { "#/.".contains($0) }) else {
                        return rewritten(value, in: file, isInResource: isInResource)
                    }
                    return .string(reference(text, in: file))
                }
            default: rewritten(child, in: file, isInResource: isInResource)
            }
        }
    }

    /// The reference in the document that leads where a reference in a file does.
    private mutating func reference(_ text: String, in file: String) -> String {
        let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let path = PercentEncoding.decode(parts.first ?? "")
        let fragment = parts.count > 1 ? String(parts[1]) : ""
        guard !HTTPURL.isAbsolute(path), !path.hasPrefix("/") else { return text }
        let target = path.isEmpty ? file : FilePath.normalized(FilePath.joining(FilePath.folder(of: file), path))
        guard target != root.file else { return "#\(fragment)" }
        guard reader.root(of: target, isReference: true) != nil else { return text }
        if !files.contains(target) { files.append(target) }
        // Anchors are found by the path of their file, which is the base of its references.
        if !fragment.isEmpty, !fragment.hasPrefix("/") { return text }
        return "#/\(Self.member)/\(PercentEncoding.encode(JSONPointer.escaped(target), allowed: .unreserved))\(fragment)"
    }
}
