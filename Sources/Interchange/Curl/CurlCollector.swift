internal import SortieBase
internal import SortieHTTP
internal import WorkspaceModel

/// Collects the endpoints of curl commands in services.
struct CurlCollector {
    let source: ImportSource
    var report = ImportReport()
    private var services: [ImportedService] = []
    private var ids: [String: Int] = [:]

    init(source: ImportSource) {
        self.source = source
    }

    /// Whether there is no endpoint.
    var isEmpty: Bool { services.isEmpty }

    /// Adds the endpoints of one group of options.
    mutating func add(_ arguments: CurlArguments, input: ShellCommand.Input, at place: SourceLocation) throws(Diagnostic) {
        let settings = CurlSettings(arguments, input: input, source: source)
        guard !settings.urls.isEmpty else {
            return report.add(.omitted, "curl", "the command has no URL", place: place)
        }
        for upload in settings.uploads.dropFirst(settings.urls.count) {
            report.add(.omitted, ShellText.display(upload.value), "\(upload.written): there is no URL for this file", place: upload.place)
        }
        for (index, url) in settings.urls.enumerated() {
            let texts = expanded(url.text, at: url.place, isGlobbed: settings.expandsGlobs)
            for upload in uploads(settings, at: index) {
                for text in texts { try add(CurlEndpoint(settings, url: text, upload: upload, at: url.place), at: url.place) }
            }
        }
    }

    private mutating func add(_ builder: CurlEndpoint, at place: SourceLocation) throws(Diagnostic) {
        var builder = builder
        guard let built = try builder.build() else {
            report.entries += builder.notes
            return
        }
        let id = identity(of: built)
        report.add(.imported, built.endpoint.name, place: place, id: id)
        report.entries += builder.notes.map { note in
            var note = note
            note.item = built.endpoint.name
            note.id = id
            return note
        }
        insert(ImportedEndpoint(id: id, built.endpoint, bodyBytes: built.bodyBytes), in: built.service, server: built.server)
    }

    /// The files that are sent to a URL, one request for each; a nil for a request without a file.
    private mutating func uploads(_ settings: CurlSettings, at index: Int) -> [CurlArguments.Option?] {
        guard index < settings.uploads.count else { return [nil] }
        let upload = settings.uploads[index]
        // An empty path is no upload.
        guard !upload.value.isEmpty else { return [nil] }
        return expanded(upload.value, at: upload.place, isGlobbed: settings.expandsGlobs).map { path in
            var option = upload
            option.value = path
            return option
        }
    }

    private mutating func insert(_ endpoint: ImportedEndpoint, in service: Service, server: String) {
        let id = "service \(server) \(CurlIdentity.text(of: service))"
        if let index = services.firstIndex(where: { $0.id == id }) {
            services[index].items.append(.endpoint(endpoint))
        } else {
            services.append(ImportedService(id: id, service, items: [.endpoint(endpoint)]))
        }
    }

    /// The URLs or paths of a pattern; none, with a line in the report, where there are too many or the pattern is malformed.
    private mutating func expanded(_ text: String, at place: SourceLocation, isGlobbed: Bool) -> [String] {
        guard isGlobbed, ShellText.isPlain(text) else { return [text] }
        let glob = CurlGlob(text)
        if let urls = glob.urls { return urls }
        let reason =
            glob.count > CurlGlob.limit
            ? "the pattern stands for more than \(CurlGlob.limit) URLs, which are not imported; write the ones that you need"
            : "the brackets or braces are no pattern of curl, which refuses such a URL; -g turns patterns off"
        report.add(.omitted, ShellText.display(text), reason, place: place)
        return []
    }

    /// The identity of a command: the same command is the same endpoint when it is imported again.
    ///
    /// It is written to a shared file, so it is made from the endpoint without its credentials, which a hash would let others guess.
    private mutating func identity(of built: CurlEndpoint.Built) -> String {
        var workspace = ImportedWorkspace(name: "")
        workspace.services = [ImportedService(id: "", built.service, items: [.endpoint(ImportedEndpoint(id: "", built.endpoint))])]
        var endpoint = built.endpoint
        let extracted = SecretExtraction.extracting(from: workspace, into: nil)
        if case .endpoint(let item)? = extracted.services.first?.items.first { endpoint = item.endpoint }
        let rows = (endpoint.query + endpoint.headers).flatMap { [$0.name, $0.value] }
        let parts = [built.server, endpoint.method.rawValue, endpoint.path] + rows + ["\(endpoint.body)", "\(endpoint.auth)"]
        let id = "curl " + CurlIdentity.hash(parts.joined(separator: "\0") + String(decoding: built.bodyBytes ?? [], as: UTF8.self))
        return ids.numbered(id)
    }

    /// The collected workspace.
    ///
    /// - Throws: The reason of the first omission where nothing can be imported.
    func workspace() throws(Diagnostic) -> ImportedWorkspace {
        guard let first = services.first else { throw report.nothingImported(from: source.name) }
        var workspace = ImportedWorkspace(name: first.service.name)
        workspace.services = services
        workspace.report = report
        workspace.isComplete = false
        return workspace
    }
}

