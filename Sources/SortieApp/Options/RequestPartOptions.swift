internal import ArgumentParser
internal import Foundation
internal import Interchange
internal import SortieBase
internal import SortieNetworking
internal import SortieStorage
internal import WorkspaceModel

/// The content of a request: the options of `send` that change an endpoint or create one.
struct RequestPartOptions: ParsableArguments {
    @Option(
        name: [.customShort("X"), .long], help: "The method; by default POST with a body, else GET. upload uses PUT for a URL.",
        completion: .list(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]))
    var method: String?

    @Option(
        name: [.customShort("H"), .customLong("header")],
        help: ArgumentHelp(
            "A header field; 'Name:' removes one; @file has one on each line, @- reads them from standard input.", valueName: "name: value|@file"))
    var headers: [String] = []

    @Option(name: [.customShort("q"), .customLong("query")], help: ArgumentHelp("A query parameter.", valueName: "name=value"))
    var query: [String] = []

    @Option(
        name: [.customShort("d"), .customLong("data")],
        help: ArgumentHelp(
            "A body: a text, in which templates are replaced, or a file, which is sent unchanged; several texts are joined with &. @- is standard input.",
            valueName: "text|@file"))
    var data: [String] = []

    @Option(name: .customLong("json-body"), help: ArgumentHelp("A JSON body.", valueName: "text|@file"))
    var jsonBody: [String] = []

    @Option(name: .customLong("form"), help: ArgumentHelp("A field of a form body.", valueName: "name=value"))
    var form: [String] = []

    @Option(
        name: [.customShort("F"), .customLong("multipart")],
        help: ArgumentHelp("A part of a multipart body.", valueName: "name=value|name=@file|name=<file[;type=…][;filename=…]"))
    var multipart: [String] = []

    @Option(
        name: [.customShort("u"), .customLong("user")],
        help: ArgumentHelp(
            "Credentials for Basic, or for --digest, --ntlm and --anyauth. With a name alone, the password is read from the terminal; @file and @- (standard "
                + "input) contain both. Every user of this machine can see a password on the command line.", valueName: "name[:password]|@file"))
    var user: String?

    @Option(
        name: .customLong("bearer"),
        help: ArgumentHelp(
            "A bearer token; @file and @- (standard input) keep it out of the list of processes, which every user of this machine can see. @@ stands for "
                + "a first @.", valueName: "token|@file"))
    var bearer: String?

    @Flag(name: .customLong("digest"), help: "Use the credentials of -u for Digest.")
    var digest = false

    @Flag(name: .customLong("ntlm"), help: "Use the credentials of -u for NTLM; the name may have a domain, as in 'DOMAIN\\user'.")
    var ntlm = false

    @Flag(name: .customLong("anyauth"), help: "Use the credentials of -u for Digest, NTLM or Basic, whichever the server offers.")
    var anyAuth = false

    @Flag(name: .customLong("negotiate"), help: "Send the Kerberos ticket of kinit (Negotiate).")
    var negotiate = false

    @Flag(help: "Use the credentials for the host from ~/.netrc if no others are given.")
    var netrc = false

    @Option(
        name: .customLong("netrc-file"), help: ArgumentHelp("Like --netrc, with this file instead of ~/.netrc.", valueName: "file"),
        completion: .file())
    var netrcFile: String?

    @Option(
        help: ArgumentHelp(
            "The plugins of this request: names in addition to those of the service, only and names in place of them, or none.", valueName: "names"))
    var plugins: String?

    /// Replaces the plugins of the endpoint by the option.
    func applyPlugins(to endpoint: inout Endpoint, of workspace: Workspace) throws {
        guard let plugins else { return }
        guard let service = workspace.service(endpoint.serviceName) else {
            throw CommandFailure(.usage, "--plugins: a URL has no plugins", hint: "name an endpoint of a workspace")
        }
        let known = (endpoint.pluginUse?.own ?? []) + workspace.plugins(of: service).map(\.kind)
        do { endpoint.pluginUse = try Endpoint.PluginUse(text: plugins, known: known) } catch {
            throw CommandFailure(.usage, "--plugins: \(error.message)")
        }
    }

    /// The number of options of different kinds that give a body.
    private var givenBodies: Int { [!data.isEmpty, !jsonBody.isEmpty, !form.isEmpty, !multipart.isEmpty].count { $0 } }

    /// Whether an option gives the body.
    var hasBody: Bool { givenBodies > 0 }

    /// Replaces settings of the endpoint by the options.
    func apply(to endpoint: inout Endpoint, hiding redaction: LiveRedaction, _ locations: LocationOptions, in program: ProgramContext) throws {
        try applyBody(to: &endpoint, in: program)
        if let method {
            guard let valid = HTTPMethod(method) else {
                throw CommandFailure(
                    .usage, name: "invalidMethod", "“\(method)” is not a method", hint: "a method is a word like GET")
            }
            endpoint.method = valid
        }
        try applyHeaders(to: &endpoint, locations, in: program)
        let given = try query.map { try NamedValue($0, option: "-q") }
        // Options replace the parameters of the same name; several options of one name are all sent.
        endpoint.query.removeAll { row in given.contains { $0.name == row.name } }
        endpoint.removeQueryItems(named: Set(given.map(\.name)))
        endpoint.query += given.map { Parameter($0.name, $0.value) }
        try applyAuth(to: &endpoint, hiding: redaction, locations, in: program)
    }

    /// Options replace the fields of the same name; several options of one name are all sent.
    private func applyHeaders(to endpoint: inout Endpoint, _ locations: LocationOptions, in program: ProgramContext) throws {
        let (fields, removed) = try HeaderOption.read(headers, locations, in: program)
        let named = Set(fields.map { $0.name.lowercased() } + removed.map { $0.lowercased() })
        endpoint.headers.removeAll { named.contains($0.name.lowercased()) }
        endpoint.headers += fields.map { Parameter($0.name, $0.value) }
        if !removed.isEmpty { endpoint.removedHeaders = (endpoint.removedHeaders ?? []) + removed }
    }

    private func applyBody(to endpoint: inout Endpoint, in program: ProgramContext) throws {
        let given = givenBodies
        guard given <= 1 else {
            throw CommandFailure(.usage, "a request has one body: give only one of -d, --json-body, --form and -F")
        }
        guard given == 1 else { return }
        guard jsonBody.count < 2 else { throw CommandFailure(.usage, "a request has one body: give only one --json-body") }
        guard data.count < 2 || !data.contains(where: { $0.hasPrefix("@") }) else {
            throw CommandFailure(
                .usage, "a request has one body: -d @FILE is given beside another -d", hint: "write all data into one file, or give it as texts")
        }
        if let first = data.first {
            let type = "application/x-www-form-urlencoded"
            endpoint.body =
                first.hasPrefix("@")
                ? .file(path: try absolute(first.dropFirst(), in: program), contentType: type) : .text(data.joined(separator: "&"), contentType: type)
        } else if let jsonBody = jsonBody.first {
            if jsonBody.hasPrefix("@") {
                endpoint.body = .file(path: try absolute(jsonBody.dropFirst(), in: program), contentType: "application/json")
            } else {
                try requireJSON(jsonBody)
                endpoint.body = .json(jsonBody)
            }
        } else if !form.isEmpty {
            endpoint.body = .form(try form.map { try NamedValue($0, option: "--form") }.map { Parameter($0.name, $0.value) })
        } else {
            let parts = try multipart.map { try part($0, in: program) }
            try requireReadOnce(parts.filter(\.isFile).map(\.value), in: program)
            endpoint.body = .multipart(parts)
        }
        if endpoint.method == .get { endpoint.method = .post }
    }

    /// Reports a text that is not JSON as a mistake of the option, and not of the endpoint's file; one with templates is checked when it is resolved.
    private func requireJSON(_ text: String) throws {
        guard Template(text).isPlain, !text.isEmpty else { return }
        do throws(BodyProblem) { _ = try JSONValue(parsing: text) } catch {
            throw CommandFailure(.usage, "--json-body is \(error.ofJSON())", hint: "-d sends any text")
        }
    }

    /// Refuses standard input or a pipe in two parts: it delivers its bytes once, so the second part would be empty, or wait for ever.
    private func requireReadOnce(_ files: [String], in program: ProgramContext) throws {
        for (index, file) in files.enumerated() where files[..<index].contains(file) {
            guard file == Request.standardInput || OutputFile.isStream(file, program.folders) else { continue }
            let name = file == Request.standardInput ? "standard input" : "the pipe \(file)"
            throw CommandFailure(.usage, "two parts of -F read \(name)", hint: "write its bytes into a file, and name that in both")
        }
    }

    private func part(_ text: String, in program: ProgramContext) throws -> BodyTemplate.Part {
        let part = try MultipartOption(text)
        return switch part.content {
        case .text(let value): .init(name: part.name, value: value, fileName: part.fileName, contentType: part.contentType)
        case .upload(let path):
            try .init(
                name: part.name, value: absolute(path, in: program), isFile: true, fileName: part.fileName ?? (path == "-" ? path : nil),
                contentType: part.contentType)
        case .contents(let path):
            // Without a file name, the part is a plain field.
            try .init(name: part.name, value: absolute(path, in: program), isFile: true, fileName: part.fileName ?? "", contentType: part.contentType)
        }
    }

    private func applyAuth(to endpoint: inout Endpoint, hiding redaction: LiveRedaction, _ locations: LocationOptions, in program: ProgramContext)
        throws
    {
        if user != nil, bearer != nil { throw CommandFailure(.usage, "give only one of -u and --bearer") }
        if let bearer {
            switch try SecretArgument.source(bearer, option: "--bearer", locations, in: program) {
            case .literal(let token): endpoint.auth = .bearer(token: token)
            case .content(let token):
                redaction.hide(token)
                endpoint.auth = .bearer(token: Template.quoting(token))
            }
        }
        if [digest, ntlm, anyAuth].filter(\.self).count > 1 { throw CommandFailure(.usage, "give only one of --digest, --ntlm and --anyauth") }
        if negotiate {
            guard user == nil, bearer == nil, loginScheme == nil else {
                throw CommandFailure(
                    .usage, "--negotiate sends the Kerberos ticket of kinit and takes no other credentials",
                    hint: "remove them, or remove --negotiate")
            }
            endpoint.auth = .negotiate
            return
        }
        guard let user else {
            guard let scheme = loginScheme, endpoint.auth.scheme != scheme, !usesNetrc else { return }
            guard let login = Self.login(inURL: endpoint.path) else {
                throw CommandFailure(.usage, "--\(scheme == "any" ? "anyauth" : scheme) needs credentials", hint: "add -u NAME:PASSWORD")
            }
            endpoint.auth = auth(user: login.user, password: login.password)
            return
        }
        let (name, password) = try login(user, hiding: redaction, locations, in: program)
        endpoint.auth = auth(user: name, password: password)
    }

    /// The scheme for which credentials are requested; nil for Basic.
    private var loginScheme: String? { digest ? "digest" : ntlm ? "ntlm" : anyAuth ? "any" : nil }

    private func auth(user: String, password: String) -> Auth {
        if ntlm || anyAuth { return .ntlm(NTLMCredential(user: user, password: password, permitsOthers: anyAuth)) }
        return digest ? .digest(user: user, password: password) : .basic(user: user, password: password)
    }

    /// The name and the password of `-u`, as templates; prompts for a password that is not on the command line.
    private func login(_ user: String, hiding redaction: LiveRedaction, _ locations: LocationOptions, in program: ProgramContext) throws -> (
        name: String, password: String
    ) {
        var text = user
        var isContent = false
        switch try SecretArgument.source(user, option: "-u", locations, in: program) {
        case .literal(let literal): text = literal
        case .content(let content): (text, isContent) = (content, true)
        }
        let colon = text.firstIndex(of: ":")
        let name = String(text[..<(colon ?? text.endIndex)])
        var password = colon.map { String(text[text.index(after: $0)...]) } ?? ""
        if colon == nil {
            guard !isContent else {
                throw CommandFailure(.file, name: "fileUnreadable", "-u \(user): there is no “:”", hint: "the file must contain NAME:PASSWORD")
            }
            guard let typed = TerminalPassphrase.password(for: name, in: program) else {
                throw CommandFailure(
                    .usage, "-u \(name) has no password, and there is no terminal to ask for it",
                    hint: "give -u @FILE with NAME:PASSWORD in the file, @- for standard input, or '\(name):' for an empty password")
            }
            password = Template.quoting(typed)
            redaction.hide(typed)
            return (name, password)
        }
        guard isContent else { return (name, password) }
        redaction.hide(password)
        return (Template.quoting(name), Template.quoting(password))
    }

    // MARK: netrc

    private var usesNetrc: Bool { netrc || netrcFile != nil }

    /// Adds the credentials of the request's host from a netrc file to a request without credentials.
    ///
    /// They apply only to the host of the request; a redirect to another origin removes them like other credentials.
    ///
    /// - Returns: Whether the request has credentials of the file.
    func applyNetrc(
        to request: inout Request, of workspace: Workspace, hiding redaction: LiveRedaction, _ locations: LocationOptions, in program: ProgramContext
    ) throws -> Bool {
        // A user in the URL without a password selects the credentials of the file, as for curl.
        let user = request.url.credentials.flatMap { $0.password.isEmpty ? $0.user : nil }
        let incomplete = user.map { BasicCredentials.field(user: $0, password: "") }
        guard usesNetrc, request.headers["Authorization"] == incomplete, request.options.credential == .inherit else { return false }
        let hasToken = workspace.service(request.service ?? "").map { service in
            let plugins = request.origin.map { workspace.plugins(of: $0.endpoint, in: service) } ?? workspace.plugins(of: service)
            return plugins.contains { if case .token = $0.kind { true } else { false } }
        }
        guard hasToken != true || request.options.bypassesPlugins else { return false }
        if netrcFile == "" { throw CommandFailure.emptyFileName }
        let path = program.path(netrcFile ?? "~/.netrc")
        try locations.check(path, .reading, in: program)
        let file: NetrcFile
        do { file = try program.input.limited("the credentials") { try NetrcFile(path: path, while: $0) } } catch let error as WorkspaceError {
            throw CommandFailure(
                .file, name: "netrc", error.description, hint: "use --netrc-file FILE for another file, or -u for the credentials")
        }
        if file.isReadableByOthers {
            program.errors.line(
                "sortie: warning: other users of this machine can read \(path); chmod 600 \(ShellQuote.quoted(path)) makes it private")
        }
        guard let login = file.login(for: request.url.host, user: user) else {
            guard loginScheme != nil || user != nil else { return false }
            let whose = user.map { " of \($0)" } ?? ""
            throw CommandFailure(.usage, "\(path) has no login\(whose) for \(request.url.host)", hint: "add -u NAME:PASSWORD")
        }
        redaction.hide(login.password)
        request.headers.fields.removeAll { $0.isNamed("Authorization") }
        request.options.credential = auth(user: login.user, password: login.password)
        request.placeCredential()
        return true
    }

    /// The credentials in a URL of the command line; its templates are resolved later.
    private static func login(inURL text: String) -> HTTPURL.Credentials? {
        guard let scheme = text.firstRange(of: "://") else { return nil }
        let authority = text[scheme.upperBound...].prefix { !"/?#\\".contains($0) }
        guard let at = authority.lastIndex(of: "@") else { return nil }
        // The host may be a template, which a URL cannot contain.
        return HTTPURL(ifValid: "http://\(authority[..<at])@host")?.credentials
    }

    /// The path of a file in an option; `-` is standard input.
    private func absolute(_ path: some StringProtocol, in program: ProgramContext) throws(CommandFailure) -> String {
        if path == "-" { return Request.standardInput }
        guard !path.isEmpty else {
            throw CommandFailure(.usage, "@ of the body has no file name", hint: "write @FILE, or @- for standard input")
        }
        return program.folders.absolute(String(path))
    }
}

