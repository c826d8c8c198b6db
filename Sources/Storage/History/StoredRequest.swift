internal import Foundation
internal import GRDB
internal import HistoryModel
internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// A request, as stored in the history: what was sent and the options that affect it, without trust settings and passwords.
struct StoredRequest: Codable {
    var target: String?
    var service: String?
    var environment: String?
    var method: StoredMethod
    var url: StoredURL
    var headers: [[String]]
    var body: StoredRequestBody
    var version: String
    var maximumRedirects: Int
    var decompresses: Bool
    var usesCookies: Bool
    var isReadyMade: Bool
    var isAnonymous: Bool
    var cacheLifetime: Duration?
    /// The header fields that were left out.
    var removedFields: [String]?
    /// The fixed addresses of the request.
    var addresses: [String]?
    /// The fixed addresses that replace lookups, by host.
    var hosts: [String: [String]]?
    var unixSocket: String?
    /// The proxy of the request, without credentials.
    var proxy: String?
    /// The masked parts (``StoredMasks``); absent where there are none.
    var masked: [String]?

    init(_ request: Request, masked: Set<MaskedPart>) {
        self.masked = StoredMasks.names(of: masked)
        (target, service, environment) = (request.target, request.service, request.environment)
        method = StoredMethod(request.method)
        url = StoredURL(request.url)
        headers = request.headers.pairs
        body = StoredRequestBody(request.body)
        version = request.options.version.rawValue
        maximumRedirects = request.options.maximumRedirects
        decompresses = request.options.decompresses
        usesCookies = request.options.usesCookies
        isReadyMade = request.options.bypassesPlugins
        isAnonymous = request.options.credential == .none
        cacheLifetime = request.options.cacheLifetime
        addresses = request.options.addresses.isEmpty ? nil : request.options.addresses.map(\.description)
        let fixed = request.options.resolution.hosts.filter { !$0.value.fixed.isEmpty }
        hosts = fixed.isEmpty ? nil : fixed.mapValues { $0.fixed.map(\.description) }
        removedFields = request.options.removedFields.isEmpty ? nil : request.options.removedFields.sorted()
        unixSocket = request.options.unixSocket
        proxy = request.options.proxy.map { "\($0.scheme.rawValue)://\($0.host):\($0.port)" }
    }

    /// The restored request.
    func request(bytes: [UInt8], origin: RequestOrigin?) -> Request {
        var options = RequestOptions()
        options.version = RequestOptions.Version(rawValue: version) ?? .automatic
        (options.maximumRedirects, options.decompresses, options.usesCookies) = (maximumRedirects, decompresses, usesCookies)
        options.bypassesPlugins = isReadyMade
        options.credential = isAnonymous ? .none : .inherit
        options.cacheLifetime = cacheLifetime
        options.addresses = (addresses ?? []).compactMap { IPAddress($0) }
        options.resolution.hosts = (hosts ?? [:]).mapValues { HostAddresses(fixed: $0.compactMap { IPAddress($0) }) }
        options.removedFields = Set(removedFields ?? [])
        options.unixSocket = unixSocket
        // Stored proxy texts are valid.
        if let proxy { do { options.proxy = try Proxy(proxy) } catch { options.proxy = nil } }
        var request = Request(
            method: method.method, url: url.url, headers: Headers(pairs: headers), body: body.body(bytes: bytes), options: options, target: target,
            service: service, environment: environment)
        request.origin = origin
        return request
    }
}

/// A request body without its bytes, which are stored separately: those of all parts are concatenated.
struct StoredRequestBody: Codable {
    enum Variant: String, Codable {
        case none, bytes, file, multipart
    }

    struct PartHead: Codable {
        var name: String
        /// The length in bytes; nil for a file.
        var length: Int?
        var path: String?
        var fileName: String?
        var contentType: String?
    }

    var kind: Variant
    var contentType: String?
    var path: String?
    var parts: [PartHead]?

    init(_ body: RequestBody) {
        contentType = body.contentType
        switch body {
        case .none: kind = .none
        case .bytes: kind = .bytes
        case .file(let path, _):
            kind = .file
            self.path = path
        case .multipart(let parts):
            kind = .multipart
            self.parts = parts.map { part in
                var kept = PartHead(name: part.name, fileName: part.fileName, contentType: part.contentType)
                switch part.content {
                case .bytes(let bytes): kept.length = bytes.count
                case .file(let path): kept.path = path
                }
                return kept
            }
        }
    }

    /// The bytes that are stored of a body.
    static func bytes(of body: RequestBody) -> [UInt8] {
        switch body {
        case .none, .file: []
        case .bytes(let bytes, _): bytes
        case .multipart(let parts):
            parts.flatMap { part -> [UInt8] in
                if case .bytes(let bytes) = part.content { bytes } else { [] }
            }
        }
    }

    /// The restored body.
    func body(bytes: [UInt8]) -> RequestBody {
        switch kind {
        case .none: return .none
        case .bytes: return .bytes(bytes, contentType: contentType)
        case .file: return .file(path: path ?? "", contentType: contentType)
        case .multipart:
            var start = 0
            return .multipart(
                (parts ?? []).map { part in
                    let content: RequestBody.Part.Content
                    if let path = part.path {
                        content = .file(path: path)
                    } else {
                        let end = min(bytes.count, start + max(0, part.length ?? 0))
                        content = .bytes(Array(bytes[start..<end]))
                        start = end
                    }
                    return RequestBody.Part(name: part.name, content: content, fileName: part.fileName, contentType: part.contentType)
                })
        }
    }
}

/// A URL in its components, because a URL with masked components may not parse.
struct StoredURL: Codable {
    var scheme: String
    var host: String
    var port: UInt16
    var path: String
    var query: String?

