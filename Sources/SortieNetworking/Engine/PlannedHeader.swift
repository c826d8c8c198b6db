internal import SortieHTTP

/// The header fields of an attempt before it is sent, in the order in which libcurl writes them: the fields of the
/// request and those that libcurl adds.
///
/// Fields that depend on the connection are missing: the response to a Digest challenge and the boundary of a
/// multipart body.
struct PlannedHeader {
    let fields: Headers

    init(_ request: Request) {
        let spec = TransferRequest(request: request, address: nil, connectTimeout: 0, deadline: nil, isObserved: false)
        let lines = RequestFields(spec).lines
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
        if !has("Content-Length"), let length = Self.length(of: spec) { fields.append(HeaderField("Content-Length", String(length))) }
        if case .multipart = request.body, !has("Content-Type") { fields.append(HeaderField("Content-Type", "multipart/form-data; boundary=…")) }
        self.fields = Headers(fields)
    }

    /// Parses a line in libcurl's notation; nil for a line that removes a field.
    private static func field(_ line: String) -> HeaderField? {
        if line.hasSuffix(";"), !line.contains(":") { return HeaderField(String(line.dropLast()), "") }
        guard let colon = line.firstIndex(of: ":"), line.index(after: colon) < line.endIndex else { return nil }
        return HeaderField(String(line[..<colon]), String(line[colon...].dropFirst(2)))
    }

    private static func length(of spec: TransferRequest) -> Int64? {
        switch spec.body {
        case .none: [.post, .put, .patch].contains(spec.method) ? 0 : nil
        case .bytes, .file: spec.bodyLength
        case .multipart: nil
        }
    }
}