/// The value of `-F`, in the notation of curl: `NAME=VALUE`, `NAME=@FILE` or `NAME=<FILE`, then `;type=…` and `;filename=…`.
///
/// A value in double quotes is taken literally, with `\\` before a quote or a backslash. Any other value ends at the first `;` that a known
/// parameter follows, so that `note=a;b` is sent completely.
struct MultipartOption {
    /// The source of the part's bytes.
    enum Content: Hashable {
        /// The text itself.
        case text(String)
        /// A file that is sent under its name.
        case upload(String)
        /// A file whose bytes are the value of a plain field.
        case contents(String)

        fileprivate var isFile: Bool {
            if case .text = self { false } else { true }
        }
    }

    let name: String
    let content: Content
    private(set) var contentType: String?
    private(set) var fileName: String?

    init(_ text: String) throws {
        let pair = try NamedValue(text, option: "-F")
        name = pair.name
        var rest = pair.value[...]
        let mark = rest.first
        let isFile = mark == "@" || mark == "<"
        if isFile { rest = rest.dropFirst() }
        let value: String
        if let quoted = Self.quoted(rest) {
            value = quoted.text
            rest = quoted.rest
        } else {
            let end = Self.endOfValue(in: rest, isFile: isFile)
            value = String(rest[..<end])
            rest = rest[end...]
        }
        content = mark == "@" ? .upload(value) : mark == "<" ? .contents(value) : .text(value)
        try readOptions(rest.dropFirst(), of: text)
    }

