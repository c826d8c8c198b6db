internal import SortieBase
internal import WorkspaceModel

/// Translates the variables of Postman.
struct PostmanTemplate {
    /// The variables that stand for dynamic variables without an equal, with a fixed value.
    private(set) var samples: [String: String] = [:]
    /// The variables whose names have a variable in them, such as `{{host_{{stage}}}}`, which are text in a workspace.
    private(set) var nested: Set<String> = []

    private static let builtins = [
        "guid": "{{$uuid}}", "randomUUID": "{{$uuid}}", "timestamp": "{{$timestamp}}", "isoTimestamp": "{{$date}}", "randomInt": "{{$random 1001}}",
    ]

    /// Fixed values that are valid without quotes in JSON.
    private static let values = [
        "randomBoolean": "true", "randomPrice": "1", "randomLatitude": "1", "randomLongitude": "1", "randomBankAccount": "12345678",
        "randomEmail": "user@example.com", "randomExampleEmail": "user@example.com", "randomUrl": "https://example.com", "randomIP": "192.0.2.1",
        "randomDomainName": "example.com", "randomDateRecent": "2026-01-01", "randomDatePast": "2026-01-01", "randomDateFuture": "2030-01-01",
    ]

    /// A piece of a text.
    enum Piece {
        case text(String)
        /// The name between the braces, as it is written.
        case variable(String)
    }

    /// The pieces of a text in the notation of Postman, where a name has no braces.
    static func pieces(of source: String) -> [Piece] {
        var pieces: [Piece] = []
        var plain = ""
        var rest = source[...]
        while let open = rest.firstRange(of: "{{") {
            plain += rest[..<open.lowerBound]
            let inner = rest[open.upperBound...].prefix { $0 != "{" && $0 != "}" }
            if !inner.isEmpty, rest[inner.endIndex...].hasPrefix("}}") {
                if !plain.isEmpty { pieces.append(.text(plain)) }
                plain = ""
                pieces.append(.variable(String(inner)))
                rest = rest[inner.endIndex...].dropFirst(2)
            } else {
                plain.append("{")
                rest = rest[open.lowerBound...].dropFirst()
            }
        }
        plain += rest
        return plain.isEmpty ? pieces : pieces + [.text(plain)]
    }

    /// The text in the notation of workspaces.
    mutating func text(_ source: String) -> String {
        guard source.contains("{{") else { return source }
        var result = ""
        let pieces = Self.pieces(of: source)
        for (index, piece) in pieces.enumerated() {
            if let name = Self.nestedName(pieces[index...]) { nested.insert(name) }
            switch piece {
            case .text(let text): result += Template.quoting(text)
            case .variable(let inner):
                let name = inner.trimmingBlanks
                guard name.hasPrefix("$") else {
                    result += name.isEmpty ? Template.quoting("{{") + inner + "}}" : "{{\(name)}}"
                    continue
                }
                let dynamic = String(name.dropFirst())
                if let builtin = Self.builtins[dynamic] {
                    result += builtin
                } else {
                    samples[dynamic] = Self.values[dynamic] ?? dynamic
                    result += "{{\(dynamic)}}"
                }
            }
        }
        return result
    }

    /// The variable that begins at the end of a text and has the variable after it in its name; nil for other pieces.
    private static func nestedName(_ pieces: ArraySlice<Piece>) -> String? {
        guard pieces.count > 2, case .text(let start) = pieces[pieces.startIndex], case .variable(let inner) = pieces[pieces.startIndex + 1],
            case .text(let end) = pieces[pieces.startIndex + 2], let open = start.ranges(of: "{{").last?.lowerBound,
            !start[open...].contains("}"), let close = end.firstRange(of: "}}")?.upperBound, !end[..<close].contains("{")
        else { return nil }
        return start[open...] + "{{\(inner)}}" + end[..<close]
    }
}
