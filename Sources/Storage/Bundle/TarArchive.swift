internal import SortieBase

/// A tar archive of regular files in the format ustar (POSIX.1-2017, pax, "ustar Interchange Format").
///
/// The format is written and read here and not by a library, because a bundle needs none of the other kinds of entries, and an archive from someone
/// else must not contain them.
enum TarArchive {
    /// A file of an archive.
    struct Entry: Hashable, Sendable {
        /// The path with `/` between names.
        var path: String
        /// The content.
        var bytes: [UInt8]
    }

    private static let block = 512

    // MARK: Writing

    /// The bytes of an archive; the same entries always give the same bytes.
    ///
    /// - Throws: A diagnostic for a path that the format cannot express.
    static func bytes(of entries: [Entry]) throws(Diagnostic) -> [UInt8] {
        var result: [UInt8] = []
        for entry in entries {
            result += try header(of: entry)
            result += entry.bytes
            result += [UInt8](repeating: 0, count: padding(of: entry.bytes.count))
        }
        return result + [UInt8](repeating: 0, count: 2 * block)
    }

    private static func padding(of count: Int) -> Int { (block - count % block) % block }

    private static func header(of entry: Entry) throws(Diagnostic) -> [UInt8] {
        guard let (prefix, name) = parts(of: entry.path) else {
            throw Diagnostic(SourceLocation(file: entry.path), "the path is too long for an archive (100 bytes for the name, 155 for its folder)")
        }
        var header = [UInt8](repeating: 0, count: block)
        func put(_ bytes: some Sequence<UInt8>, at offset: Int) { for (index, byte) in bytes.enumerated() { header[offset + index] = byte } }
        put(name, at: 0)
        put("0000644".utf8, at: 100)
        put("0000000".utf8, at: 108)
        put("0000000".utf8, at: 116)
        put(entry.bytes.count.padded(to: 11, radix: 8).utf8, at: 124)
        put("00000000000".utf8, at: 136)
        put("        ".utf8, at: 148)
        put("0".utf8, at: 156)
        put("ustar\u{0}00".utf8, at: 257)
        put(prefix, at: 345)
        let sum = header.reduce(0) { $0 + Int($1) }
        put((sum.padded(to: 6, radix: 8) + "\u{0} ").utf8, at: 148)
        return header
    }

    /// The path as prefix and name.
    private static func parts(of path: String) -> (prefix: [UInt8], name: [UInt8])? {
        let bytes = Array(path.utf8)
        if bytes.count <= 100 { return ([], bytes) }
        // An empty prefix would lose the slash of an absolute path.
        for index in bytes.indices.dropFirst()
        where bytes[index] == UInt8(ascii: "/") && index <= 155 && bytes.count - index - 1 <= 100 && index + 1 < bytes.count {
            return (Array(bytes[..<index]), Array(bytes[(index + 1)...]))
        }
        return nil
    }

    // MARK: Reading