    private static let words = ["type=", "filename=", "headers=", "encoder="]

    /// The end of an unquoted value: for a path the first `;`, for a text the first one that a known parameter follows.
    private static func endOfValue(in text: Substring, isFile: Bool) -> Substring.Index {
        var start = text.startIndex
        while let semicolon = text[start...].firstIndex(of: ";") {
            let next = text.index(after: semicolon)
            let word = text[next...].drop { $0 == " " }
            if isFile || words.contains(where: { word.hasPrefix($0) }) { return semicolon }
            start = next
        }
        return text.endIndex
    }

    /// The text in double quotes at the beginning, and the rest; nil where the rest is not an option.
    private static func quoted(_ text: Substring) -> (text: String, rest: Substring)? {
        guard text.first == "\"" else { return nil }
        var result = ""
        var index = text.index(after: text.startIndex)
        while index < text.endIndex {
            let character = text[index]
            let next = text.index(after: index)
            if character == "\\", next < text.endIndex, text[next] == "\"" || text[next] == "\\" {
                result.append(text[next])
                index = text.index(after: next)
            } else if character == "\"" {
                let rest = text[next...].drop { $0 == " " }
                return rest.isEmpty || rest.first == ";" ? (result, rest) : nil
            } else {
                result.append(character)
                index = next
            }
        }
        return nil
    }

