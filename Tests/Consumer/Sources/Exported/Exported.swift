// flow: exported by sortie.
// swift-format-ignore-file
import Foundation
import SortieNetworking

/// Requests that were exported by sortie.
enum Flow {
    /// POST shop/login
    static func login(_ client: Client, values: [String: String]) async throws -> Response {
        var request = try Request("https://shop.example/login?trace=\(escaped(UUID().uuidString.lowercased()))&row=\(escaped(value("number", of: values)))&a%20b=%22quoted%22%20%5C%20%09%20%C3%A9%20%E6%9D%B1%20%E2%80%AE")
        request.method = .post
        request.headers.append("Accept", "application/json")
        try request.body = .text("{\n  \"user\": \"demo\",\n  \"password\": \"\(jsonText(value("password", of: values)))\",\n  \"size\": 5\n}", contentType: "application/json")
        request.options.timeouts.connect = .seconds(2)
        request.options.timeouts.idle = .seconds(30)
        request.options.timeouts.total = .milliseconds(1500)
        request.options.trust.certificateAuthorityFile = "/etc/shop/ca.pem"
        request.options.trust.minimumTLS = .tls13
        request.options.trust.pins = ["sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]
        request.options.proxy = try Proxy("http://proxy.example:3128", except: ["localhost"].compactMap { ProxyException($0) })
        try request.options.proxy?.credentials = HTTPURL.Credentials(user: "me", password: "\(value("password", of: values))")
        return try await client.send(request)
    }

    /// PUT shop/order
    static func order(_ client: Client, values: [String: String]) async throws -> Response {
        var request = try Request("https://shop.example/orders/\(escaped(value("login.id", of: values)))")
        request.method = .put
        request.headers.append("Accept", "application/json")
        try request.headers.append("X-Type", "\(value("login.type", of: values)) \(value("login.code", of: values))")
        try request.options.credential = .bearer(token: "\(value("login.token", of: values))")
        try request.body = .text("size=5&token=\(escaped(value("login.token", of: values)))", contentType: "application/x-www-form-urlencoded")
        request.options.maximumRedirects = 0
        request.options.decompresses = false
        request.options.usesCookies = false
        request.options.version = .http1
        request.options.timeouts.connect = .seconds(2)
        request.options.timeouts.idle = .seconds(30)
        request.options.timeouts.total = .milliseconds(1500)
        request.options.retry = RetryPolicy(limit: 2)
        request.options.priority = .high
        request.options.trust.certificateAuthorityFile = "/etc/shop/ca.pem"
        request.options.trust.minimumTLS = .tls13
        request.options.trust.pins = ["sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]
        request.options.proxy = try Proxy("http://proxy.example:3128", except: ["localhost"].compactMap { ProxyException($0) })
        try request.options.proxy?.credentials = HTTPURL.Credentials(user: "me", password: "\(value("password", of: values))")
        return try await client.send(request)
    }

    /// POST shop/upload
    static func upload(_ client: Client, values: [String: String]) async throws -> Response {
        var request = try Request("https://shop.example/files")
        request.method = .post
        request.headers.append("Accept", "application/json")
        try request.options.credential = .digest(user: "me", password: "\(value("password", of: values))")
        try request.body = .multipart([
            .init(name: "note", content: .bytes(Array("line 1\nline 2 \(value("login.token", of: values))".utf8))),
            .init(name: "file", content: .file(path: "/tmp/photo.jpg"), fileName: "photo.jpg", contentType: "image/jpeg"),
        ])
        request.options.timeouts.connect = .seconds(2)
        request.options.timeouts.idle = .seconds(30)
        request.options.timeouts.total = .milliseconds(1500)
        request.options.trust.certificateAuthorityFile = "/etc/shop/ca.pem"
        request.options.trust.minimumTLS = .tls13
        request.options.trust.pins = ["sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]
        request.options.proxy = try Proxy("http://proxy.example:3128", except: ["localhost"].compactMap { ProxyException($0) })
        try request.options.proxy?.credentials = HTTPURL.Credentials(user: "me", password: "\(value("password", of: values))")
        return try await client.send(request)
    }

    /// PURGE shop/class
    static func class_2(_ client: Client, values: [String: String]) async throws -> Response {
        var request = try Request("https://shop.example/cache")
        request.method = HTTPMethod("PURGE") ?? .get
        request.headers.append("Accept", "application/json")
        request.body = .file(path: "/tmp/list.txt", contentType: "text/plain")
        request.options.timeouts.connect = .seconds(2)
        request.options.timeouts.idle = .seconds(30)
        request.options.timeouts.total = .milliseconds(1500)
        request.options.trust.certificateAuthorityFile = "/etc/shop/ca.pem"
        request.options.trust.minimumTLS = .tls13
        request.options.trust.pins = ["sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]
        request.options.proxy = try Proxy("http://proxy.example:3128", except: ["localhost"].compactMap { ProxyException($0) })
        try request.options.proxy?.credentials = HTTPURL.Credentials(user: "me", password: "\(value("password", of: values))")
        return try await client.send(request)
    }

    /// The rows of the data.
    static let rows: [[String: String]] = [
        ["number": "1"],
        ["number": "2 \"x\""],
    ]

    /// Sends the requests in order, once for each row of the data; `given` replaces variables and columns.
    static func run(_ client: Client, values given: [String: String] = [:]) async throws {
        for row in rows {
            var values = row.merging(given) { $1 }
            let start1 = ContinuousClock.now
            let response1 = try await login(client, values: values)
            try require(start1.duration(to: .now) <= .seconds(5), "login: the response took longer than 5.0 seconds")
            try require(response1.status == 200, "login: the status is not 200")
            try check("login: header Content-Type", field("Content-Type", of: response1), "matches", ["json"])
            try check("login: header X-Gone", field("X-Gone", of: response1), "missing", [])
            try check("login: $.token", found("$.token", in: response1), "type", ["string"], hidden: true)
            try check("login: $.items[?@.id > 5].id", found("$.items[?@.id > 5].id", in: response1), ">", ["5"])
            try check("login: $.total", found("$.total", in: response1), "=", ["57"])
            try check("login: $.password", found("$.password", in: response1), "!=", ["\(value("password", of: values))"], hidden: true)
            values["login.token"] = try captured("$.token", in: response1)
            values["login.id"] = try captured("$.items[0].id", in: response1)
            values["login.type"] = try captured("header Content-Type", in: response1)
            values["login.code"] = try captured("status", in: response1)
            _ = try await order(client, values: values)
            _ = try await upload(client, values: values)
            let response4 = try await class_2(client, values: values)
            try require([200...299, 304...304].contains { $0.contains(response4.status) }, "class: the status is not 200-299, 304")
        }
    }

    /// A value that an earlier request captured.
    private static func value(_ name: String, of values: [String: String]) throws -> String {
        guard let value = values[name] else { throw Problem("there is no value \(name)") }
        return value
    }

    /// A value as part of a URL or a form.
    private static func escaped(_ value: String) -> String {
        value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    /// A value inside the quotes of a JSON string.
    private static func jsonText(_ value: String) throws -> String {
        String(String(decoding: try JSONEncoder().encode(value), as: UTF8.self).dropFirst().dropLast())
    }

    /// A value of a response: `status`, `header NAME` or a JSON path.
    private static func captured(_ source: String, in response: Response) throws -> String {
        if source == "status" { return String(response.status) }
        if source.hasPrefix("header ") {
            guard let field = response.headers[String(source.dropFirst("header ".count))] else { throw Problem("there is no \(source)") }
            return field
        }
        guard let value = try JSONPath(source).result(in: JSONValue(parsing: response.text ?? "")) else {
            throw Problem("there is no value at \(source)")
        }
        if case .string(let text) = value { return text }
        return value.text
    }

    /// Throws where none of the values satisfies a condition.
    private static func check(_ subject: String, _ found: [JSONValue], _ test: String, _ operands: [String], hidden: Bool = false) throws {
        let isMet = try test == "missing" ? found.isEmpty : found.contains { try holds($0, test, operands) }
        if isMet { return }
        let actual = found.isEmpty ? "nothing" : hidden ? "****" : found.prefix(10).map(\.text).joined(separator: ", ")
        let wanted = hidden ? "****" : operands.joined(separator: " ")
        throw Problem("\(subject): expected \(test) \(wanted), got \(actual.prefix(500))")
    }

    private static func holds(_ value: JSONValue, _ test: String, _ operands: [String]) throws -> Bool {
        var text = value.text
        if case .string(let plain) = value { text = plain }
        let operand = operands.first ?? ""
        switch test {
        case "exists": return true
        case "in": return operands.contains(text)
        case "=": return equals(value, text, operand)
        case "!=": return !equals(value, text, operand)
        case "matches": return try text.firstMatch(of: Regex(operand)) != nil
        case "shortest": return text.count >= Int(operand) ?? 0
        case "longest": return text.count <= Int(operand) ?? 0
        case "type":
            switch value {
            case .null: return operand == "null"
            case .bool: return operand == "boolean"
            case .string: return operand == "string"
            case .array: return operand == "array"
            case .object: return operand == "object"
            case .number(let digits): return operand == "number" || operand == "integer" && Double(digits).map { $0.rounded() == $0 } ?? false
            }
        default:
            guard let left = Double(text), let right = Double(operand) else { return false }
            return test == "<" ? left < right : test == "<=" ? left <= right : test == ">" ? left > right : left >= right
        }
    }

    /// Whether a value is the expected one; a number is also equal to another spelling of it.
    private static func equals(_ value: JSONValue, _ text: String, _ expected: String) -> Bool {
        if text == expected { return true }
        switch value {
        case .null, .bool, .string: return false
        case .number:
            guard let left = Double(text), let right = Double(expected) else { return false }
            return left == right && abs(left) < 9_007_199_254_740_992
        case .array, .object: return (try? JSONValue(parsing: expected)) == value
        }
    }

    /// The values at a JSON path of a response.
    private static func found(_ path: String, in response: Response) throws -> [JSONValue] {
        try JSONPath(path).values(in: JSONValue(parsing: response.text ?? ""))
    }

    /// The value of a header field of a response; an empty list where it has none.
    private static func field(_ name: String, of response: Response) -> [JSONValue] {
        response.headers[name].map { [.string($0)] } ?? []
    }

    private static func require(_ condition: Bool, _ message: String) throws {
        if !condition { throw Problem(message) }
    }

    /// Why a request was not sent, or how its response differs from the expectation.
    struct Problem: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }
}
