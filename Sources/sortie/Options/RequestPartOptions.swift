internal import ArgumentParser
internal import Foundation
internal import Model
internal import Networking
internal import Storage

/// What is sent: the options of `send` that change an endpoint or make one.
struct RequestPartOptions: ParsableArguments {
    @Option(name: [.customShort("X"), .long], help: "The method; POST where a body is given, else GET.")
    var method: String?

    @Option(name: [.customShort("H"), .customLong("header")], help: ArgumentHelp("A header field; 'Name:' removes one.", valueName: "name: value"))
    var headers: [String] = []

    @Option(name: [.customShort("q"), .customLong("query")], help: ArgumentHelp("A query parameter.", valueName: "name=value"))
    var query: [String] = []

    @Option(name: [.customShort("d"), .customLong("data")], help: ArgumentHelp("A body as it is.", valueName: "text|@file"))
    var data: String?

    @Option(name: .customLong("json-body"), help: ArgumentHelp("A JSON body.", valueName: "text|@file"))
    var jsonBody: String?

    @Option(name: .customLong("form"), help: ArgumentHelp("A field of a form body.", valueName: "name=value"))
    var form: [String] = []

    @Option(
        name: [.customShort("F"), .customLong("multipart")],
        help: ArgumentHelp("A part of a multipart body.", valueName: "name=value|name=@file|name=<file[;type=…][;filename=…]"))
    var multipart: [String] = []

    @Option(
        name: [.customShort("u"), .customLong("user")],
        help: ArgumentHelp("Credentials for Basic, or for Digest with --digest.", valueName: "name:password"))
    var user: String?

    @Option(name: .customLong("bearer"), help: ArgumentHelp("A bearer token.", valueName: "token"))
    var bearer: String?

    @Flag(name: .customLong("digest"), help: "Use the credentials of -u for Digest.")
    var digest = false

    /// Puts what was given in the place of what the endpoint says.
    func apply(to endpoint: inout Endpoint, isURL: Bool) throws {
        try applyBody(to: &endpoint)
        if let method {
            guard let valid = HTTPMethod(method) else {
                throw CommandFailure(
                    .usage, name: "invalidMethod", "“\(method)” is not a method", hint: "a method is a word like GET")
            }
            endpoint.method = valid
        }
        try applyHeaders(to: &endpoint)
        let given = try query.map { try pair($0, option: "-q") }
        // Given parameters replace those of the same name; several of one name are all sent.
        endpoint.query.removeAll { row in given.contains { $0.name == row.name } }
        endpoint.removeQueryItems(named: Set(given.map(\.name)))
        endpoint.query += given.map { Parameter($0.name, $0.value) }
        try applyAuth(to: &endpoint)
    }

    /// Given fields replace those of the same name; several of one name are all sent.
    private func applyHeaders(to endpoint: inout Endpoint) throws {
        let (fields, removed) = try HeaderOption.read(headers)
        let named = Set(fields.map { $0.name.lowercased() } + removed.map { $0.lowercased() })
        endpoint.headers.removeAll { named.contains($0.name.lowercased()) }
        endpoint.headers += fields.map { Parameter($0.name, $0.value) }
        if !removed.isEmpty { endpoint.removedHeaders = (endpoint.removedHeaders ?? []) + removed }
    }

    private func pair(_ text: String, option: String) throws -> NamedValue {
        guard let pair = NamedValue(text) else {
            throw CommandFailure(.usage, "\(option) \(text) has no “=”", hint: "write \(option) name=value")
        }
        return pair
    }

    private func applyBody(to endpoint: inout Endpoint) throws {
        let given = [data != nil, jsonBody != nil, !form.isEmpty, !multipart.isEmpty].count { $0 }
        guard given <= 1 else {
            throw CommandFailure(.usage, "a request has one body: give only one of -d, --json-body, --form and -F")
        }
        guard given == 1 else { return }
        if let data {
            let type = "application/x-www-form-urlencoded"
            endpoint.body =
                data.hasPrefix("@") ? .file(path: absolute(data.dropFirst()), contentType: type) : .text(data, contentType: type)
        } else if let jsonBody {
            endpoint.body =
                jsonBody.hasPrefix("@")
                ? .file(path: absolute(jsonBody.dropFirst()), contentType: "application/json") : .json(jsonBody)
        } else if !form.isEmpty {
            endpoint.body = .form(try form.map { try pair($0, option: "--form") }.map { Parameter($0.name, $0.value) })
        } else {
            endpoint.body = .multipart(try multipart.map(part))
        }
        if endpoint.method == .get { endpoint.method = .post }
    }

    private func part(_ text: String) throws -> BodyTemplate.Part {
        let part = try MultipartOption(text)
        return switch part.content {
        case .text(let value): .init(name: part.name, value: value, fileName: part.fileName, contentType: part.contentType)
        case .upload(let path):
            .init(
                name: part.name, value: absolute(path), isFile: true, fileName: part.fileName ?? (path == "-" ? path : nil),
                contentType: part.contentType)
        case .contents(let path):
            // Without a file name it is a field like any other.
            .init(name: part.name, value: absolute(path), isFile: true, fileName: part.fileName ?? "", contentType: part.contentType)
        }
    }

    private func applyAuth(to endpoint: inout Endpoint) throws {
        if let bearer { endpoint.auth = .bearer(token: bearer) }
        guard let user else {
            guard digest else { return }
            if case .digest = endpoint.auth { return }
            guard let login = Self.login(inURL: endpoint.path) else {
                throw CommandFailure(.usage, "--digest needs credentials", hint: "add -u NAME:PASSWORD")
            }
            endpoint.auth = .digest(user: login.user, password: login.password)
            return
        }
        guard bearer == nil else { throw CommandFailure(.usage, "give only one of -u and --bearer") }
        let colon = user.firstIndex(of: ":")
        let name = String(user[..<(colon ?? user.endIndex)])
        let password = colon.map { String(user[user.index(after: $0)...]) } ?? ""
        endpoint.auth = digest ? .digest(user: name, password: password) : .basic(user: name, password: password)
    }

    /// The credentials in the URL of a command line; its templates are resolved later.
    private static func login(inURL text: String) -> HTTPURL.Credentials? {
        guard let scheme = text.firstRange(of: "://") else { return nil }
        let authority = text[scheme.upperBound...].prefix { !"/?#\\".contains($0) }
        guard let at = authority.lastIndex(of: "@") else { return nil }
        // The host may be a template, which is no part of a URL yet.
        do { return try HTTPURL(parsing: "http://\(authority[..<at])@host").credentials } catch { return nil }
    }

    /// The path of a file that an option names; `-` is standard input.
    private func absolute(_ path: some StringProtocol) -> String {
        if path == "-" { return Request.standardInput }
        let path = HomeFolder.expanding(String(path))
        return path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }
}
