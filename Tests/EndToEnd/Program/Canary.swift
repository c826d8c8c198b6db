import Foundation
import Support

/// A unique secret for one place of a request or a response, and the notations in which a program may write it.
struct Canary: Sendable {
    /// The description of the place.
    let place: String
    /// The value, which is not part of another canary.
    let value: String

    /// The bytes that reveal the value, with the name of the notation.
    var spellings: [(name: String, bytes: Data)] {
        let bytes = Array(value.utf8)
        func hexadecimal(_ format: String) -> String { bytes.map { String(format: format, $0) }.joined() }
        var all = [
            ("plain", value), ("in small letters", value.lowercased()), ("hexadecimal", hexadecimal("%02x")), ("hexadecimal", hexadecimal("%02X")),
            ("percent-encoded", hexadecimal("%%%02X")), ("percent-encoded", hexadecimal("%%%02x")),
        ]
        // The Base64 characters that the value alone determines when 0, 1 or 2 bytes of a group precede it.
        for offset in 0..<3 {
            let text = Data([UInt8](repeating: 0, count: offset) + bytes).base64EncodedString()
            let own = text.prefix((offset + bytes.count) * 8 / 6).dropFirst((offset * 8 + 5) / 6)
            all.append(("Base64 behind \(offset) bytes", String(own)))
        }
        return all.map { ($0.0, Data($0.1.utf8)) }
    }

    /// The names of the notations of the value that occur in `data`.
    func found(in data: Data) -> [String] {
        data.withUnsafeBytes { text in
            spellings.filter { spelling in spelling.bytes.withUnsafeBytes { Self.contains(text, $0) } }.map(\.name)
        }
    }

    /// Searches with functions of C, because the search of Foundation takes seconds in a debug build.
    private static func contains(_ text: UnsafeRawBufferPointer, _ word: UnsafeRawBufferPointer) -> Bool {
        guard let start = text.baseAddress, let bytes = word.baseAddress, let first = word.first else { return false }
        var offset = 0
        while offset + word.count <= text.count, let hit = memchr(start + offset, Int32(first), text.count - word.count - offset + 1) {
            if memcmp(hit, bytes, word.count) == 0 { return true }
            offset = UnsafeRawPointer(hit) - start + 1
        }
        return false
    }
}

extension Sortie {
    /// The canaries in files under the home folder, except those of the test: `PLACE is in FILE, NOTATION`.
    ///
    /// - Parameters:
    ///   - own: the prefixes of the paths of files that the test wrote.
    ///   - isDocumented: whether the documentation permits a canary in a file.
    func leaks(of canaries: [Canary], own: [String], isDocumented: (Canary, String) -> Bool) throws -> [String] {
        var found: [String] = []
        let all = FileManager.default.enumerator(atPath: home.path)
        while let name = all?.nextObject() as? String {
            var isFolder: ObjCBool = false
            let path = home.path(name)
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue, !own.contains(where: name.hasPrefix)
            else { continue }
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            for canary in canaries where !isDocumented(canary, name) {
                found += canary.found(in: data).map { "\(canary.place) is in \(name), \($0)" }
            }
        }
        return found
    }
}
