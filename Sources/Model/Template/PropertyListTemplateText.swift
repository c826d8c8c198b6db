/// Writes the values of templates into the XML text of a property list.
enum PropertyListTemplateText {
    /// - Throws: for a value with a character that XML 1.0 §2.2 forbids.
    static func text(of pieces: [TemplatePiece]) throws(TemplateError) -> String {
        var output = ""
        for piece in pieces {
            switch piece {
            case .text(let text), .value(let text, _, isRaw: true): output += text
            case .value(let value, let template, isRaw: false):
                do throws(XMLText.ForbiddenCharacter) {
                    output += isInCDATA(output) ? try XMLText.cdata(value) : try XMLText.escaped(value, quotes: true)
                } catch {
                    throw TemplateError("the value of \(template) holds the character \(error), which XML 1.0 forbids")
                }
            }
        }
        return output
    }

    private static func isInCDATA(_ text: String) -> Bool {
        guard let open = text.ranges(of: "<![CDATA[").last else { return false }
        return !text[open.upperBound...].contains("]]>")
    }
}
