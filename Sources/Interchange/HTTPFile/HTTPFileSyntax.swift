internal import SortieBase
internal import SortieHTTP

/// The kinds of lines in `.http` files.
enum HTTPFileSyntax {
    /// Methods of HTTP and WebDAV, and the words of other protocols.
    static let methods: Set<String> = [
        "GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "PATCH", "OPTIONS", "TRACE", "LOCK", "UNLOCK", "PROPFIND", "PROPPATCH", "COPY", "MOVE",
        "MKCOL", "MKCALENDAR", "ACL", "SEARCH", "QUERY", "PURGE", "LIST", "REPORT", "MERGE",
    ]

    /// The protocols other than HTTP whose requests are imported.
    static let (webSocket, grpc) = ("WebSocket", "gRPC")

    /// Words for requests that are not HTTP messages, with what they are.
    static let others: [String: String] = [
        "WEBSOCKET": webSocket, "WS": webSocket, "WSS": webSocket, "GRPC": grpc, "RSOCKET": "RSocket", "MQTT": "MQTT", "MQTTS": "MQTT",
        "AMQP": "AMQP", "KAFKA": "Kafka",
    ]

    /// Whether a line separates requests.
    static func isSeparator(_ line: Substring) -> Bool { line.hasPrefix("###") }

    /// The text of a comment; nil for another line.
    static func comment(_ line: Substring) -> String? {
        if line.hasPrefix("//") { return line.dropFirst(2).trimmingBlanks }
        if line.hasPrefix("#") { return line.drop { $0 == "#" }.trimmingBlanks }
        return nil
    }

    /// The directive in the text of a comment: `@name value` or `@name=value`.
    static func directive(_ comment: String) -> (name: String, value: String)? {
        guard comment.hasPrefix("@") else { return nil }
        let rest = comment.dropFirst()
        let name = rest.prefix { $0.isLetter || $0.isNumber || "-_.".contains($0) }
        guard !name.isEmpty else { return nil }
        var value = rest.dropFirst(name.count).trimmingBlanks
        if value.hasPrefix("=") { value = value.dropFirst().trimmingBlanks }
        return (String(name), value)
    }

    /// The variable that a line defines: `@name = value`, or `@name := value`.
    static func variable(_ line: Substring) -> (name: String, value: String)? {
        guard line.hasPrefix("@"), let equals = line.firstIndex(of: "=") else { return nil }
        var name = line[line.index(after: line.startIndex)..<equals].trimmingBlanks
        if name.hasSuffix(":") { name = name.dropLast().trimmingBlanks }
        guard ForeignText.isVariable(name) else { return nil }
        return (name, line[line.index(after: equals)...].trimmingBlanks)
    }

    /// Whether the value of a variable is a part of the response to a request with a name, `{{NAME.response.…}}`, and not to the one that it follows.
    static func refersToRequest(_ value: String) -> Bool {
        let inner = value.drop { $0 == "{" || $0.isSpaceOrTab }
        let name = String(inner.prefix { $0 != "." })
        return value.hasPrefix("{{") && ForeignText.isVariable(name) && inner.dropFirst(name.count).hasPrefix(".response.")
    }

    /// The name and the value of a header field, with blanks before the colon, which the tools permit; nil for another line.
    static func field(_ line: Substring) -> (name: String, value: String)? {
        guard let colon = line.firstIndex(of: ":") else { return nil }
        let name = line[..<colon].trimmingBlanks
        guard Token.isValid(name) else { return nil }
        return (name, line[line.index(after: colon)...].trimmingBlanks)
    }

    /// The method, the URL and the version of a request line; nil for another line.
    static func requestLine(_ line: String) -> (method: String?, target: String, version: String?)? {
        let word = line.prefix { !$0.isWhitespace }
        let (rest, version) = withoutVersion(line.dropFirst(word.count).trimmingBlanks)
        let upper = word.uppercased()
        let isKnown = methods.contains(upper) || others[upper] != nil || upper == "GRAPHQL" || upper == "SSE" || upper == "EVENTSOURCE"
        // Methods that are not known need the usual form, so that a sentence is not a request.
        let isMethod = isKnown || word.count > 1 && word.allSatisfy { $0.isASCII && ($0.isUppercase || $0 == "-" || $0 == "_") }
        if isMethod, !rest.isEmpty, isKnown || isURL(rest) { return (String(word), rest, version) }
        let (whole, wholeVersion) = withoutVersion(line)
        return isURL(whole) ? (nil, whole, wholeVersion) : nil
    }

