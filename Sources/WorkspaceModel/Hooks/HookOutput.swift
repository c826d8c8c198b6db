internal import FoundationEssentials
internal import SortieBase
package import SortieHTTP

/// What a hook wrote to its standard output: changes of the request, a decision about the response, checks, captured values, or an error.
package struct HookOutput: Hashable, Sendable {
    /// A header field to set or to remove.
    package struct Field: Hashable, Sendable {
        /// The name.
        package var name: String
        /// The values that replace all fields of that name; empty removes them.
        package var values: [String]
    }

    /// The new method; nil leaves it.
    package var method: HTTPMethod?
    /// The new URL; nil leaves it.
    package var url: HTTPURL?
    /// The changed header fields.
    package var fields: [Field] = []
    /// The new bytes of the body; nil leaves it, none removes it.
    package var body: [UInt8]?
    /// Why the call fails; nil lets it continue.
    package var error: String?
    /// Why the request is sent again; nil uses the response.
    package var sendAgain: String?
    /// The checks of the response.
    package var checks: [ExchangeCheck] = []
    /// The captured values for later steps of a run.
    package var values: [String: String] = [:]

    /// Creates an output without effect.
    package init() {}

    /// Parses the output of a stage; an empty one has no effect.
    ///
    /// - Throws: The problem with its place in the output.
    package init(parsing bytes: [UInt8], at stage: HookSetting.Stage) throws(BodyProblem) {
        self.init()
        guard bytes.contains(where: { !" \t\r\n".utf8.contains($0) }) else { return }
        guard case .object(let members) = try JSONValue(parsing: BodyBytes(bytes)) else {
            throw Self.problem("the output must be a JSON object or empty")
        }
        let known = Self.members(of: stage)
        for member in members {
            guard known.contains(member.key) else {
                throw Self.problem(
                    "“\(member.key)” has no meaning in the output of \(stage.rawValue); the members are \(known.joined(separator: ", "))")
            }
            try read(member)
        }
    }

    /// The names of the members that a stage uses.
    package static func members(of stage: HookSetting.Stage) -> [String] {
        switch stage {
        case .willPrepare, .prepare, .willSend: ["method", "url", "headers", "body", "bodyBase64", "error"]
        case .didReceive: ["sendAgain", "error"]
        case .process: ["checks", "capture", "error"]
        }
    }

    /// Applies the changes to a request.
    package func apply(to request: inout Request) {
        if let method { request.method = method }
        if let url { request.url = url }
        for field in fields {
            request.headers[field.name] = field.values.first
            for value in field.values.dropFirst() { request.headers.append(field.name, value) }
        }
        guard let body else { return }
        var type: String?
        switch request.body {
        case .bytes(_, let contentType), .file(_, let contentType): type = contentType
        case .none, .multipart: break
        }
        request.body = body.isEmpty ? .none : .bytes(body, contentType: type)
    }

    private mutating func read(_ member: JSONValue.Member) throws(BodyProblem) {
        let value = member.value
        if value == .null, member.key != "body" { return }
        switch member.key {
        case "method":
            guard let method = HTTPMethod(try text(value, "method")) else { throw Self.problem("method is not a method of HTTP") }
            self.method = method
        case "url":
            do { url = try HTTPURL(parsing: try text(value, "url")) } catch let error as BodyProblem { throw error } catch {
                throw Self.problem("url is not a URL: \(error)")
            }
        case "headers": try readFields(value)
        case "body":
            switch value {
            case .null: body = []
            case .string(let text): body = Array(text.utf8)
            default: throw Self.problem("body must be a string; write a JSON body as a string")
            }
        case "bodyBase64":
            guard let data = Data(base64Encoded: try text(value, "bodyBase64")) else { throw Self.problem("bodyBase64 is not Base64") }
            body = Array(data)
        case "error": error = try text(value, "error")
        case "sendAgain": sendAgain = try text(value, "sendAgain")
        case "checks": try readChecks(value)
        case "capture":
            guard case .object(let members) = value else { throw Self.problem("capture must be an object of names and values") }
            for member in members { values[member.key] = member.value.plainText }
        default: break
        }
    }

    private mutating func readFields(_ value: JSONValue) throws(BodyProblem) {
        guard case .object(let members) = value else {
            throw Self.problem("headers must be an object: a string sets a field, a list sets several of the name, null removes them")
        }
        for member in members {
            var values: [String] = []
            switch member.value {
            case .null: break
            case .array(let items): for item in items { values.append(try text(item, "headers: \(member.key)")) }
            default: values = [try text(member.value, "headers: \(member.key)")]
            }
            for value in values.isEmpty ? [""] : values {
                if let problem = HeaderField(member.key, value).problem { throw Self.problem("headers: \(problem)") }
            }
            fields.append(Field(name: member.key, values: values))
        }
    }

    private mutating func readChecks(_ value: JSONValue) throws(BodyProblem) {
        guard case .array(let items) = value else { throw Self.problem("checks must be a list") }
        for item in items {
            guard case .string(let name)? = item["name"], case .bool(let passed)? = item["passed"] else {
                throw Self.problem("each of checks must have name, a string, and passed, true or false")
            }
            let actual = item["actual"]?.plainText ?? (passed ? "passed" : "failed")
            var check = ExchangeCheck(.hook, passed ? .passed : .failed, subject: name, expected: item["expected"]?.plainText, actual: actual)
            // Not truncated before it is masked, because masking does not find a part of a secret.
            check.actual = actual
            checks.append(check)
        }
    }

    private func text(_ value: JSONValue, _ what: String) throws(BodyProblem) -> String {
        guard case .string(let text) = value else { throw Self.problem("\(what) must be a string") }
        return text
    }

    private static func problem(_ message: String) -> BodyProblem { BodyProblem(message: message, line: 1, column: 1, byte: 0) }
}
