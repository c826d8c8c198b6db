internal import SortieBase
internal import SortieHTTP

/// A line with fields such as `{status} {time}`, which a command prints for each result instead of its usual output (`--format`).
struct OutputTemplate {
    private enum Piece: Hashable {
        case text(String)
        case field(String)
    }

    private let pieces: [Piece]

    /// Parses a template.
    ///
    /// `\n`, `\t` and `\\` are a line break, a tab and a backslash; `{{` and `}}` are braces.
    ///
    /// - Parameter fields: The names of the fields that the command has.
    /// - Throws: A usage error for an unknown field and a brace that is not closed.
    init(_ text: String, fields: [String]) throws {
        var pieces: [Piece] = []
        var literal = ""
        var rest = text[...]
        while let character = rest.popFirst() {
            switch character {
            case "\\":
                guard let next = rest.popFirst() else {
                    literal.append("\\")
                    break
                }
                literal += ["n": "\n", "t": "\t", "\\": "\\"][next] ?? "\\\(next)"
            case "{" where rest.first == "{", "}" where rest.first == "}":
                rest.removeFirst()
                literal.append(character)
            case "{":
                guard let end = rest.firstIndex(of: "}") else {
                    throw CommandFailure(.usage, "--format: “{” is not closed", hint: "write {\(fields[0])}; {{ is a brace")
                }
                let name = String(rest[..<end])
                guard fields.contains(name) else {
                    throw CommandFailure(
                        .usage, "--format: there is no field {\(name)}",
                        hint: Suggestion.hint(for: name, in: fields, "the fields are: \(fields.joined(separator: ", "))", write: { "{\($0)}" }))
                }
                rest = rest[rest.index(after: end)...]
                pieces += [.text(literal), .field(name)]
                literal = ""
            default: literal.append(character)
            }
        }
        self.pieces = pieces + [.text(literal)]
    }

    /// The line with the values of the fields; a field without a value is `-`.
    ///
    /// Control characters of values are made visible, so that a value cannot begin a line.
    func line(_ value: (String) -> String?) -> String {
        pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .field(let name): value(name).map { $0.isEmpty ? "-" : VisibleLine.of($0) } ?? "-"
            }
        }.joined() + "\n"
    }

    /// Seconds with milliseconds, such as `0.034`.
    static func seconds(_ seconds: Double) -> String { FixedPoint.text(max(0, seconds), digits: 3) }

    /// Seconds as whole milliseconds.
    static func milliseconds(_ seconds: Double) -> String { String(Int((max(0, seconds) * 1000).rounded())) }
}