    /// Whether a line begins a curl command line.
    static func beginsCommand(_ line: Substring) -> Bool {
        ["curl", "curl.exe"].contains(line.prefix { !$0.isWhitespace }.lowercased()) && line.contains(where: \.isWhitespace)
    }

    /// Whether a line begins a request although no separator is before it.
    static func beginsRequest(_ line: String) -> Bool {
        let word = String(line.prefix { !$0.isWhitespace })
        guard methods.contains(word), let request = requestLine(line), request.method != nil else { return false }
        return isURL(request.target)
    }

    /// A text without the version of HTTP at its end.
    static func withoutVersion(_ text: String) -> (rest: String, version: String?) {
        // The remark of JetBrains after a version.
        let remark = " (Prior Knowledge)"
        var (rest, version) = (text.hasSuffix("HTTP/2" + remark) ? String(text.dropLast(remark.count)) : text, String?.none)
        while let space = rest.lastIndex(where: \.isWhitespace), let written = httpVersion(rest[rest.index(after: space)...]) {
            version = version ?? String(written)
            rest = rest[..<space].trimmingBlanks
        }
        return (rest, version)
    }

    /// The version in `HTTP/1.1`, in any case as the REST Client reads it; nil for another word.
    private static func httpVersion(_ word: Substring) -> Substring? {
        let (name, version) = (word.prefix("HTTP/".count), word.dropFirst("HTTP/".count))
        return name == "HTTP/" || name.lowercased() == "http/" && version.first?.isNumber == true ? version : nil
    }

    /// Whether a text looks like a URL, a path, or a template of them.
    static func isURL(_ text: String) -> Bool {
        if text.hasPrefix("/") || text.hasPrefix("{{") || text == "*" { return true }
        if let range = text.firstRange(of: "://") { return !range.isEmpty && text[..<range.lowerBound].allSatisfy { $0.isLetter } }
        let authority = text.prefix { !"/?#".contains($0) }
        guard !authority.isEmpty, !authority.contains(where: { $0.isWhitespace || "\"'<>(),;=".contains($0) }) else { return false }
        let host = authority.split(separator: ":", omittingEmptySubsequences: false)
        if host.count == 2 { return !host[0].isEmpty && (host[1].allSatisfy(\.isNumber) && !host[1].isEmpty || host[1].hasPrefix("{{")) }
        return host.count == 1 && (authority == "localhost" || authority.contains("{{") || authority.dropFirst().dropLast().contains("."))
    }

    /// The kind of a line after the body: a handler, a file for the response, a reference; nil for another line.
    static func trailer(_ line: Substring) -> String? {
        if line.hasPrefix("<> ") { return "response reference" }
        if line.hasPrefix(">>") { return "file for the response" }
        if line.hasPrefix("> ") || line.hasPrefix(">{%") { return "response handler" }
        return nil
    }

    /// The path of a line `< path` or `<@ path`, with its mark; nil for another line.
    static func file(_ line: Substring) -> (path: String, isTemplate: Bool)? {
        guard line.hasPrefix("<"), !line.hasPrefix("<>") else { return nil }
        var rest = line.dropFirst()
        let isTemplate = rest.first == "@"
        if isTemplate {
            rest = rest.dropFirst()
            // The encoding of the file follows the mark in the REST Client.
            rest = rest.drop { $0.isLetter || $0.isNumber || $0 == "-" }
        }
        guard rest.first?.isSpaceOrTab == true else { return nil }
        let path = rest.trimmingBlanks
        return path.isEmpty || path.hasPrefix("{%") ? nil : (path, isTemplate)
    }
}