    private mutating func readOptions(_ text: Substring, of option: String) throws {
        var rest = text
        while !rest.isEmpty {
            let start = rest.startIndex
            rest = rest.drop { $0 == " " }
            let end = rest.firstIndex { $0 == "=" || $0 == ";" } ?? rest.endIndex
            let word = rest[..<end]
            rest = rest[end...]
            var value: String?
            if rest.first == "=" {
                rest = rest.dropFirst()
                let stop = rest.firstIndex(of: ";") ?? rest.endIndex
                (value, rest) = Self.quoted(rest).map { ($0.text, $0.rest) } ?? (String(rest[..<stop]), rest[stop...])
            }
            let piece = text[start..<rest.startIndex]
            rest = rest.dropFirst()
            switch (word, value) {
            case ("type", let value?): contentType = value
            case ("filename", "") where content.isFile:
                // A file without a name would be a part of another type.
                throw CommandFailure(.usage, "-F \(option): the file name is empty", hint: "write \(name)=<FILE for a plain field")
            case ("filename", let value?): fileName = value
            case (_, .some) where contentType != nil && Self.isTypeParameter(word): contentType?.append(";\(piece)")
            default:
                throw CommandFailure(
                    .usage, "-F \(option): “;\(piece)” is neither ;type=… nor ;filename=…", hint: "put a text that contains “;” into double quotes")
            }
        }
    }

    /// Whether a word is the name of a parameter of the media type, such as `charset`, rather than a misspelt or unknown option.
    private static func isTypeParameter(_ word: Substring) -> Bool {
        !words.contains("\(word)=") && Suggestion.nearest(to: String(word), in: ["type", "filename"]) == nil
    }
}
