/// Resolves the texts of a file, and names the place and the field of what cannot be resolved.
struct PlacedScope {
    let scope: TemplateScope
    let place: SourceLocation

    /// `text` with its templates replaced.
    ///
    /// - Parameters:
    ///   - field: what a problem calls the text.
    ///   - notation: what the text is written in.
    func resolve(_ text: String, _ field: String, as notation: TemplateNotation = .text) throws(Problem) -> String {
        do { return try scope.resolve(text, as: notation) } catch { throw Problem(place, "\(field): \(error.message)") }
    }

    /// Names and values of the rows that are sent.
    func rows(_ parameters: [Parameter], _ field: String) throws(Problem) -> [(name: String, value: String)] {
        var result: [(name: String, value: String)] = []
        for row in parameters where row.isEnabled && !row.name.isEmpty {
            result.append((try resolve(row.name, field), try resolve(row.value, "\(field) “\(row.name)”")))
        }
        return result
    }
}
