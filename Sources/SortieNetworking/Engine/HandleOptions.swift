internal import CCurl
internal import SortieHTTP

/// The options of a configured handle, except the URL and the sink.
///
/// The next request with the same profile sets two options instead of thirty. Programs send the same kind of request
/// to a service many times, and setting all options again costs as much as libcurl's own work on a small request.
///
/// A class, because it is kept by handles and compared with every request.
final class HandleOptions: Equatable {
    let scheme: HTTPURL.Scheme
    let port: UInt16
    let address: IPAddress?
    let proxyAddress: IPAddress?
    let tunnel: TunnelRoute?
    let connectTimeout: UInt64
    let pool: Int32?
    let isObserved: Bool
    let headers: Headers
    let options: CopyOnWrite<RequestOptions>

    /// The profile of a GET; nil for an attempt that needs more options: another method, a body, authentication by libcurl, a connection that is not
    /// reused, a request target that differs from libcurl's.
    ///
    /// Also nil for pins that expire, which are an option of the handle until then, and for a connection with a synthetic host name
    /// (`EasyHandle.configureSeparateConnection`): libcurl reads its address only when the option is set, and forgets it after a minute.
    init?(_ transferRequest: TransferRequest) {
        guard case .none = transferRequest.body, transferRequest.method == .get,
            transferRequest.options.credential.challengeScheme == nil, transferRequest.options.proxy?.authentication ?? .basic == .basic,
            transferRequest.options.interface == nil, transferRequest.options.serviceType == .standard, transferRequest.webSocket == nil,
            transferRequest.explicitTarget == nil, transferRequest.options.trust.pinsExpire == nil
        else { return nil }
        scheme = transferRequest.url.scheme
        port = transferRequest.url.port
        address = transferRequest.address
        proxyAddress = transferRequest.proxyAddress
        tunnel = transferRequest.tunnel
        connectTimeout = transferRequest.connectTimeout
        pool = transferRequest.pool?.number
        isObserved = transferRequest.isObserved
        headers = transferRequest.headers
        options = transferRequest.request.sharedOptions
    }

    static func == (left: HandleOptions, right: HandleOptions) -> Bool {
        left === right
            || left.scheme == right.scheme && left.port == right.port && left.address == right.address && left.proxyAddress == right.proxyAddress
                && left.tunnel == right.tunnel && left.isObserved == right.isObserved
                && left.connectTimeout == right.connectTimeout && left.pool == right.pool && left.headers == right.headers
                && left.options == right.options
    }
}

/// The header fields of the last request in libcurl's notation.
///
/// Programs send the same kind of request many times, so the list is built once. Used on the engine's thread only.
final class FieldListCache {
    private var last: (options: HandleOptions, list: OptionList)?

    /// The fields of an attempt.
    ///
    /// - Parameter options: Identifies the attempts with the same fields; nil for an attempt whose list is not kept.
    func list(for request: TransferRequest, _ options: HandleOptions?) -> OptionList {
        if let options, let last, last.options == options { return last.list }
        let list = OptionList(RequestFields(request).lines)
        if let options { last = (options, list) }
        return list
    }
}

/// A list of lines for an option of libcurl, which handles with the same lines share.
///
/// libcurl only reads it. Used on the engine's thread only.
final class OptionList {
    /// The first element; nil for an empty list.
    let first: UnsafeMutablePointer<curl_slist>?

    init(_ lines: [String]) {
        var list: UnsafeMutablePointer<curl_slist>?
        for line in lines {
            guard let longer = Self.appended(line, to: list) else { continue }
            list = longer
        }
        first = list
    }

    deinit { curl_slist_free_all(first) }

    /// Cookies, and entity tags in conditions, are sent with the bytes that were received; libcurl copies the line.
    private static func appended(_ line: String, to list: UnsafeMutablePointer<curl_slist>?) -> UnsafeMutablePointer<curl_slist>? {
        guard line.hasPrefix("Cookie:") || line.hasPrefix("If-"), FieldOctets.hasOctets(line) else { return curl_slist_append(list, line) }
        return curl_slist_append(list, FieldOctets.bytes(of: line).map(CChar.init(bitPattern:)) + [0])
    }
}

