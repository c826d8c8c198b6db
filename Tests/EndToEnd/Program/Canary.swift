import Foundation
import Support

/// A value that stands for a secret in one place of a request or a response, and what it looks like where a program wrote it down.
struct Canary: Sendable {
    /// Where it is put, in words.
    let place: String
    /// The value; no other canary is a part of it.
    let value: String

    /// The bytes that tell the value, by the name of the notation.
    var spellings: [(name: String, bytes: Data)] {
        let bytes = Array(value.utf8)
        func hexadecimal(_ format: String) -> String { bytes.map { String(format: format, $0) }.joined() }
        var all = [
            ("plain", value), ("in small letters", value.lowercased()), ("hexadecimal", hexadecimal("%02x")), ("hexadecimal", hexadecimal("%02X")),
            ("percent-encoded", hexadecimal("%%%02X")), ("percent-encoded", hexadecimal("%%%02x")),
        ]
        // What a value determines alone of the Base64 of a text in which it stands behind 0, 1 or 2 bytes of a group.
        for offset in 0..<3 {
            let text = Data([UInt8](repeating: 0, count: offset) + bytes).base64EncodedString()
            let own = text.prefix((offset + bytes.count) * 8 / 6).dropFirst((offset * 8 + 5) / 6)
            all.append(("Base64 behind \(offset) bytes", String(own)))
        }
        return all.map { ($0.0, Data($0.1.utf8)) }
    }

    /// The names of the notations in which the value is in `data`.
    func found(in data: Data) -> [String] { spellings.filter { data.firstRange(of: $0.bytes) != nil }.map(\.name) }
}

extension Sortie {
    /// Which canaries are in files under the home folder, but for those of the test: `PLACE is in FILE, NOTATION`.
    ///
    /// - Parameters:
    ///   - own: the beginnings of the paths of files that the test wrote.
    ///   - isDocumented: whether a canary may be in a file, because the documentation says so.
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
