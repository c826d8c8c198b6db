internal import SortieBase
internal import WorkspaceModel

/// Translates the templates of Bruno.
struct BrunoTemplates {
    private var variables = ForeignVariables()

    /// What is not translated, or with another meaning.
    var notes: [ForeignVariables.Note] { variables.notes }

    /// A text with the templates of Sortie.
    mutating func text(_ text: String) -> String { ForeignText.translated(text) { template(for: $0) } }

    private mutating func template(for inner: String) -> String {
        let environment = "process.env."
        if inner.hasPrefix(environment) {
            let name = String(inner.dropFirst(environment.count))
            if ExportPlaceholder.isName(name) { return "{{$env.\(name)}}" }
        }
        if inner.hasPrefix("?") {
            let label = ForeignText.trimmed(inner.dropFirst()).filter { !"={}|".contains($0) }
            return "{{$prompt \(label.isEmpty ? "Value" : label)}}"
        }
        return variables.template(for: inner)
    }

    /// The row with translated name and value.
    mutating func parameter(_ pair: BruBlock.Pair) -> Parameter {
        Parameter(text(pair.name), text(pair.value), isEnabled: pair.isEnabled)
    }
}
