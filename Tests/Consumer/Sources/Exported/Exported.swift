// flow: exported by sortie.
// swift-format-ignore-file
// Set before: SHOP_PASSWORD
import Foundation
import SortieNetworking

/// Requests that were exported by sortie.
enum Flow {
    /// POST shop/login
    static func login(_ client: Client) async throws -> Response {
        var request = try Request("https://shop.example/login?trace=\(escaped(UUID().uuidString.lowercased()))&a%20b=%22quoted%22%20%5C%20%09%20%C3%A9%20%E6%9D%B1%20%E2%80%AE")
        request.method = .post
        request.headers.append("Accept", "application/json")
        try request.body = .text("{\n  \"user\": \"demo\",\n  \"password\": \"\(jsonText(environment("SHOP_PASSWORD")))\",\n  \"size\": 5\n}", contentType: "application/json")
        request.options.timeouts.connect = .seconds(2)
        request.options.timeouts.idle = .seconds(30)
        request.options.timeouts.total = .milliseconds(1500)
        request.options.trust.certificateAuthorityFile = "/etc/shop/ca.pem"
        request.options.trust.minimumTLS = .tls13
        request.options.trust.pins = ["sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]
        request.options.proxy = try Proxy("http://proxy.example:3128", except: ["localhost"].compactMap { ProxyException($0) })
        try request.options.proxy?.credentials = HTTPURL.Credentials(user: "me", password: "\(environment("SHOP_PASSWORD"))")
        return try await client.send(request)
    }

    /// PUT shop/order
    static func order(_ client: Client, values: [String: String]) async throws -> Response {
        var request = try Request("https://shop.example/orders/\(escaped(value("login.id", of: values)))")
        request.method = .put
        request.headers.append("Accept", "application/json")
        try request.headers.append("X-Type", "\(value("login.type", of: values)) \(value("login.code", of: values))")
        try request.authorize(.bearer(token: "\(value("login.token", of: values))"))
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
        try request.options.proxy?.credentials = HTTPURL.Credentials(user: "me", password: "\(environment("SHOP_PASSWORD"))")
        return try await client.send(request)
    }

    /// POST shop/upload
    static func upload(_ client: Client, values: [String: String]) async throws -> Response {
        var request = try Request("https://shop.example/files")
        request.method = .post
        request.headers.append("Accept", "application/json")
        try request.authorize(.digest(user: "me", password: "\(environment("SHOP_PASSWORD"))"))
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
        try request.options.proxy?.credentials = HTTPURL.Credentials(user: "me", password: "\(environment("SHOP_PASSWORD"))")
        return try await client.send(request)
    }

    /// PURGE shop/class
    static func class_2(_ client: Client) async throws -> Response {
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
        try request.options.proxy?.credentials = HTTPURL.Credentials(user: "me", password: "\(environment("SHOP_PASSWORD"))")
        return try await client.send(request)
    }

    /// Sends the requests in order.
    static func run(_ client: Client, values given: [String: String] = [:]) async throws {
        var values = given
        let response1 = try await login(client)
        try require(response1.status == 200, "login: the status is not 200")
        values["login.token"] = try captured("$.token", in: response1)
        values["login.id"] = try captured("$.items[0].id", in: response1)
        values["login.type"] = try captured("header Content-Type", in: response1)
        values["login.code"] = try captured("status", in: response1)
        _ = try await order(client, values: values)
        _ = try await upload(client, values: values)
        let response4 = try await class_2(client)
        try require(response4.status == 204, "class: the status is not 204")
    }

    /// The value of an environment variable.
    private static func environment(_ name: String) throws -> String {
        guard let value = ProcessInfo.processInfo.environment[name] else { throw Problem("set the environment variable \(name)") }
        return value
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

    private static func require(_ condition: Bool, _ message: String) throws {
        if !condition { throw Problem(message) }
    }

    /// Why a request was not sent, or how its response differs from the expectation.
    struct Problem: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }
}
