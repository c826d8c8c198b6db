internal import FoundationEssentials
internal import SortieBase
internal import SortieNetworking

/// The entries of an HTTP Archive 1.2 as routes of a stub transport (`http://www.softwareishard.com/blog/har-12-spec/`).
struct HARFixture {
    private struct Entry {
        let method: HTTPMethod
        let url: HTTPURL
        let response: StubResponse
    }

    private let entries: [Entry]

    static func bytes(of path: String) throws(StubProblem) -> [UInt8] {
        do { return Array(try Data(contentsOf: URL(filePath: path))) } catch { throw StubProblem("\(path) cannot be read: \(error)") }
    }

    init(_ bytes: [UInt8], name: String) throws(StubProblem) {
        let archive: JSONValue
        do { archive = try JSONValue(parsing: bytes) } catch { throw StubProblem("\(name) is not JSON: \(error)") }
        guard case .array(let entries)? = archive["log"]?["entries"] else {
            throw StubProblem("\(name) is not an HTTP Archive: log.entries is missing")
        }
        var all: [Entry] = []
        for (index, entry) in entries.enumerated() {
            all.append(try Self.entry(entry, at: "\(name): log.entries[\(index)]"))
        }
        self.entries = all
    }

    /// The routes, one for each method and URL in the order of the archive.
    func routes(anyHost: Bool) -> [StubRoute] {
        var order: [String] = []
        var groups: [String: [Entry]] = [:]
        for entry in entries {
            let place = entry.url.query.map { "\(entry.url.path)?\($0)" } ?? entry.url.path
            let key = "\(entry.method) \(anyHost ? place : entry.url.origin + place)"
            if groups[key] == nil { order.append(key) }
            groups[key, default: []].append(entry)
        }
        return order.compactMap { key in
            guard let group = groups[key], let first = group.first else { return nil }
            return StubRoute(
                method: first.method, pattern: String(key.dropFirst(first.method.rawValue.count + 1)),
                replies: group.map { entry -> StubTransport.Reply in { _ in entry.response } })
        }
    }

    // MARK: Entries

    private static func entry(_ entry: JSONValue, at place: String) throws(StubProblem) -> Entry {
        guard let name = entry["request"]?["method"]?.string, let method = HTTPMethod(name) else {
            throw StubProblem("\(place).request.method is missing or is no method")
        }
        guard let text = entry["request"]?["url"]?.string else { throw StubProblem("\(place).request.url is missing") }
        let url: HTTPURL
        do { url = try HTTPURL(parsing: text) } catch { throw StubProblem("\(place).request.url: \(error)") }
        guard let response = entry["response"], let status = response["status"]?.integer else {
            throw StubProblem("\(place).response.status is missing or is no number")
        }
        return Entry(method: method, url: url, response: try self.response(response, status, of: entry, at: place))
    }

    private static func response(_ value: JSONValue, _ status: Int, of entry: JSONValue, at place: String) throws(StubProblem) -> StubResponse {
        guard status >= 200 else {
            // Browsers write the status 0 for an attempt without a response; Sortie adds the error.
            let code = entry["_error"]?["code"]?.string.flatMap(NetworkError.Code.init(rawValue:)) ?? .connectionLost
            return .failure(code, entry["_error"]?["message"]?.string ?? value["comment"]?.string)
        }
        var response = StubResponse(status: status, headers: headers(value), body: try body(value, at: place))
        response.reason = value["statusText"]?.string ?? ""
        return response
    }

    /// The recorded fields without those that describe the coding of the recorded bytes, because an archive has the decoded body.
    private static func headers(_ value: JSONValue) -> Headers {
        guard case .array(let fields)? = value["headers"] else { return [] }
        let coding = ["content-encoding", "content-length", "transfer-encoding"]
        return Headers(
            fields.compactMap { field in
                guard let name = field["name"]?.string, let value = field["value"]?.string else { return nil }
                // HTTP/2 fields of the head begin with a colon in archives of some browsers.
                return coding.contains(name.lowercased()) || name.hasPrefix(":") ? nil : HeaderField(name, value)
            })
    }

    private static func body(_ value: JSONValue, at place: String) throws(StubProblem) -> [UInt8] {
        guard let content = value["content"], let text = content["text"]?.string else { return [] }
        guard content["encoding"]?.string == "base64" else { return Array(text.utf8) }
        guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else {
            throw StubProblem("\(place).response.content.text is not Base64")
        }
        return Array(data)
    }
}

extension JSONValue {
    fileprivate var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    fileprivate var integer: Int? {
        if case .number(let text) = self { Int(text) } else { nil }
    }
}