/// Texts that identify commands and services.
enum CurlIdentity {
    /// A hash of a text (FNV-1a, 64 bits); it need not be secure, and is stable across versions.
    static func hash(_ text: String) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return String(hash, radix: 16)
    }

    /// What makes the settings of two services on one server different.
    static func text(of service: Service) -> String {
        let trust = service.trust
        let parts: [String?] = [
            service.proxy.map { "proxy \($0.url.split(separator: "@").last ?? "") \($0.except) \($0.certificateAuthorityFile ?? "")" },
            trust.$isInsecure.map { "insecure \($0)" },
            trust.certificateAuthorityFile, trust.clientCertificateFile, trust.clientKeyFile, trust.$pins?.joined(separator: " "),
            trust.$pinFiles?.joined(separator: " "), trust.$minimumTLS?.rawValue,
            service.addresses.fixed.isEmpty ? nil : service.addresses.fixed.map(\.description).joined(separator: " "),
        ]
        let text = parts.compactMap(\.self).joined(separator: "\0")
        return text.isEmpty ? "" : hash(text)
    }
}

/// The patterns in URLs of curl: `{a,b}`, `[1-9]`, `[a-z:2]` (curl manual page, URL).
struct CurlGlob {
    /// The most URLs that a pattern is expanded to.
    static let limit = 100

    /// The URLs; nil for a malformed pattern.
    private(set) var urls: [String]?
    /// The number of URLs of the pattern, which may be more than the limit.
    private(set) var count = 0

    init(_ text: String) {
        var lists: [[String]] = []
        var rest = text[...]
        var literal = ""
        while let character = rest.popFirst() {
            if character == "\\", let next = rest.first, "{}[]".contains(next) {
                literal.append(next)
                rest.removeFirst()
            } else if character == "{" {
                guard let items = Self.items(&rest) else { return }
                lists += [[literal], items]
                literal = ""
            } else if character == "}" || character == "]" {
                return
            } else if character == "[" {
                guard let end = rest.firstIndex(of: "]") else { return }
                let content = rest[..<end]
                if content.isEmpty || Self.isAddress(content) {
                    // Empty brackets are literal, as in a name of PHP.
                    literal += "[\(content)]"
                } else if let range = Self.range(content) {
                    lists += [[literal], range]
                    literal = ""
                } else {
                    return
                }
                rest = rest[rest.index(after: end)...]
            } else {
                literal.append(character)
            }
        }
        lists.append([literal])
        var count = 1
        for list in lists { count = count.multipliedReportingOverflow(by: list.count).overflow ? .max : count * list.count }
        self.count = count
        guard count <= Self.limit else { return }
        urls = lists.reduce([""]) { left, right in left.flatMap { start in right.map { start + $0 } } }
    }

    /// Whether the text in brackets is an IPv6 address.
    private static func isAddress(_ text: Substring) -> Bool {
        text.contains(":") && text.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." || $0 == "%" } && !text.contains("-")
    }

    /// The items up to the closing brace, behind which `rest` begins; nil for a list that curl refuses: empty, nested or not closed.
    private static func items(_ rest: inout Substring) -> [String]? {
        // A name in front, `<name>`, is only for file names of output.
        rest = named(rest)
        var items = [""]
        while let character = rest.popFirst() {
            switch character {
            case "}": return items == [""] ? nil : items
            case "{", "[", "]": return nil
            case ",": items.append("")
            case "\\" where !rest.isEmpty: items[items.count - 1].append(rest.removeFirst())
            default: items[items.count - 1].append(character)
            }
        }
        return nil
    }

    private static func named(_ text: Substring) -> Substring {
        guard text.first == "<", let end = text.firstIndex(of: ">") else { return text }
        return text[text.index(after: end)...]
    }

    private static func range(_ text: Substring) -> [String]? {
        let parts = named(text).split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let step = parts.count == 2 ? Int(parts[1]) : 1
        let bounds = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard let step, step > 0, bounds.count == 2, let first = bounds[0].first, let last = bounds[1].first else { return nil }
        if let low = Int(bounds[0]), let high = Int(bounds[1]), low <= high {
            let width = bounds[0].first == "0" ? bounds[0].count : 0
            return strided(low, high, step).map { $0.padded(to: width) }
        }
        guard bounds[0].count == 1, bounds[1].count == 1, let low = first.asciiValue, let high = last.asciiValue, low <= high, first.isLetter,
            last.isLetter
        else { return nil }
        return strided(Int(low), Int(high), step).map { String(Character(Unicode.Scalar(UInt8($0)))) }
    }

    /// The numbers, one more than the limit at most.
    private static func strided(_ low: Int, _ high: Int, _ step: Int) -> [Int] {
        var result: [Int] = []
        var value = low
        while value <= high, result.count <= limit {
            result.append(value)
            let (next, overflow) = value.addingReportingOverflow(step)
            if overflow { break }
            value = next
        }
        return result
    }
}
