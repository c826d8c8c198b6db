/// Writes the values of templates into the path of a file.
enum FilePathTemplateText {
    /// - Throws: A ``TemplateError`` for a value that adds `..` after a folder of the text, and for NUL, which ends a path.
    package static func text(of pieces: [TemplatePiece]) throws(TemplateError) -> String {
        var output = ""
        var values: [(range: Range<Int>, template: Template.Segment)] = []
        for piece in pieces {
            switch piece {
            case .text(let text), .value(let text, _, isRaw: true): output += text
            case .value(let value, let template, isRaw: false):
                guard !value.utf8.contains(0) else {
                    throw TemplateError("the value of \(template) contains a NUL character, which is not allowed in a path")
                }
                let start = output.utf8.count
                output += value
                if start > 0 { values.append((start..<output.utf8.count, template)) }
            }
        }
        guard !values.isEmpty else { return output }
        var start = 0
        var following = values[...]
        for segment in output.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            let end = start + segment.count
            following = following.drop { $0.range.upperBound < start }
            if segment.elementsEqual("..".utf8), let value = following.first, value.range.lowerBound <= end {
                throw TemplateError(
                    "the value of \(value.template) leads out of the folder; write \(value.template.raw) if this is intended")
            }
            start = end + 1
        }
        return output
    }
}