    init(_ url: HTTPURL) {
        scheme = url.scheme.rawValue
        (host, port, path, query) = (url.host, url.port, url.path, url.query)
    }

    var url: HTTPURL { HTTPURL(scheme: HTTPURL.Scheme(rawValue: scheme) ?? .http, host: host, port: port, path: path, query: query) }
}

extension Headers {
    /// The name and value of each field.
    var pairs: [[String]] { fields.map { [$0.name, $0.value] } }

    init(pairs: [[String]]) {
        self.init(pairs.filter { $0.count == 2 }.map { HeaderField($0[0], $0[1]) })
    }
}

/// A method in the history; a text that is none makes the value unreadable.
struct StoredMethod: Codable {
    let method: HTTPMethod

    init(_ method: HTTPMethod) {
        self.method = method
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let method = HTTPMethod(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "this is not a method")
        }
        self.method = method
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(method.rawValue)
    }
}

/// What a request was made of, as stored in the history.
struct StoredOrigin: Codable {
    var endpoint: StoredEndpoint
    var variables: [String: String]
    var builtins: [String: [String]]
    var run: String?
    /// The name of the step in its run.
    var step: String?
    /// The masked parts of the endpoint (``StoredMasks``); absent where there are none.
    var masked: [String]?

    init(_ origin: RequestOrigin, masked: Set<MaskedPart>) {
        self.masked = StoredMasks.names(of: masked)
        endpoint = StoredEndpoint(origin.endpoint)
        (variables, builtins, run, step) = (origin.variables, origin.builtins, origin.run, origin.step)
    }

    /// The restored origin; nil where a part of the endpoint cannot be read, because a replay would then send another request.
    var origin: RequestOrigin? {
        var problems: [String] = []
        guard let endpoint = endpoint.endpoint(&problems), problems.isEmpty else { return nil }
        return RequestOrigin(endpoint: endpoint, variables: variables, builtins: builtins, run: run, step: step)
    }
}

/// Reads the JSON columns of a row of `detail`, in the format of this version.
///
/// A part that cannot be read is left out and named in ``unreadable``.
struct StoredParts {
    /// The format of rows that this version reads and writes.
    static let format = 3

    private let row: Row
    private let number: Int64
    /// The columns that cannot be read.
    private(set) var unreadable: [String] = []
    /// The stored names of the masked parts of the origin's endpoint.
    private var maskedOrigin: [String]?

    /// - Throws: Where another version wrote the row.
    init(_ row: Row, of number: Int64) throws(DamagedRow) {
        self.row = row
        self.number = number
        let format: Int = try row.optional("format", of: number) ?? 0
        guard format == Self.format else {
            throw DamagedRow(number, "\(format > Self.format ? "a newer" : "an older") version of Sortie wrote it (format \(format))")
        }
    }

    /// The request, without which there is no exchange.
    func request() throws(DamagedRow) -> StoredRequest {
        guard let text = try row.optional("request", of: number, as: String.self) else { throw DamagedRow(number, "it has no request") }
        do { return try StoredJSON.decoder.decode(StoredRequest.self, from: Data(text.utf8)) } catch {
            throw DamagedRow(number, "the column request does not hold what Sortie writes")
        }
    }

    /// The text of a column.
    mutating func text(_ column: String, as name: String? = nil) -> String? {
        do throws(DamagedRow) { return try row.optional(name ?? column, of: number) } catch {
            unreadable.append(column)
            return nil
        }
    }

    /// The value of a column with JSON.
    ///
    /// - Parameter name: The name of the column in the query, where it differs.
    mutating func value<Value: Decodable>(_ type: Value.Type, _ column: String, as name: String? = nil) -> Value? {
        guard let text = text(column, as: name) else { return nil }
        do { return try StoredJSON.decoder.decode(type, from: Data(text.utf8)) } catch {
            unreadable.append(column)
            return nil
        }
    }

    /// What the request was made of.
    mutating func origin() -> RequestOrigin? {
        guard let text = text("origin") else { return nil }
        do {
            let stored = try StoredJSON.decoder.decode(StoredOrigin.self, from: Data(text.utf8))
            maskedOrigin = stored.masked
            let origin = stored.origin
            if origin == nil { unreadable.append("origin") }
            return origin
        } catch {
            unreadable.append("origin")
            return nil
        }
    }

    /// The masked parts of a request of this row, and of its origin.
    ///
    /// Where they are not readable, they are the parts that contain the text of a mask.
    func masks(_ stored: StoredRequest, in request: Request) -> MaskedParts {
        if let parts = StoredMasks.parts(named: stored.masked), let endpoint = StoredMasks.parts(named: maskedOrigin) {
            return MaskedParts(request: parts, endpoint: endpoint)
        }
        return MaskedParts(
            request: StoredMasks.parts(searching: request), endpoint: request.origin.map { StoredMasks.parts(searching: $0.endpoint) } ?? [])
    }

    /// The value that a plugin or the business envelope made of the body.
    mutating func json(_ column: String) -> JSONValue? {
        guard let text = text(column) else { return nil }
        do { return try JSONValue(parsing: text) } catch {
            unreadable.append(column)
            return nil
        }
    }

    /// The bytes of a column.
    mutating func data(_ column: String) -> Data? {
        do throws(DamagedRow) { return try row.optional(column, of: number) } catch {
            unreadable.append(column)
            return nil
        }
    }

    /// The size of a body; nil where it cannot be read, too, because the body is then missing.
    func size(_ column: String) -> Int64? {
        do throws(DamagedRow) { return try row.optional(column, of: number) } catch { return nil }
    }
}
