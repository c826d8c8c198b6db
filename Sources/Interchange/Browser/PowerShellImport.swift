package import SortieBase
internal import SortieHTTP

/// Imports `Invoke-WebRequest` and `Invoke-RestMethod` of PowerShell, as browsers copy them.
package enum PowerShellImport: ImportFormat {
    package static let name = "powershell"
    package static let title = "“Copy as PowerShell” of browsers"
    package static let endings = [".ps1"]

    package static func recognizes(_ source: ImportSource) -> Bool {
        source.hasLine { line in
            line.split { $0.isWhitespace || "=(;|".contains($0) }.prefix(3).contains { PowerShellReader.commands.contains($0.lowercased()) }
        }
    }

    package static func workspace(from source: ImportSource) throws(Diagnostic) -> ImportedWorkspace {
        try PowerShellReader.workspace(from: source, item: "PowerShell", request: "Invoke-WebRequest")
    }
}

/// Reads commands of PowerShell with literal values, sessions and variables.
struct PowerShellReader: ScriptReader {
    /// The names of the commands, in lower case.
    static let commands: Set<String> = ["invoke-webrequest", "invoke-restmethod", "iwr", "irm"]

    /// What a script sets for the requests of a session.
    private struct Session {
        var userAgent: String?
        var cookies: [(name: String, value: String, domain: String)] = []
    }

    private enum Value {
        case text(String)
        case table([(name: String, value: String)])
    }

    private var text: ScriptText
    private var sessions: [String: Session] = [:]
    private var variables: [String: Value] = [:]

    init(_ text: String, file: String) {
        self.text = ScriptText(text, file: file)
    }

    /// The next command; nil at the end.
    mutating func next() -> Result<ScriptRequest, Diagnostic>? {
        while true {
            _ = text.take { $0.properties.isWhitespace || ";|(".unicodeScalars.contains($0) }
            guard let scalar = text.peek() else { return nil }
            let place = text.place(at: text.index)
            if scalar == "#" {
                text.skipLine()
            } else if scalar == "$" {
                do throws(Diagnostic) { try readStatement() } catch { text.skipLine() }
            } else {
                let word = text.take { !$0.properties.isWhitespace && !"();|".unicodeScalars.contains($0) }
                guard Self.commands.contains(word.lowercased()) else {
                    // The command may be the value of a variable.
                    if word.isEmpty { text.index += 1 }
                    continue
                }
                do throws(Diagnostic) { return .success(try request(at: place)) } catch {
                    text.skipLine()
                    return .failure(error)
                }
            }
        }
    }

    /// `$session.UserAgent = …`, `$session.Cookies.Add(…)` or `$name = …`; what follows another statement is read as further ones.
    private mutating func readStatement() throws(Diagnostic) {
        let name = variable()
        if text.take(".UserAgent", ignoringCase: true) {
            skipBlanks()
            guard text.take("=") else { return }
            sessions[name, default: Session()].userAgent = try string()
        } else if text.take(".Cookies.Add(", ignoringCase: true) {
            _ = text.take { $0 != "\n" && $0 != "\"" && $0 != "'" }
            var values: [String] = []
            repeat { values.append(try string()) } while text.take(",")
            guard values.count >= 2 else { return }
            sessions[name, default: Session()].cookies.append((name: values[0], value: values[1], domain: values.count > 3 ? values[3] : ""))
            _ = text.take { $0 == ")" }
        } else {
            skipBlanks()
            guard text.take("=") else { return }
            skipBlanks()
            guard let scalar = text.peek(), "\"'@".unicodeScalars.contains(scalar) else { return }
            variables[name] = try value()
        }
    }

    // MARK: Commands

