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

    /// What sends requests in another way, for the report; nil for another word.
    private static func other(_ word: String) -> String? {
        let word = word.lowercased()
        if word == "curl.exe" || word == "curl" { return "curl in a script of PowerShell is" }
        let hasClass = ["net.webclient]", "net.http.httpclient]", "net.webrequest]", "net.httpwebrequest]"].contains { word.contains($0) }
        return hasClass || word == "system.net.webclient" || word == "net.webclient" ? "classes of .NET are" : nil
    }

    /// What a script sets for the requests of a session.
    private struct Session {
        var userAgent: String?
        var cookies: [(name: String, value: String, domain: String)] = []
        var headers: [(name: String, value: String)] = []
        /// Whether a cookie or a field is not known.
        var isPartial = false
    }

    var text: ScriptText
    private var sessions: [String: Session] = [:]
    /// The values of variables by their names in lower case.
    var values: [String: JSONValue] = [:]
    var variables: ScriptVariables
    /// The names of variables as the script first writes them, by those in lower case.
    var spellings: [String: String] = [:]
    /// The bytes that the values of variables may still have where they are used, because each can have the one before it twice, or within it.
    var budget = 16 << 20

    init(_ text: String, file: String) {
        self.text = ScriptText(text, file: file)
        variables = ScriptVariables(of: text)
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
                let name = variable()
                do throws(Diagnostic) { try readStatement(of: name) } catch {
                    sessions[name]?.isPartial = true
                    values.removeValue(forKey: name)
                    text.skipLine()
                }
            } else {
                let word = text.take { !$0.properties.isWhitespace && !"();|".unicodeScalars.contains($0) }
                if let other = Self.other(word) {
                    text.skipLine()
                    return .failure(Diagnostic(place, "\(other) not read; write the command as Invoke-WebRequest, or import a curl command alone"))
                }
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
    private mutating func readStatement(of name: String) throws(Diagnostic) {
        if text.take(".UserAgent", ignoringCase: true) {
            skipBlanks()
            guard text.take("=") else { return }
            sessions[name, default: Session()].userAgent = try string()
        } else if text.take(".Headers.Add(", ignoringCase: true) || text.take(".Headers[", ignoringCase: true) {
            sessions[name, default: Session()].isPartial = true
            let key = try string()
            _ = text.take { $0.isSpaceOrTab || "],=".unicodeScalars.contains($0) }
            let value = try string()
            sessions[name]?.headers.append((name: key, value: value))
            sessions[name]?.isPartial = false
            _ = text.take { $0 == ")" }
        } else if text.take(".Cookies.Add(", ignoringCase: true) {
            sessions[name, default: Session()].isPartial = true
            skipBlanks()
            if text.peek() == "$" {
                // A cookie whose parts were set before.
                guard case .object(let members) = try known(variable()) else { return }
                func part(_ name: String) throws(Diagnostic) -> String { try text(of: members.last { $0.key.lowercased() == name }?.value ?? .null) }
                let cookie = (name: try part("name"), value: try part("value"), domain: try part("domain"))
                sessions[name]?.cookies.append(cookie)
                sessions[name]?.isPartial = false
                _ = text.take { $0 == ")" }
                return
            }
            _ = text.take { $0 != "\n" && $0 != "\"" && $0 != "'" }
            var values: [String] = []
            repeat { values.append(try string()) } while text.take(",")
            guard values.count >= 2 else { return }
            sessions[name]?.cookies.append((name: values[0], value: values[1], domain: values.count > 3 ? values[3] : ""))
            sessions[name]?.isPartial = false
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
            setRow(key, try assigned(), of: name)
        } else if text.peek() == ".", case .object? = values[name] {
            text.index += 1
            let key = text.take { ScriptText.isName($0) && $0 != "$" }
            skipBlanks()
            guard !key.isEmpty, text.take("=") else { return }
            setRow(key, try assigned(), of: name)
        } else {
            skipBlanks()
            if text.take("+=") {
                let value = try assigned()
                if let value { add(value, to: name) } else { values.removeValue(forKey: name) }
            } else if text.take("=") {
                values.removeValue(forKey: name)
                values[name] = try assigned()
            }
        }
    }

    /// The value after `=`; nil for one that is not known, whose text remains to be read.
    private mutating func assigned() throws(Diagnostic) -> JSONValue? {
        skipBlanks()
        if takeEmptyTable() { return .object([]) }
        if let secret = try secureString() { return secret }
        if let login = try login() { return login }
        guard let scalar = text.peek(), "\"'@$([".unicodeScalars.contains(scalar) || scalar.properties.numericType != nil else {
            return Optional<JSONValue>.none
        }
        let result = try expression()
        skipBlanks()
        // A conditional expression would make JSON's null of nil.
        if let next = text.peek(), !"\n\r;)}#".unicodeScalars.contains(next) { return Optional<JSONValue>.none }
        return result
    }

    /// Passes the creation of a table without rows, which Postman writes, such as `New-Object "System.Collections.Generic.Dictionary[[String],[String]]"`,
    /// or of a cookie without parts.
    private mutating func takeEmptyTable() -> Bool {
        let start = text.index
        let isCommand = text.take("New-Object ", ignoringCase: true)
        let type = text.take { $0 != "\n" && $0 != ";" }.lowercased()
        let isTable = ["dictionary[", "dictionary\"", "hashtable", "net.cookie"].contains { type.contains($0) }
        if isTable, isCommand ? !type.contains("(") : type.hasPrefix("[") && type.hasSuffix("::new()") { return true }
        text.index = start
        return false
    }

    /// Sets a row of a table, which is not known where its value is not.
    private mutating func setRow(_ key: String, _ value: JSONValue?, of name: String) {
        if let value { add(.object([.init(key, value)]), to: name) } else { values.removeValue(forKey: name) }
    }

    /// Adds the rows of a table or a text to a variable, whose value is unknown where the two cannot be added.
    private mutating func add(_ value: JSONValue, to name: String) {
        switch (values[name], value) {
        case (.object(let members)?, .object(let added)):
            let names = Set(added.map { $0.key.lowercased() })
            values[name] = .object(members.filter { !names.contains($0.key.lowercased()) } + added)
        case (.string(let start)?, .string(let end)): values[name] = .string(start + end)
        default: values.removeValue(forKey: name)
        }
    }

    // MARK: Commands

    /// A command while its parameters are read.
    private struct Call {
        var request: ScriptRequest
        var session = Session()
        var contentType: String?
        var body: JSONValue?
        /// The login, and whether it is sent before the server requests one.
        var login: (user: String, password: String)?
        var sendsLogin = false
    }

    private mutating func request(at place: SourceLocation) throws(Diagnostic) -> ScriptRequest {
        var call = Call(request: ScriptRequest(place: place))
        while true {
            skipBlanks()
            guard let scalar = text.peek(), !"\n;|)}".unicodeScalars.contains(scalar) else { break }
            if scalar == "-", text.peek(1)?.properties.isAlphabetic == true {
                text.index += 1
                let name = text.take { $0.properties.isAlphabetic }
                _ = text.take(":")
                try read(name, nil, of: &call)
            } else if scalar == "@", let next = text.peek(1), ScriptText.isName(next) {
                text.index += 1
                // The rows of a table are parameters.
                guard case .object(let members) = try table(known(text.take(while: ScriptText.isName).lowercased())) else {
                    throw text.problem("the parameters after @ are no @{…} whose values are known")
                }
                for member in members { try read(member.key, member.value, of: &call) }
            } else {
                call.request.url = try text(of: argument())
            }
        }
        var request = call.request
        if let agent = call.session.userAgent, request.field("user-agent") == nil { request.headers.append((name: "User-Agent", value: agent)) }
        for field in call.session.headers where request.field(field.name.lowercased()) == nil { request.headers.append(field) }
        let host = request.url.firstRange(of: "://").map { request.url[$0.upperBound...].prefix { !"/?#:".contains($0) }.lowercased() } ?? ""
        request.cookies = call.session.cookies.filter { cookie in
            let domain = cookie.domain.lowercased().drop { $0 == "." }
            return domain.isEmpty || host == domain || host.hasSuffix("." + domain)
        }.map { (name: $0.name, value: $0.value) }
        if let contentType = call.contentType {
            request.headers.removeAll { $0.name.lowercased() == "content-type" }
            request.headers.append((name: "Content-Type", value: contentType))
        }
        if let body = call.body { try setBody(body, of: &request) }
        if let login = call.login, request.field("authorization") == nil {
            request.headers.append((name: "Authorization", value: "Basic " + variables.base64(of: "\(login.user):\(login.password)", at: place)))
            if !call.sendsLogin { request.notes.append((.changed, "-Credential: the login is sent with Basic, also before the server requests it")) }
        }
        return request
    }

    /// Reads a parameter.
    ///
    /// - Parameter given: The value of a row; nil where it follows, if the parameter has one.
    private mutating func read(_ name: String, _ given: JSONValue?, of call: inout Call) throws(Diagnostic) {
        func value() throws(Diagnostic) -> JSONValue { if let given { given } else { try argument() } }
        func string() throws(Diagnostic) -> String { try text(of: value()) }
        switch name.lowercased() {
        case "usebasicparsing", "disablekeepalive", "authentication", "allowunencryptedauthentication":
            if name.lowercased() == "authentication" { call.sendsLogin = try string().lowercased() == "basic" }
        case "skipcertificatecheck":
            call.request.notes.append((.omitted, ImportReason("-\(name): certificates are verified", .insecure)))
        case "uri": call.request.url = try string()
        case "method", "custommethod": call.request.method = try string().uppercased()
        case "useragent": call.request.headers.append((name: "User-Agent", value: try string()))
        case "token": call.request.headers.append((name: "Authorization", value: "Bearer " + (try string())))
        case "contenttype": call.contentType = try string()
        case "body": call.body = try value()
        case "headers":
            guard case .object(let members) = try table(value()) else { throw text.problem("-Headers is no @{…} whose values are known") }
            call.request.headers += Self.withPseudoFields(try rows(members))
        case "websession":
            guard given == nil else { return }
            skipBlanks()
            call.session = sessions[variable()] ?? Session()
            if call.session.isPartial {
                call.request.notes.append((.omitted, "-WebSession: a cookie or a field of the session whose value is not known"))
            }
        case "sessionvariable", "outfile":
            call.request.notes.append((.omitted, ImportReason("-\(name) \(try string()): only for the program", .output)))
        case "form":
            guard case .object(let members) = try table(value()) else { throw text.problem("-Form is no @{…} whose values are known") }
            call.request.parts = try parts(members, at: call.request.place)
        case "infile": call.request.bodyFile = try string()
        case "maximumredirection": call.request.redirects = Int(try string())
        case "credential":
            if let login = try credential(given) {
                call.login = login
                return
            }
            call.request.notes.append((.omitted, "-Credential: the login is not read; write auth: {basic: {user: NAME, password: …}}"))
        case "timeoutsec": call.request.notes.append((.omitted, ImportReason("", .totalTimeout).about("-TimeoutSec \(try string())")))
        default:
            skipBlanks()
            let hasValue = given != nil || text.peek().map { !"-;|)}".unicodeScalars.contains($0) && !$0.properties.isWhitespace } ?? false
            let value = hasValue ? " " + ForeignText.short(try shownArgument(given)) : ""
            let shown = hasValue && CredentialNames.ends(name) ? " " + HeaderField.mask : value
            call.request.notes.append((.omitted, "-\(name)\(shown): there is no such setting"))
        }
    }

    /// A value, whose content must be known.
    private mutating func table(_ value: JSONValue) throws(Diagnostic) -> JSONValue {
        guard case .string(let name) = value, let entry = variables.name(in: name), !entry.isEnvironment else { return value }
        throw text.problem("the value of \(entry.expression) is not known; write it in its place")
    }

    /// The login of `-Credential`; nil for one that is not known, such as that of `Get-Credential`.
    private mutating func credential(_ given: JSONValue?) throws(Diagnostic) -> (user: String, password: String)? {
        var value = given
        skipBlanks()
        if given == nil, text.peek() == "$" {
            let name = variable()
            value = values[name] == nil ? nil : try known(name)
        } else if given == nil {
            value = try argument()
        }
        guard case .object(let members)? = value, case .string(let user)? = members.first(where: { $0.key == Self.userName })?.value,
            case .string(let password)? = members.first(where: { $0.key == Self.password })?.value
        else { return nil }
        return (user, password)
    }

    /// The value of a parameter for the report, in which a variable need not be known.
    private mutating func shownArgument(_ given: JSONValue?) throws(Diagnostic) -> String {
        if let given { return try text(of: given) }
        skipBlanks()
        guard text.peek() == "$" else { return try text(of: argument()) }
        return "$" + variable()
    }

    /// The parts of `-Form`: texts, lists of them, and files of `Get-Item`.
    private mutating func parts(_ members: [JSONValue.Member], at place: SourceLocation) throws(Diagnostic) -> SourceNode {
        func node(_ content: SourceNode.Content) -> SourceNode { SourceNode(content, line: place.line, column: place.column) }
        var parts: [SourceNode] = []
        for member in members {
            let items = if case .array(let items) = member.value { items } else { [member.value] }
            for item in items {
                let file = if case .object(let file) = item, file.count == 1, file[0].key == Self.file { file[0].value } else { JSONValue?.none }
                let value = SourceNode.Member(file == nil ? "value" : "fileName", node(.string(try text(of: file ?? item))))
                parts.append(node(.object([.init("name", node(.string(member.key))), value])))
            }
        }
        return node(.array(parts))
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
}
