internal import SortieBase

/// Writes the values of templates into the XML text of a property list.
enum PropertyListTemplateText {
    /// - Throws: A ``TemplateError`` for a value with a character that XML 1.0 §2.2 excludes.
    package static func text(of pieces: [TemplatePiece]) throws(TemplateError) -> String {
        var output = ""
        var place = Place()
        func write(_ text: String) {
            place.read(text)
            output += text
        }
        for piece in pieces {
            switch piece {
            case .text(let text), .value(let text, _, isRaw: true): write(text)
            case .value(let value, let template, isRaw: false):
                do throws(XMLText.ForbiddenCharacter) {
                    write(place.isInCDATA ? try XMLText.cdata(value) : try XMLText.escaped(value, quotes: true))
                } catch {
                    throw TemplateError("the value of \(template) contains the character \(error), which XML 1.0 forbids")
                }
            }
        }
        return output
    }

    /// Tracks whether the end of the text is in a CDATA section (XML 1.0 §2.7), in one pass.
    private struct Place {
        private(set) var isInCDATA = false
        /// The number of bytes of the current state's end delimiter that were matched last.
        private var matched = 0
        private static let start = Array("<![CDATA[".utf8)

        package mutating func read(_ text: String) {
            for byte in text.utf8 {
                if isInCDATA {
                    if byte == UInt8(ascii: "]") {
                        matched += 1
                    } else {
                        if byte == UInt8(ascii: ">"), matched >= 2 { isInCDATA = false }
                        matched = 0
                    }
                } else {
                    matched = byte == Self.start[matched] ? matched + 1 : byte == Self.start[0] ? 1 : 0
                    if matched == Self.start.count { (isInCDATA, matched) = (true, 0) }
                }
            }
        }
    }
}