    private mutating func request(at place: SourceLocation) throws(Diagnostic) -> ScriptRequest {
        var request = ScriptRequest(place: place)
        var session = Session()
        var contentType: String?
        var body: Value?
        while true {
            skipBlanks()
            guard let scalar = text.peek(), !"\n;|)}".unicodeScalars.contains(scalar) else { break }
            let isName = scalar == "-" && text.peek(1)?.properties.isAlphabetic == true
            guard isName else {
                request.url = try string()
                continue
            }
            text.index += 1
            let name = text.take { $0.properties.isAlphabetic }
            _ = text.take(":")
            switch name.lowercased() {
            case "usebasicparsing", "disablekeepalive": break
            case "skipcertificatecheck":
                request.notes.append((.omitted, "-\(name): certificates are verified; write trust: {insecure: true} into service.yaml"))
            case "uri": request.url = try string()
            case "method", "custommethod": request.method = try string().uppercased()
            case "useragent": request.headers.append((name: "User-Agent", value: try string()))
            case "contenttype": contentType = try string()
            case "body": body = try value()
            case "headers":
                guard case .table(let rows) = try value() else { throw text.problem("-Headers is no @{…} whose values are known") }
                request.headers += Self.withPseudoFields(rows)
            case "websession":
                skipBlanks()
                session = sessions[variable()] ?? Session()
            case "sessionvariable", "outfile":
                request.notes.append((.omitted, "-\(name) \(try string()): only for the program; use options of sortie send, such as -o FILE"))
            default:
                skipBlanks()
                let hasValue = text.peek().map { !"-;|)}".unicodeScalars.contains($0) && !$0.properties.isWhitespace } ?? false
                let value = hasValue ? " " + ForeignText.short(try string()) : ""
                let shown = hasValue && CredentialNames.ends(name) ? " " + HeaderField.mask : value
                request.notes.append((.omitted, "-\(name)\(shown): there is no such setting"))
            }
        }
        if let agent = session.userAgent, request.field("user-agent") == nil { request.headers.append((name: "User-Agent", value: agent)) }
        let host = request.url.firstRange(of: "://").map { request.url[$0.upperBound...].prefix { !"/?#:".contains($0) }.lowercased() } ?? ""
        request.cookies = session.cookies.filter { cookie in
            let domain = cookie.domain.lowercased().drop { $0 == "." }
            return domain.isEmpty || host == domain || host.hasSuffix("." + domain)
        }.map { (name: $0.name, value: $0.value) }
        if let contentType {
            request.headers.removeAll { $0.name.lowercased() == "content-type" }
            request.headers.append((name: "Content-Type", value: contentType))
        }
        if let body { setBody(body, of: &request) }
        return request
    }

    /// A table is a form, or the query of a request without a body.
    private func setBody(_ body: Value, of request: inout ScriptRequest) {
        let isQuery = ["GET", "HEAD"].contains(request.method)
        switch body {
        case .text(let text): request.body = text
        case .table(let rows):
            let text = ScriptText.encoded(rows, allowed: .unreserved)
            if isQuery {
                request.url += (request.url.contains("?") ? "&" : "?") + text
                return
            }
            request.body = text
        }
        if !isQuery, request.field("content-type") == nil {
            request.headers.append((name: "Content-Type", value: "application/x-www-form-urlencoded"))
        }
    }

    /// The fields, in which browsers write the pseudo-header fields of HTTP/2 without their colon.
    private static func withPseudoFields(_ rows: [(name: String, value: String)]) -> [(name: String, value: String)] {
        let pseudo: Set = ["authority", "method", "path", "scheme"]
        guard pseudo.isSubset(of: Set(rows.map { $0.name.lowercased() })) else { return rows }
        return rows.map { pseudo.contains($0.name.lowercased()) ? (name: ":" + $0.name.lowercased(), value: $0.value) : $0 }
    }

    // MARK: Values

    /// Passes blanks and the ends of lines after a backtick.
    private mutating func skipBlanks() {
        while let scalar = text.peek() {
            if scalar == " " || scalar == "\t" {
                text.index += 1
            } else if scalar == "`", text.peek(1) == "\n" {
                text.index += 2
            } else {
                return
            }
        }
    }

    /// The name of a variable at its `$`, in lower case.
    private mutating func variable() -> String {
        guard text.take("$") else { return "" }
        let isBraced = text.take("{")
        let name = text.take { ScriptText.isName($0) && $0 != "$" || $0 == ":" }
        if isBraced { _ = text.take("}") }
        return name.lowercased()
    }

    private mutating func string() throws(Diagnostic) -> String {
        guard case .text(let result) = try value() else { throw text.problem("a text is expected here, not a table") }
        return result
    }

