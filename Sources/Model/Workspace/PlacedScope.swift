/// Resolves the texts of a file, and reports the location and the field of errors.
struct PlacedScope {
    let scope: TemplateScope
    let place: SourceLocation

    /// `text` with its templates replaced.
    ///
    /// - Parameters:
    ///   - field: The name of the text in error messages.
    ///   - notation: The notation of the text.
    func resolve(_ text: String, _ field: String, as notation: TemplateNotation = .text) throws(Problem) -> String {
        do { return try scope.resolve(text, as: notation) } catch { throw Problem(place, "\(field): \(error.message)") }
    }

    /// The resolved names and values of the enabled rows that have a name.
    func rows(_ parameters: [Parameter], _ field: String) throws(Problem) -> [(name: String, value: String)] {
        var result: [(name: String, value: String)] = []
        for row in parameters where row.isEnabled && !row.name.isEmpty {
            result.append((try resolve(row.name, field), try resolve(row.value, "\(field) “\(row.name)”")))
        }
        return result
    }
}
