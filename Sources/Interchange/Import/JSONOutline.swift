internal import SortieBase

/// The names of the members at the start of a JSON document, for the detection of formats.
struct JSONOutline: JSONRowSink {
    /// The number of nested containers whose names are collected.
    private static let depthLimit = 3

    private let bytes: UnsafeRawBufferPointer
    private var names: Set<String> = []
    /// The prefix of the names of the members of each open container; nil where they are not collected.
    private var prefixes: [String?] = []
    /// The name of the next value; nil where the names in it are not collected.
    private var name: String? = ""

    private init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// The names, with those of objects in objects as `outer.inner`, as far as the text can be read; of an array, the first object counts, as
    /// `outer[].inner`.
    static func names(in bytes: ArraySlice<UInt8>) -> Set<String> {
        bytes.withUnsafeBytes { buffer in
            var outline = JSONOutline(buffer)
            var tokenizer = JSONTokenizer(rowLimit: .max)
            do throws(JSONFault) { try tokenizer.advance(over: buffer, limit: buffer.count, isEnd: false, into: &outline) } catch {
                // The names before the first error are kept.
            }
            return outline.names
        }
    }

    mutating func token(_ kind: BodySpan.Kind, _ range: Range<Int>) {
        switch kind {
        case .key:
            name = (prefixes.last ?? nil).map { $0 + JSONStringToken.text(bytes, range) }
            if let name { names.insert(name) }
        case .punctuation:
            switch bytes[range.lowerBound] {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                let isObject = bytes[range.lowerBound] == UInt8(ascii: "{")
                if prefixes.count >= Self.depthLimit { name = nil }
                prefixes.append(isObject ? name.map { $0.isEmpty ? "" : $0 + "." } : nil)
                if !isObject { name = name.map { $0 + "[]" } }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                _ = prefixes.popLast()
                name = nil
            case UInt8(ascii: ","): name = nil
            default: break
            }
        default: break
        }
    }
}
