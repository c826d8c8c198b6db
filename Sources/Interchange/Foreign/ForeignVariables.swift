internal import SortieBase

/// Translates variables of other tools, and the values that they make.
struct ForeignVariables {
    /// What is not translated, or with another meaning.
    typealias Note = (outcome: ImportReport.Outcome, reason: ImportReason)

    /// What the report must say.
    private(set) var notes: [Note] = []

    /// The template for the text between two braces.
    mutating func template(for inner: String) -> String {
        if inner.hasPrefix("$") { return dynamic(inner) }
        return ForeignText.isVariable(inner) ? "{{\(inner)}}" : prompt(for: inner, because: "expressions are not evaluated")
    }

    /// A template that asks for a value, with a note.
    mutating func prompt(for expression: String, because reason: String) -> String {
        note(.changed, "{{\(ForeignText.short(expression))}}: \(reason); the value is asked for")
        return ForeignText.prompt(expression)
    }

    /// Adds a note once.
    mutating func note(_ outcome: ImportReport.Outcome, _ reason: ImportReason) {
        if !notes.contains(where: { $0.reason == reason }) { notes.append((outcome, reason)) }
    }

    private mutating func dynamic(_ inner: String) -> String {
        let name = String(inner.dropFirst().prefix { !$0.isWhitespace && $0 != "(" })
        let argument = inner.dropFirst(name.count + 1).trimmingBlanks
        switch name {
        case "uuid", "guid", "random.uuid", "randomUUID": return "{{$uuid}}"
        case "timestamp" where argument.isEmpty: return "{{$timestamp}}"
        case "isoTimestamp" where argument.isEmpty: return "{{$date}}"
        case "datetime" where argument.isEmpty || argument == "iso8601": return "{{$date}}"
        case "localDatetime" where argument.isEmpty || argument == "iso8601":
            note(.changed, "{{\(inner)}}: the time is in UTC")
            return "{{$date}}"
        // The formats of the REST Client are those of Day.js, which has the tokens of Moment.
        case "datetime", "localDatetime":
            let format = argument.trimming { "'\"".contains($0) }
            guard format.count == argument.count - 2, let pattern = ScriptTranslation.datePattern(String(format)) else {
                return prompt(for: inner, because: "there is no such value in Sortie")
            }
            if name == "datetime" { note(.changed, "{{\(inner)}}: the time is that of the local time zone, not UTC") }
            return "{{$date \(pattern)}}"
        case "randomInt", "random.integer": return random(inner, argument)
        case "processEnv" where EnvironmentFile.isVariableName(argument): return "{{$env.\(argument)}}"
        case "dotenv" where EnvironmentFile.isVariableName(argument):
            note(.changed, "{{\(inner)}}: the value comes from the environment variable \(argument), not from .env")
            return "{{$env.\(argument)}}"
        case "prompt", "input", "password": return prompt(name, argument)
        case "shared" where ForeignText.isVariable(argument): return "{{\(argument)}}"
        default:
            if name.hasPrefix("env."), EnvironmentFile.isVariableName(String(name.dropFirst(4))) { return "{{$\(name)}}" }
            if name.hasPrefix("global."), argument.isEmpty { return "{{\(name.dropFirst("global.".count))}}" }
            return prompt(for: inner, because: "there is no such value in Sortie")
        }
    }

    private mutating func random(_ inner: String, _ argument: String) -> String {
        let numbers = argument.split { !$0.isNumber && $0 != "-" }.compactMap { Int($0) }
        let (low, high) = numbers.count == 2 ? (numbers[0], numbers[1]) : (0, numbers.first ?? 1000)
        guard high > 0, low >= 0 else { return prompt(for: inner, because: "random numbers begin at 0") }
        if low != 0 { note(.changed, "{{\(inner)}}: the number is from 0 to \(high - 1)") }
        return "{{$random \(high)}}"
    }

    /// `$input LABEL $value: DEFAULT` and `$password LABEL` of httpyac, `$prompt LABEL`.
    private func prompt(_ name: String, _ argument: String) -> String {
        let parts = argument.split(separator: "$value:", maxSplits: 1).map(\.trimmingBlanks)
        let label = (parts.first ?? "").filter { !"={}|".contains($0) }
        if name == "password" { return "{{$promptSecret \(label.isEmpty ? "Password" : label)}}" }
        let value = parts.count == 2 ? parts[1].filter { !"{}|".contains($0) } : ""
        return "{{$prompt \(label.isEmpty ? "Value" : label)\(value.isEmpty ? "" : " = \(value)")}}"
    }
}
