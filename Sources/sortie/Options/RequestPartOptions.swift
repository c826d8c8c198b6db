internal import ArgumentParser
internal import Foundation
internal import Model
internal import Storage

/// What is sent: the options of `send` that change an endpoint or make one.
struct RequestPartOptions: ParsableArguments {
    @Option(name: [.customShort("X"), .long], help: "The method; POST where a body is given, else GET.")
    var method: String?

    @Option(name: [.customShort("H"), .customLong("header")], help: ArgumentHelp("A header field.", valueName: "name: value"))
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
        help: ArgumentHelp("A part of a multipart body.", valueName: "name=value|name=@file[;type=…][;filename=…]"))
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
        for text in headers {
            let field = try HeaderField(option: text)
            endpoint.headers.append(Parameter(field.name, field.value))
        }
        let given = try query.map { try pair($0, option: "-q") }
        // Given parameters replace those of the same name; several of one name are all sent.
        endpoint.query.removeAll { row in given.contains { $0.name == row.name } }
        endpoint.removeQueryItems(named: Set(given.map(\.name)))
        endpoint.query += given.map { Parameter($0.name, $0.value) }
        try applyAuth(to: &endpoint)
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
        let pair = try pair(text, option: "-F")
        guard pair.value.hasPrefix("@") else { return .init(name: pair.name, value: pair.value) }
        let pieces = pair.value.dropFirst().split(separator: ";", omittingEmptySubsequences: false)
        var part = BodyTemplate.Part(name: pair.name, value: absolute(pieces.first ?? ""), isFile: true)
        for piece in pieces.dropFirst() {
            if piece.hasPrefix("type=") {
                part.contentType = String(piece.dropFirst("type=".count))
            } else if piece.hasPrefix("filename=") {
                part.fileName = String(piece.dropFirst("filename=".count))
            } else if let type = part.contentType, let equals = piece.firstIndex(of: "="),
                Suggestion.nearest(to: piece[..<equals].trimmingCharacters(in: .whitespaces), in: ["type", "filename"]) == nil
            {
                // A parameter of the type, such as a charset.
                part.contentType = "\(type);\(piece)"
            } else {
                throw CommandFailure(.usage, "-F \(text): “;\(piece)” is neither ;type=… nor ;filename=…")
            }
        }
        return part
    }

    private func applyAuth(to endpoint: inout Endpoint) throws {
        if let bearer { endpoint.auth = .bearer(token: bearer) }
        guard let user else {
            if digest { throw CommandFailure(.usage, "--digest needs credentials", hint: "add -u NAME:PASSWORD") }
            return
        }
        guard bearer == nil else { throw CommandFailure(.usage, "give only one of -u and --bearer") }
        let colon = user.firstIndex(of: ":")
        let name = String(user[..<(colon ?? user.endIndex)])
        let password = colon.map { String(user[user.index(after: $0)...]) } ?? ""
        endpoint.auth = digest ? .digest(user: name, password: password) : .basic(user: name, password: password)
    }

    private func absolute(_ path: some StringProtocol) -> String {
        let path = HomeFolder.expanding(String(path))
        return path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }
}
