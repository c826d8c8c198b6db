package import SortieBase
package import SortieHTTP
internal import Synchronization

package import struct FoundationEssentials.Date

/// What is imported: bytes with a name, and the other files of its folder.
package struct ImportSource: Sendable {
    /// Returns the bytes of a file by its path relative to the folder of the source; nil where there is none.
    ///
    /// Unless ``readsParents`` is true, the path is not absolute and has no `..`; the closure resolves links and refuses what leads out of the folder.
    package typealias FileReader = @Sendable (_ path: String) -> [UInt8]?

    /// Reads a YAML document; the name is that in diagnostics.
    package typealias YAMLParser = @Sendable (_ bytes: [UInt8], _ file: String) throws(Diagnostic) -> SourceNode

    /// The name in diagnostics: that of the file, or `standard input`.
    package let name: String
    /// The bytes; only the first ones where ``pieces`` reads the source.
    package private(set) var bytes: [UInt8]
    /// Reads a source that is too large for the memory, such as a HAR file; nil where ``bytes`` has all of it.
    package let pieces: SourceJSON.PieceReader?
    /// The time of the import, at which expired cookies are left out.
    package let date: Date
    /// The relative paths of the files where the source is a folder, sorted; nil for a file.
    package let paths: [String]?
    /// Whether responses without an example are read as well, with values of their schemas, which takes time for large sources.
    package var readsResponses = false
    /// The start of random values of schemas in responses; nil for the simplest ones.
    package var sampleSeed: UInt64?
    /// Whether the source is used in place, so that nothing of it is written to other files: private values stay, and names are unique in all its files.
    package var isInPlace = false
    /// Whether references lead out of the folder of the source; the reader refuses what it does not have.
    package var readsParents = false
    /// Says why the reader has no file with a path, and the remedy.
    package var reasonForMissing: @Sendable (_ path: String) -> String = { path in
        path.hasPrefix("..") || FilePath.isAbsolute(path)
            ? "the file is outside the folder of the source; import the folder that contains both"
            : "there is no such file in the folder of the source"
    }
    /// The URL from which the source was fetched; references lead to copies of other documents of its origin.
    package var url: HTTPURL?
    private var reader: FileReader
    private let yaml: YAMLParser

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - name: The name of the file or folder.
    ///   - bytes: The bytes; empty for a folder.
    ///   - date: The time of the import.
    ///   - paths: The files of a folder.
    ///   - pieces: Reads a large source, of which `bytes` is the beginning.
    ///   - yaml: Reads YAML; this target does not depend on a YAML parser. By default, every document is refused.
    ///   - reader: Reads other files.
    package init(
        name: String, bytes: [UInt8], date: Date = .distantPast, paths: [String]? = nil, pieces: SourceJSON.PieceReader? = nil,
        yaml: @escaping YAMLParser = Self.withoutYAML, files reader: @escaping FileReader = { _ in nil }
    ) {
        (self.name, self.date, self.paths, self.yaml) = (name, date, paths, yaml)
        self.reader = paths == nil ? reader : ReadFiles(reader).bytes(of:)
        self.bytes = pieces == nil ? FileText.inUTF8(bytes) : bytes
        self.pieces = pieces
    }

    /// The source with other bytes of a file, which is the source itself or in its folder.
    package func replacing(_ file: String, by bytes: [UInt8]) -> ImportSource {
        var source = self
        if paths == nil {
            source.bytes = bytes
        } else {
            source.reader = { [reader] in $0 == file ? bytes : reader($0) }
        }
        return source
    }

    /// The root of a JSON or YAML document, by its first character.
    ///
    /// - Parameters:
    ///   - bytes: The document.
    ///   - file: The name in diagnostics.
    /// - Throws: A diagnostic with the place where the document is malformed.
    package func document(_ bytes: [UInt8], file: String) throws(Diagnostic) -> SourceNode {
        let bytes = FileText.inUTF8(bytes)
        let content = FileText.withoutMark(bytes)
        let first = content.first { $0 > 0x20 }
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return try yaml(bytes, file) }
        do throws(Diagnostic) {
            return try SourceJSON.node(parsing: bytes, file: file)
        } catch {
            // A flow mapping of YAML need not be JSON; elsewhere the diagnostic of the JSON reader is more useful.
            guard file.hasSuffix(".yaml") || file.hasSuffix(".yml") else { throw error }
            return try yaml(bytes, file)
        }
    }

    @Sendable package static func withoutYAML(_ bytes: [UInt8], _ file: String) throws(Diagnostic) -> SourceNode {
        throw Diagnostic(SourceLocation(file: file), "YAML cannot be read here; convert the file to JSON")
    }

    /// The bytes of a file in the folder of the source; nil where there is none, and for a path that leads out of the folder unless ``readsParents`` is true.
    package func file(_ path: String) -> [UInt8]? {
        let normal = FilePath.normalized(path)
        guard !normal.isEmpty, !normal.utf8.contains(0) else { return nil }
        guard readsParents || !FilePath.isAbsolute(path) && FilePath.components(of: normal).first != ".." else { return nil }
        return reader(normal)
    }

    /// The path by which ``file(_:)`` has the document of an absolute reference; nil for another origin than that of the source.
    func path(ofReference reference: String) -> String? {
        guard let url, case .success(let target) = Result(catching: { () throws(HTTPURL.ParseError) in try url.resolving(reference: reference) }),
            target.origin == url.origin
        else { return nil }
        if target.path == url.path { return name }
        let parents = FilePath.components(of: FilePath.folder(of: url.path)).map { _ in ".." }
        return (parents + FilePath.components(of: PercentEncoding.decode(target.path)).map(String.init)).joined(separator: "/")
    }

    /// The name without the folder and without everything from the first period.
    package var stem: String { String(FilePath.name(of: name).prefix { $0 != "." }) }

    /// The first bytes of the source, without a byte order mark.
    func start(_ count: Int) -> ArraySlice<UInt8> {
        (bytes.starts(with: TextEncoding.utf8.mark) ? bytes.dropFirst(TextEncoding.utf8.mark.count) : bytes[...]).prefix(count)
    }

    /// The text of the source, without a byte order mark.
    ///
    /// - Throws: A diagnostic with the place of the first byte that is not UTF-8.
    package func text() throws(Diagnostic) -> String {
        let content = FileText.withoutMark(bytes)
        if let text = String(validating: content, as: UTF8.self) { return text }
        var decoder = UTF8()
        var iterator = content.makeIterator()
        var (line, column) = (1, 1)
        while case .scalarValue(let scalar) = decoder.decode(&iterator) {
            (line, column) = scalar == "\n" ? (line + 1, 1) : (line, column + 1)
        }
        throw Diagnostic(SourceLocation(file: name, line: line, column: column), "invalid UTF-8; save the file in UTF-8")
    }
}

/// The files of a folder that were read, so that the detection of the format, the import and the search for other formats read each file once.
private final class ReadFiles: Sendable {
    /// The size in bytes of all files from which on further ones are not kept.
    private static let largest = 64 << 20

    private let reader: ImportSource.FileReader
    private let kept = Mutex<(files: [String: [UInt8]], size: Int)>(([:], 0))

    init(_ reader: @escaping ImportSource.FileReader) { self.reader = reader }

    @Sendable func bytes(of path: String) -> [UInt8]? {
        if let known = kept.withLock({ $0.files[path] }) { return known }
        guard let bytes = reader(path) else { return nil }
        kept.withLock {
            guard $0.size + bytes.count <= Self.largest else { return }
            $0.files[path] = bytes
            $0.size += bytes.count
        }
        return bytes
    }
}