    /// The files of an archive.
    ///
    /// - Parameters:
    ///   - bytes: The archive.
    ///   - file: The name in messages.
    /// - Throws: A diagnostic for anything that ``bytes(of:)`` does not write: other kinds of entries, paths that lead elsewhere, hidden files,
    ///   duplicates, wrong checksums and a truncated archive.
    static func entries(of bytes: [UInt8], file: String) throws(Diagnostic) -> [Entry] {
        var entries: [Entry] = []
        var paths = TarPaths()
        var position = 0
        func problem(_ message: String) -> Diagnostic { Diagnostic(SourceLocation(file: file), message + "; the archive is not unpacked") }
        if bytes.starts(with: [0x1f, 0x8b]) { throw problem("this is compressed with gzip; uncompress it first, with gunzip") }
        if bytes.starts(with: Array("PK".utf8)) { throw problem("this is a zip archive, not a tar archive") }
        while true {
            guard bytes.count - position >= block else { throw problem("the archive ends in the middle") }
            let header = bytes[position..<position + block]
            if header.allSatisfy({ $0 == 0 }) {
                guard bytes[position...].allSatisfy({ $0 == 0 }) else { throw problem("there are bytes after the end of the archive") }
                return entries
            }
            position += block
            func field(_ offset: Int, _ count: Int) -> ArraySlice<UInt8> {
                let all = header[header.startIndex + offset..<header.startIndex + offset + count]
                return all.prefix { $0 != 0 }
            }
            let sum = header.enumerated().reduce(0) { $0 + ((148..<156).contains($1.offset) ? 32 : Int($1.element)) }
            guard number(field(148, 8)) == sum else { throw problem("this is not a tar archive, or it is damaged") }
            guard Array(field(257, 5)) == Array("ustar".utf8) else { throw problem("this is not a tar archive in the format ustar") }
            let name = Array(field(0, 100))
            let prefix = Array(field(345, 155))
            guard let path = String(validating: prefix.isEmpty ? name : prefix + [UInt8(ascii: "/")] + name, as: UTF8.self) else {
                throw problem("a path is not UTF-8")
            }
            let kind = header[header.startIndex + 156]
            guard kind == UInt8(ascii: "0") || kind == 0 else {
                throw problem("“\(path.shortened)” is not a file, but \(Self.kind(kind)), which a bundle does not contain")
            }
            if let reason = paths.problem(adding: path) { throw problem("“\(path.shortened)” \(reason)") }
            guard let size = number(field(124, 12)), size <= bytes.count - position else {
                throw problem("the size of “\(path.shortened)” is not that of its content")
            }
            entries.append(Entry(path: path, bytes: Array(bytes[position..<position + size])))
            guard position + size + padding(of: size) <= bytes.count else { throw problem("the archive ends in the middle") }
            position += size + padding(of: size)
        }
    }

    private static func number(_ field: ArraySlice<UInt8>) -> Int? {
        let digits = field.drop { $0 == 0x20 }.prefix { $0 != 0x20 }
        guard !digits.isEmpty, digits.count <= 12, digits.allSatisfy({ (0x30...0x37).contains($0) }) else { return nil }
        return Int(String(decoding: digits, as: UTF8.self), radix: 8)
    }

    private static func kind(_ type: UInt8) -> String {
        switch type {
        case UInt8(ascii: "1"): "a hard link"
        case UInt8(ascii: "2"): "a symbolic link"
        case UInt8(ascii: "3"), UInt8(ascii: "4"): "a device"
        case UInt8(ascii: "5"): "a folder"
        case UInt8(ascii: "6"): "a FIFO"
        default: "an entry of another kind"
        }
    }
}

/// The paths of an archive, which must stay in its folder.
struct TarPaths {
    private var files: Set<String> = []
    private var folders: Set<String> = []

    /// Why a path is refused; nil for a valid path, which is noted.
    mutating func problem(adding path: String) -> String? {
        let names = path.split(separator: "/", omittingEmptySubsequences: false)
        if path.isEmpty { return "has no name" }
        if path.hasPrefix("/") { return "is an absolute path" }
        if names.contains("..") { return "leads out of the folder" }
        if names.contains("") || names.contains(".") { return "is not a plain path" }
        if names.contains(where: { $0.hasPrefix(".") }) { return "is a hidden file" }
        if names.contains(where: { $0.utf8.count > 255 }) || names.count > 64 { return "is too long" }
        if path.unicodeScalars.contains(where: { $0.properties.generalCategory == .control || $0.properties.generalCategory == .format }) {
            return "has characters that cannot be displayed"
        }
        // Names that differ only in case are one file on some file systems.
        let plain = path.lowercased()
        let parents = names.indices.dropFirst().map { names[..<$0].joined(separator: "/").lowercased() }
        if !files.insert(plain).inserted { return "occurs twice" }
        if folders.contains(plain) || parents.contains(where: files.contains) { return "is a file and a folder" }
        folders.formUnion(parents)
        return nil
    }
}
