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

    private var text: ScriptText
    private var sessions: [String: Session] = [:]
    private var variables: [String: JSONValue] = [:]
    /// The bytes that the values of variables may still have where they are used, because each can have the one before it twice, or within it.
    private var budget = 16 << 20

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
        } else if text.take(".Add(", ignoringCase: true) {
            let key = try string()
            skipBlanks()
            guard text.take(",") else { return }
            add(.object([.init(key, try value())]), to: name)
            _ = text.take { $0 == ")" }
        } else if text.take("[") {
            let key = try string()
            skipBlanks()
            guard text.take("]") else { return }
            skipBlanks()
            guard text.take("=") else { return }
            add(.object([.init(key, try assigned() ?? .null)]), to: name)
        } else {
            skipBlanks()
            if text.take("+=") {
                let value = try assigned()
                if let value { add(value, to: name) } else { variables.removeValue(forKey: name) }
            } else if text.take("=") {
                variables.removeValue(forKey: name)
                variables[name] = try assigned()
            }
        }
    }

    /// The value after `=`; nil for one that is not known, whose text remains to be read.
    private mutating func assigned() throws(Diagnostic) -> JSONValue? {
        skipBlanks()
        guard let scalar = text.peek(), "\"'@$([".unicodeScalars.contains(scalar) || scalar.properties.numericType != nil else {
            return Optional<JSONValue>.none
        }
        let result = try expression()
        skipBlanks()
        // A conditional expression would make JSON's null of nil.
        if let next = text.peek(), !"\n\r;)}#".unicodeScalars.contains(next) { return Optional<JSONValue>.none }
        return result
    }

    /// Adds the rows of a table or a text to a variable, whose value is unknown where the two cannot be added.
    private mutating func add(_ value: JSONValue, to name: String) {
        switch (variables[name], value) {
        case (.object(let members)?, .object(let added)):
            let names = Set(added.map { $0.key.lowercased() })
            variables[name] = .object(members.filter { !names.contains($0.key.lowercased()) } + added)
        case (.string(let start)?, .string(let end)): variables[name] = .string(start + end)
        default: variables.removeValue(forKey: name)
        }
    }

    // MARK: Commands

    private mutating func request(at place: SourceLocation) throws(Diagnostic) -> ScriptRequest {
        var request = ScriptRequest(place: place)
        var session = Session()
        var contentType: String?
        var body: JSONValue?
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
                guard case .object(let members) = try value() else { throw text.problem("-Headers is no @{…} whose values are known") }
                request.headers += Self.withPseudoFields(try rows(members))
            case "websession":
                skipBlanks()
                session = sessions[variable()] ?? Session()
            case "sessionvariable", "outfile":
                request.notes.append((.omitted, "-\(name) \(try string()): only for the program; use options of sortie send, such as -o FILE"))
            case "form":
                _ = try value()
                request.notes.append((.omitted, "-Form: the parts are not read; write body: {multipart: […]}"))
            case "infile": request.notes.append((.omitted, "-InFile: the body is not read; write body: {file: \(try string())}"))
            case "timeoutsec": request.notes.append((.omitted, "-TimeoutSec: write timeout: {total: \(try string())s}"))
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
        if let body { try setBody(body, of: &request) }
        return request
    }

    /// A table is a form, or the query of a request without a body.
    private mutating func setBody(_ body: JSONValue, of request: inout ScriptRequest) throws(Diagnostic) {
        let isQuery = ["GET", "HEAD"].contains(request.method)
        if case .object(let members) = body {
            let text = ScriptText.encoded(try rows(members), allowed: .unreserved)
            if isQuery {
                request.url += (request.url.contains("?") ? "&" : "?") + text
                return
            }
            request.body = text
        } else {
            request.body = try text(of: body)
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

    /// The value of a variable where it is used.
    ///
    /// - Parameter isInside: Whether it is within a table or a list, whose levels also use the stack.
    private mutating func known(_ name: String, isInside: Bool = false) throws(Diagnostic) -> JSONValue {
        guard let known = variables[name] else { throw text.problem("the value of $\(name) is not known; write it in its place") }
        let size = if case .string(let text) = known { text.utf8.count } else { known.compactText.utf8.count * (isInside ? 16 : 1) }
        guard size <= budget else { throw text.problem("the values of variables are too long together; write that of $\(name) in its place") }
        budget -= size
        return known
    }

    private mutating func string() throws(Diagnostic) -> String { try text(of: value()) }

    /// The text of a value as PowerShell writes it.
    private mutating func text(of value: JSONValue) throws(Diagnostic) -> String {
        switch value {
        case .string(let text), .number(let text): return text
        case .bool(let isTrue): return isTrue ? "True" : "False"
        case .null: return ""
        case .array, .object: throw text.problem("a text is expected here, not a table")
        }
    }

    private mutating func rows(_ members: [JSONValue.Member]) throws(Diagnostic) -> [(name: String, value: String)] {
        var rows: [(name: String, value: String)] = []
        for member in members { rows.append((name: member.key, value: try text(of: member.value))) }
        return rows
    }

    /// A value, texts that `+` joins, or the JSON that `ConvertTo-Json` makes of a value.
    private mutating func expression(depth: Int = 0) throws(Diagnostic) -> JSONValue {
        var result = try value(depth: depth)
        while true {
            skipBlanks()
            if text.take("+") {
                let start = try text(of: result)
                result = .string(start + (try text(of: value(depth: depth))))
            } else if takeConversion() {
                result = .string(result.compactText)
            } else {
                return result
            }
        }
    }

    /// Passes `| ConvertTo-Json` with its options; false where something else follows.
    private mutating func takeConversion() -> Bool {
        let start = text.index
        guard text.take("|") else { return false }
        skipBlanks()
        guard text.take("ConvertTo-Json", ignoringCase: true) else {
            text.index = start
            return false
        }
        skipBlanks()
        while text.peek() == "-" {
            _ = text.take { !$0.properties.isWhitespace && !";|(){}".unicodeScalars.contains($0) }
            skipBlanks()
            _ = text.take { $0.properties.numericType != nil }
            skipBlanks()
        }
        return true
    }

    private mutating func value(depth: Int = 0, isElement: Bool = false) throws(Diagnostic) -> JSONValue {
        skipBlanks()
        guard depth < JSONValue.depthLimit else { throw text.problem("the value is nested too deeply") }
        guard let scalar = text.peek() else { throw text.problem("the command ends before its value") }
        switch scalar {
        case "\"": return .string(try expandable())
        case "'": return .string(try literal())
        case "@":
            if text.follows("@{") { return .object(try table(depth: depth + 1)) }
            if text.follows("@(") { return .array(try list(depth: depth + 1)) }
            return .string(try lines())
        case "(":
            text.index += 1
            skipBlanks()
            // The conversion of a text to bytes, which browsers write for other characters than those of ASCII.
            let isBytes = text.take("[System.Text.Encoding]::UTF8.GetBytes(", ignoringCase: true)
            let result = try expression(depth: depth + 1)
            skipBlanks()
            guard text.take(")"), !isBytes || text.take(")") else { throw text.problem("expressions are not evaluated; write the value as a text") }
            return result
        case "[":
            // A type, as in `[ordered]@{…}`.
            _ = text.take { $0 != "]" && $0 != "\n" }
            guard text.take("]"), let next = text.peek(), "@\"'".unicodeScalars.contains(next) else {
                throw text.problem("expressions are not evaluated; write the value as a text")
            }
            return try value(depth: depth + 1)
        case "$":
            let name = variable()
            switch name {
            case "true", "false": return .bool(name == "true")
            case "null": return .null
            default: break
            }
            return try known(name, isInside: depth > 0)
        default:
            let word = text.take { !$0.properties.isWhitespace && !";|(){}".unicodeScalars.contains($0) && !(isElement && $0 == ",") }
            guard !word.isEmpty else { throw text.problem("a value is expected here") }
            return Self.isNumber(word) ? .number(word) : .string(word)
        }
    }

    /// Whether a word is a number in the notation of JSON.
    private static func isNumber(_ word: String) -> Bool {
        let digits = word.drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
        guard word.filter({ $0 == "-" }).count <= 1, digits.count <= 2, let whole = digits.first else { return false }
        return digits.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } } && (whole == "0" || whole.first != "0")
    }

    /// `@(value, …)`.
    private mutating func list(depth: Int) throws(Diagnostic) -> [JSONValue] {
        var items: [JSONValue] = []
        text.index += 2
        while true {
            _ = text.take { $0.properties.isWhitespace || $0 == "," }
            if text.take(")") { return items }
            guard !text.isAtEnd else { throw text.problem("the list is not closed; write ) after it") }
            items.append(try value(depth: depth, isElement: true))
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
            if scalar == "\"" {
                text.index += 1
                if !text.take("\"") { return String(decoding: units, as: UTF16.self) }
                units.append(0x22)
            } else {
                units += try character()
            }
        }
        throw text.problem("the text is not closed; write \" after it")
    }

    /// The next character of a text with expansions, or what it stands for.
    private mutating func character() throws(Diagnostic) -> [UInt16] {
        guard let scalar = text.peek() else { return [] }
        if scalar == "$" { return try expansion() }
        text.index += 1
        guard scalar == "`", let escape = text.peek() else { return Array(String(scalar).utf16) }
        text.index += 1
        switch escape {
        case "n": return [0x0a]
        case "r": return [0x0d]
        case "t": return [0x09]
        case "0": return [0]
        default: return Array(String(escape).utf16)
        }
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
        return Array(try text(of: known(name)).utf16)
    }

    /// `@{ "name" = "value"; … }`.
    private mutating func table(depth: Int) throws(Diagnostic) -> [JSONValue.Member] {
        var rows: [JSONValue.Member] = []
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
            rows.append(.init(name, try value(depth: depth)))
        }
    }

    /// `@"` or `@'`, lines, and the quote with `@`.
    private mutating func lines() throws(Diagnostic) -> String {
        guard let quote = text.peek(1), quote == "\"" || quote == "'", text.peek(2) == "\n" else { throw text.problem("a value is expected here") }
        text.index += 3
        var units: [UInt16] = []
        while let scalar = text.peek(), !text.follows("\n\(quote)@") {
            if quote == "\"" {
                units += try character()
            } else {
                units += Array(String(scalar).utf16)
                text.index += 1
            }
        }
        guard text.take("\n\(quote)@") else { throw text.problem("the text is not closed; write \(quote)@ alone on the line after it") }
        return String(decoding: units, as: UTF16.self)
    }
}