    private mutating func value() throws(Diagnostic) -> Value {
        skipBlanks()
        guard let scalar = text.peek() else { throw text.problem("the command ends before its value") }
        switch scalar {
        case "\"": return .text(try expandable())
        case "'": return .text(try literal())
        case "@":
            if text.follows("@{") { return .table(try table()) }
            return .text(try lines())
        case "(":
            // Only the conversion of a text to bytes, which browsers write for other characters than those of ASCII.
            text.index += 1
            skipBlanks()
            guard text.take("[System.Text.Encoding]::UTF8.GetBytes(", ignoringCase: true) else {
                throw text.problem("expressions are not evaluated; write the value as a text")
            }
            let result = try string()
            skipBlanks()
            guard text.take(")"), text.take(")") else { throw text.problem("“))” is expected here") }
            return .text(result)
        case "$":
            let name = variable()
            guard let known = variables[name] else { throw text.problem("the value of $\(name) is not known; write it in its place") }
            return known
        default:
            let word = text.take { !$0.properties.isWhitespace && !";|(){}".unicodeScalars.contains($0) }
            guard !word.isEmpty else { throw text.problem("a value is expected here") }
            return .text(word)
        }
    }

    private mutating func literal() throws(Diagnostic) -> String {
        text.index += 1
        var result = ""
        while let scalar = text.peek() {
            text.index += 1
            if scalar == "'", !text.take("'") { return result }
            result.unicodeScalars.append(scalar)
        }
        throw text.problem("the text is not closed; write ' after it")
    }

    /// A text in double quotes, with backticks, `$([char]NUMBER)` and variables.
    private mutating func expandable() throws(Diagnostic) -> String {
        text.index += 1
        var units: [UInt16] = []
        while let scalar = text.peek() {
            switch scalar {
            case "\"":
                text.index += 1
                if !text.take("\"") { return String(decoding: units, as: UTF16.self) }
                units.append(0x22)
            case "`":
                text.index += 1
                guard let escape = text.peek() else { break }
                text.index += 1
                switch escape {
                case "n": units.append(0x0a)
                case "r": units.append(0x0d)
                case "t": units.append(0x09)
                case "0": units.append(0)
                default: units += Array(String(escape).utf16)
                }
            case "$": units += try expansion()
            default:
                text.index += 1
                units += Array(String(scalar).utf16)
            }
        }
        throw text.problem("the text is not closed; write \" after it")
    }

    private mutating func expansion() throws(Diagnostic) -> [UInt16] {
        if text.take("$([char]", ignoringCase: true) {
            let digits = text.take { $0 != ")" && $0 != "\"" }
            guard text.take(")"), let unit = digits.hasPrefix("0x") ? UInt16(digits.dropFirst(2), radix: 16) : UInt16(digits) else {
                throw text.problem("this is not the number of a character")
            }
            return [unit]
        }
        guard let next = text.peek(1), ScriptText.isName(next) && next != "$" || next == "{" || next == "(" else {
            text.index += 1
            return [0x24]
        }
        let name = variable()
        guard case .text(let known)? = variables[name] else { throw text.problem("the value of $\(name) is not known; write it in its place") }
        return Array(known.utf16)
    }

    /// `@{ "name" = "value"; … }`.
    private mutating func table() throws(Diagnostic) -> [(name: String, value: String)] {
        var rows: [(name: String, value: String)] = []
        text.index += 2
        while true {
            _ = text.take { $0.properties.isWhitespace || $0 == ";" }
            if text.take("}") { return rows }
            guard let scalar = text.peek() else { throw text.problem("the table is not closed; write } after it") }
            let name =
                switch scalar {
                case "\"": try expandable()
                case "'": try literal()
                default: text.take { !$0.properties.isWhitespace && !"=;{}".unicodeScalars.contains($0) }
                }
            skipBlanks()
            guard text.take("=") else { throw text.problem("“=” is expected here") }
            rows.append((name: name, value: try string()))
        }
    }

    /// `@"` or `@'`, lines, and the quote with `@`.
    private mutating func lines() throws(Diagnostic) -> String {
        guard let quote = text.peek(1), quote == "\"" || quote == "'", text.peek(2) == "\n" else { throw text.problem("a value is expected here") }
        text.index += 3
        let start = text.index
        while !text.isAtEnd, !text.follows("\n\(quote)@") { text.index += 1 }
        let content = String(String.UnicodeScalarView(text.scalars[start..<text.index]))
        guard text.take("\n\(quote)@") else { throw text.problem("the text is not closed; write \(quote)@ on a line of its own after it") }
        guard quote == "'" || !content.contains("$") && !content.contains("`") else {
            throw text.problem("expressions in a text are not evaluated; write the value between @' and '@")
        }
        return content
    }
}
