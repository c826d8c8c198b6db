/// A Swift source without its comments and strings, as text that can be searched for names.
///
/// The values in interpolated strings are left out too, except where they contain a string.
struct SwiftCode {
    /// The code; each comment and each string is replaced by a space.
    let text: String

    /// Reads a source.
    init(_ source: String) {
        let bytes = Array(source.utf8)
        var code: [UInt8] = []
        var index = 0
        let starts = Array("/\"#".utf8)
        func stands(_ word: StaticString) -> Bool {
            word.withUTF8Buffer { word in bytes[index...].prefix(word.count).elementsEqual(word) }
        }
        func skip(past end: StaticString, escapes: Bool = false, isOneLine: Bool = false) {
            while index < bytes.count, !stands(end) {
                if isOneLine, bytes[index] == UInt8(ascii: "\n") { return }
                index += escapes && bytes[index] == UInt8(ascii: "\\") ? 2 : 1
            }
            index = min(bytes.count, index + end.utf8CodeUnitCount)
        }
        while index < bytes.count {
            let start = index
            if !starts.contains(bytes[index]) {
                code.append(bytes[index])
                index += 1
                continue
            }
            if stands("//") {
                while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
            } else if stands("/*") {
                skip(past: "*/")
            } else if stands("\"\"\"") {
                index += 3
                skip(past: "\"\"\"", escapes: true)
            } else if stands("#\"") {
                index += 2
                skip(past: "\"#", isOneLine: true)
            } else if stands("\"") {
                index += 1
                skip(past: "\"", escapes: true, isOneLine: true)
            }
            if index == start {
                code.append(bytes[index])
                index += 1
            } else {
                code.append(UInt8(ascii: " "))
            }
        }
        text = String(decoding: code, as: UTF8.self)
    }

    /// The types that other files can use: those that begin a line and are not private.
    var types: Set<String> {
        let keywords: Set<Substring> = ["struct", "class", "enum", "protocol", "actor", "typealias"]
        var types: Set<String> = []
        for line in text.split(separator: "\n") where line.first?.isLetter == true || line.first == "@" {
            let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }
            guard let keyword = words.prefix(6).firstIndex(where: { keywords.contains($0) }), keyword + 1 < words.count else { continue }
            let modifiers = words[..<keyword]
            if !modifiers.contains("private"), !modifiers.contains("fileprivate"), !modifiers.contains("extension") {
                types.insert(String(words[keyword + 1]))
            }
        }
        return types
    }

    /// The names that begin with a capital letter and are not members of another name.
    var names: Set<String> {
        var names: Set<String> = []
        var name: [UInt8] = []
        var previous = UInt8(ascii: " ")
        var isMember = false
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "_"):
                if name.isEmpty { isMember = previous == UInt8(ascii: ".") }
                name.append(byte)
            default:
                if !isMember, let first = name.first, first >= UInt8(ascii: "A"), first <= UInt8(ascii: "Z") {
                    names.insert(String(decoding: name, as: UTF8.self))
                }
                name = []
            }
            previous = byte
        }
        return names
    }
}
