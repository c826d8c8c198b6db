internal import SortieBase
internal import WorkspaceModel

/// Writes templates in the notation of `.http` files.
struct HTTPFileText {
    /// The names of variables in the texts, without those that the tools make themselves.
    private(set) var names: Set<String> = []
    /// Values that are asked for: the name of the variable and the label.
    private(set) var prompts: [String: String] = [:]
    /// What the format cannot express.
    private(set) var problems: [String] = []

    /// The name of a variable whose value is one opening brace.
    static let brace = "openingBrace"

    /// The text of a template.
    mutating func text(_ template: String) -> String {
        var result = ""
        for segment in Template(template).segments {
            switch segment {
            case .text(let text), .unclosed(let text): result += text
            case .variable(let name, _): result += variable(name)
            case .builtin(let name, let argument, _): result += builtin(name, argument)
            }
        }
        return result
    }

    /// Asks for the value of a variable; false for a built-in that asks for nothing.
    mutating func ask(_ builtin: String, _ argument: String, for name: String) -> Bool {
        guard let question = PromptQuestion(builtin, argument) else { return false }
        prompts[name] = question.label
        return true
    }

    /// A value of an earlier step has the name that its handler sets.
    private mutating func variable(_ name: String) -> String {
        let last = name.split(separator: ".").last.map(String.init) ?? name
        names.insert(last)
        return "{{\(last)}}"
    }

    private mutating func builtin(_ name: String, _ argument: String) -> String {
        if let question = PromptQuestion(name, argument) {
            let variable = SecretExtraction.variableName(question.label)
            prompts[variable] = question.label
            return "{{\(variable)}}"
        }
        switch name {
        case "uuid", "timestamp": return "{{$\(name)}}"
        case "date" where argument.isEmpty: return "{{$isoTimestamp}}"
        case "random": return "{{$random.integer(0, \(Int(argument) ?? 1_000_000))}}"
        case "braces":
            // The tools read two braces as the start of a variable, also after a text; a value that they insert is not read again.
            names.insert(Self.brace)
            return "{{\(Self.brace)}}{{\(Self.brace)}}"
        default:
            if name.hasPrefix("env.") { return "{{$\(name)}}" }
            problems.append("{{$\(name)\(argument.isEmpty ? "" : " \(argument)")}}")
            let words = "\(name) \(argument)"
            return variable(SecretExtraction.variableName(words))
        }
    }
}
