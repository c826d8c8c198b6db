internal import SortieBase

extension Diagnostic {
    /// Creates the problem of a text with a template that has no value.
    ///
    /// - Parameter field: The name of the text.
    init(_ location: SourceLocation, _ field: String, _ error: TemplateError) {
        self.init(location, "\(field): \(error.message)", failure: error.failure)
    }
}