/// The header fields of an attempt before it is sent, in the order in which libcurl writes them: the fields of the
/// request and those that libcurl adds.
///
/// Fields that depend on the connection are missing: the response to a Digest challenge and the boundary of a
/// multipart body.
struct PlannedHeader {
    let fields: Headers

    init(_ request: Request) {
        let transferRequest = TransferRequest(request: request, address: nil, connectTimeout: 0, deadline: nil, isObserved: false)
        let lines = RequestFields(transferRequest).lines
        let own = lines.compactMap(Self.field)
        func has(_ name: String) -> Bool {
            own.contains { $0.isNamed(name) } || lines.contains { $0 == "\(name):" } || request.options.removedFields.contains(name.lowercased())
        }

        var fields: [HeaderField] = []
        if let host = own.first(where: { $0.isNamed("Host") }) {
            fields.append(host)
        } else if !has("Host") {
            fields.append(HeaderField("Host", request.url.authority))
        }
        if !has("Accept") { fields.append(HeaderField("Accept", "*/*")) }
        fields += own.filter { !$0.isNamed("Host") }
        if !has("Content-Length"), let length = Self.length(of: transferRequest) { fields.append(HeaderField("Content-Length", String(length))) }
        if case .multipart = request.body, !has("Content-Type") { fields.append(HeaderField("Content-Type", "multipart/form-data; boundary=…")) }
        self.fields = Headers(fields)
    }

    /// Parses a line in libcurl's notation; nil for a line that removes a field.
    private static func field(_ line: String) -> HeaderField? {
        if line.hasSuffix(";"), !line.contains(":") { return HeaderField(String(line.dropLast()), "") }
        guard let colon = line.firstIndex(of: ":"), line.index(after: colon) < line.endIndex else { return nil }
        return HeaderField(String(line[..<colon]), String(line[colon...].dropFirst(2)))
    }

    private static func length(of request: TransferRequest) -> Int64? {
        switch request.body {
        case .none: [.post, .put, .patch].contains(request.method) ? 0 : nil
        case .bytes, .file: request.bodyLength
        case .multipart: nil
        }
    }
}

/// The header lines of one attempt in libcurl's notation.
struct RequestFields {
    let lines: [String]

    init(_ request: TransferRequest) {
        var lines: [String] = []
        lines.reserveCapacity(request.headers.fields.count + 4)
        let removed = request.options.removedFields
        func isSent(_ name: String) -> Bool { removed.isEmpty || !removed.contains(name.lowercased()) }
        if request.options.decompresses, !request.headers.contains("Accept-Encoding"), isSent("Accept-Encoding") {
            lines.append("Accept-Encoding: \(ContentCoding.offer)")
        }
        for field in request.headers.fields where isSent(field.name) {
            // libcurl computes the length from the file that it opened. A given Content-Length was compared with the
            // file before.
            if case .file = request.body, field.isNamed("Content-Length") { continue }
            // In libcurl's notation "Name:" (with or without whitespace) removes the field, and "Name;" sends it with
            // an empty value.
            lines.append(field.value.allSatisfy(\.isWhitespace) ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        if request.hasBody || request.method == .post || request.method == .put || request.method == .patch {
            if !isSent("Content-Type") {
                // "Content-Type:" is appended below.
            } else if let type = request.body.contentType {
                if !request.headers.contains("Content-Type") { lines.append("Content-Type: \(type)") }
            } else if !request.headers.contains("Content-Type"), !request.body.isMultipart {
                // Without this, libcurl sends `application/x-www-form-urlencoded`.
                lines.append("Content-Type:")
            }
            // By default libcurl sends `Expect: 100-continue` before an upload and waits a second for a server that
            // does not respond to it (`EngineFacts.md` 4.1).
            if !request.headers.contains("Expect"), isSent("Expect") { lines.append(request.asksBeforeBody ? "Expect: 100-continue" : "Expect:") }
        }
        // "Name:" removes a field that libcurl adds; of Host only in this spelling, else libcurl sends an empty one.
        if !removed.isEmpty { lines += removed.sorted().map { $0 == "host" ? "Host:" : "\($0):" } }
        self.lines = lines
    }
}

extension RequestBody {
    fileprivate var isMultipart: Bool {
        if case .multipart = self { true } else { false }
    }
}
