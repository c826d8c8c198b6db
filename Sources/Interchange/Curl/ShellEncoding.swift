/// How the value of a shell variable is written at its place in a request; the raw value is the name of a function of the script.
///
/// curl has no option that sends the bytes of Sortie: `--data-urlencode` and `--url-query` write a space as `+`, and encode no part of a path.
enum ShellEncoding: String, CaseIterable {
    /// Unchanged.
    case plain
    /// Percent-encoded, in a URL.
    case url = "urlencode"
    /// In a form.
    case form = "formencode"
    /// In a string of JSON.
    case json = "jsonescape"
    /// In XML.
    case xml = "xmlescape"
    /// Between the double quotes of `-F`.
    case part = "partescape"

    /// The expansion of a variable as a part of a word.
    func expansion(of variable: String) -> String { self == .plain ? "\"$\(variable)\"" : "\"$(\(rawValue) \"$\(variable)\")\"" }

    /// The definition of the function; nil for values that are not changed.
    ///
    /// In the C locale, awk reads bytes.
    var definition: String? {
        rule.map { rule in
            #"\#(rawValue)() { LC_ALL=C awk 'BEGIN { for (n = 1; n < 256; n++) { c = sprintf("%c", n); to[c] = \#(rule) } "#
                + #"for (n = 1; n <= length(ARGV[1]); n++) printf "%s", to[substr(ARGV[1], n, 1)] }' "$1"; }"#
        }
    }

    /// An expression of awk for the text in place of the byte `n`, the character `c`.
    private var rule: String? {
        switch self {
        case .plain: nil
        case .url: #"c ~ /[0-9A-Za-z._~-]/ ? c : sprintf("%%%02X", n)"#
        case .form: #"n == 32 ? "+" : c ~ /[0-9A-Za-z._*-]/ ? c : sprintf("%%%02X", n)"#
        case .json:
            #"n == 9 ? "\\t" : n == 10 ? "\\n" : n == 13 ? "\\r" : n < 32 ? sprintf("\\u%04x", n) : n == 34 || n == 92 ? "\\" c : c"#
        case .xml:
            ##"n == 13 ? "&#13;" : n == 34 ? "&quot;" : n == 38 ? "&amp;" : n == 39 ? "&apos;" : n == 60 ? "&lt;" : n == 62 ? "&gt;" : c"##
        case .part: #"n == 34 || n == 92 ? "\\" c : c"#
        }
    }

    /// The encoding of each piece of a text that has this notation; a value outside the quotes of JSON is not changed.
    ///
    /// - Parameter raw: The names of variables that are not changed.
    func encodings(of pieces: [ExportPlaceholder.Piece], raw: Set<String> = []) -> [ShellEncoding] {
        var isInString = false
        return pieces.map { piece in
            switch piece {
            case .text(let text):
                if self == .json { isInString = JSONQuotes.isInString(after: text, from: isInString) }
                return .plain
            case .variable(let name) where raw.contains(name): return .plain
            case .variable, .captured, .generated: return self == .json && !isInString ? .plain : self
            }
        }
    }
}
