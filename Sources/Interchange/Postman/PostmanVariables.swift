internal import SortieBase
internal import WorkspaceModel

/// Writes templates in the notation of Postman, and collects the variables that they use.
struct PostmanVariables {
    private let values: [String: String]
    private let workspace: Workspace
    /// The texts of variables that were used, by name; nil for one without a value.
    private var used: [String: String?] = [:]

    init(_ source: ExportSource) {
        let environment = source.workspace.environments.first { $0.name == source.environment }
        workspace = source.workspace
        values = source.workspace.variables.merging(environment?.variables ?? [:]) { _, own in own }
    }

    /// The text with `{{variables}}` of Postman.
    ///
    /// - Parameter own: the variables of the endpoint, whose values are written in their place.
    mutating func text(_ template: String, own: [String: String] = [:]) -> String {
        var result = ""
        for segment in Template(template).segments {
            switch segment {
            case .text(let text), .unclosed(let text): result += text
            case .variable(let name, _):
                if let value = own[name] {
                    result += text(value, own: own.filter { $0.key != name })
                } else {
                    result += use(name)
                }
            case .builtin("braces", _, _): result += "{{"
            case .builtin("uuid", _, _): result += "{{$guid}}"
            case .builtin("timestamp", _, _): result += "{{$timestamp}}"
            // Postman has no format of dates.
            case .builtin("date", "", _): result += "{{$isoTimestamp}}"
            case .builtin("random", _, _): result += "{{$randomInt}}"
            case .builtin("env", let name, _): result += use(name)
            case .builtin(let name, let argument, _):
                let label = PromptQuestion(name, argument)?.label ?? "\(name) \(argument)"
                result += use(SecretName.variable(label))
            }
        }
        return result
    }

    /// A reference to a variable of the collection.
    mutating func use(_ name: String) -> String {
        if used[name] == nil {
            used[name] = .some(nil)
            // The value of a credential stays in the workspace.
            guard let value = values[name], !workspace.hidesValue(of: name) else { return "{{\(name)}}" }
            let written = text(value)
            // What a variable asks for by its own name has no value there.
            if written != "{{\(name)}}" { used[name] = written }
        }
        return "{{\(name)}}"
    }

    /// The text of a credential: a reference to a variable, never a value.
    mutating func credential(_ template: String, named name: String, own: [String: String]) -> String {
        let isLiteral = Template(template).isPlain
        return isLiteral && !template.isEmpty ? use(SecretName.variable(name)) : text(template, own: own)
    }

    /// The names of the variables without a value.
    var unset: [String] { used.filter { $0.value == nil }.keys.sorted() }

    /// The variables of the collection in the order of their names.
    var rows: [JSONValue] {
        used.sorted { $0.key < $1.key }.map { name, value in
            .object([.init("key", .string(name))] + (value.map { [.init("value", .string($0))] } ?? []) + [.init("type", "string")])
        }
    }
}
