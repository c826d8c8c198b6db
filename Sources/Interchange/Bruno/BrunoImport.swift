package import SortieBase
internal import SortieHTTP
package import WorkspaceModel

/// Imports collections of Bruno: folders with `bruno.json`, `.bru` files and environments, or `opencollection.yml` and YAML files; one YAML file; an export
/// as JSON.
package enum BrunoImport: ImportFormat {
    package static let name = "bruno"
    package static let title = "Bruno collections"
    package static let endings = [".bru"]
    package static let worksInPlace = true

    package static func recognizes(_ source: ImportSource) -> Bool {
        if let paths = source.paths { return paths.contains { isCollection($0) || $0.hasSuffix(".bru") } }
        let start = String(decoding: source.start(1 << 12), as: UTF8.self)
        if start.split(whereSeparator: \.isNewline).contains(where: { $0.hasPrefix("opencollection:") }) { return true }
        if start.drop(while: \.isWhitespace).first == "{" { return isExport(JSONOutline.names(in: source.start(1 << 16))) }
        let first = start.split(whereSeparator: \.isNewline).first { !$0.allSatisfy(\.isWhitespace) }
        return first.map(\.trimmingBlanks) == "meta {"
    }

    package static func workspace(from source: ImportSource) throws(Diagnostic) -> ImportedWorkspace {
        guard let paths = source.paths else {
            var collector = BrunoCollector(source, root: "")
            if source.start(1 << 12).first(where: { $0 > 0x20 }) == UInt8(ascii: "{") {
                collector.addJSON(try source.document(source.bytes, file: source.name), file: source.name)
                return try collector.workspace(named: collector.name ?? source.stem)
            }
            if !source.name.lowercased().hasSuffix(".bru"), isYAML(source.start(1 << 12)) {
                try collector.addYAML(source.bytes, file: source.name)
                return try collector.workspace(named: collector.name ?? source.stem)
            }
            try collector.add(source.bytes, file: source.name)
            return try collector.workspace(named: source.name.replacing(".bru", with: ""))
        }
        guard paths.contains(where: { $0.hasSuffix(".bru") }) else { return try yamlWorkspace(from: source, paths) }
        // The collection may be in a folder of the source, such as that of a repository.
        let file = paths.filter { FilePath.name(of: $0) == "bruno.json" }.min { $0.count < $1.count }
        let folder = file.map { FilePath.folder(of: $0) } ?? "."
        let root = folder == "." ? "" : folder + "/"
        var collector = BrunoCollector(source, root: root)
        var name = source.name
        var ignored: [String] = []
        if let file, let bytes = source.file(file), let settings = settings(bytes, file: file, &collector.report) {
            name = settings["name"]?.string ?? name
            collector.reportSettings(settings, file: file)
            ignored = ignoredPaths(settings["ignore"], in: root, paths, file: file, &collector.report)
        }
        for path in paths where path.hasSuffix(".bru") && !isIgnored(path, ignored) {
            read(path, of: source, isPart: path.hasPrefix(root), root, into: &collector) { (collector, bytes) throws(Diagnostic) in
                try collector.add(bytes, file: path)
            }
        }
        for path in paths where isOpenCollection(path) {
            collector.report.add(.omitted, path, "it is another collection; import its folder")
        }
        addGlobalEnvironments(of: source, root, into: &collector)
        return try collector.workspace(named: name)
    }

    package static func text(_ text: String, changing line: Int, from original: Endpoint, to edited: Endpoint) -> String? {
        guard var edit = BruEdit(text), edit.change(from: original, to: edited) else { return nil }
        return edit.text
    }

    package static func document(_ root: SourceNode, changing line: Int, from original: Endpoint, to edited: Endpoint) -> JSONValue? {
        BrunoYAMLEdit.document(root, changing: line, from: original, to: edited)
    }

    /// The workspace of a folder with `opencollection.yml`.
    private static func yamlWorkspace(from source: ImportSource, _ paths: [String]) throws(Diagnostic) -> ImportedWorkspace {
        guard let file = paths.filter({ isOpenCollection($0) }).min(by: { $0.count < $1.count }) else {
            throw Diagnostic(SourceLocation(file: "bruno.json"), "the collection has neither .bru files nor opencollection.yml")
        }
        let root = FilePath.folder(of: file) == "." ? "" : FilePath.folder(of: file) + "/"
        var collector = BrunoCollector(source, root: root)
        let globals = globalEnvironments(in: paths, root)
        var ignored: [String] = []
        if let bytes = source.file(file) {
            // A malformed file is a line of the report where it is read as a part.
            let settings = Result(catching: { () throws(Diagnostic) in try source.document(bytes, file: file) })
            if case .success(let settings) = settings {
                ignored = ignoredPaths(settings["extensions"]?["bruno"]?["ignore"], in: root, paths, file: file, &collector.report)
            }
        }
        for path in paths where (path.hasSuffix(".yml") || path.hasSuffix(".yaml")) && !isIgnored(path, ignored) && !globals.contains(path) {
            let isPart = path.hasPrefix(root) && (path == file || !isOpenCollection(path))
            read(path, of: source, isPart: isPart, root, into: &collector) { (collector, bytes) throws(Diagnostic) in
                try collector.addYAML(bytes, file: path)
            }
        }
        addGlobalEnvironments(of: source, root, into: &collector)
        return try collector.workspace(named: collector.name ?? source.name)
    }

    /// Adds the environments of the workspace of Bruno that contains the collection.
    private static func addGlobalEnvironments(of source: ImportSource, _ root: String, into collector: inout BrunoCollector) {
        for path in globalEnvironments(in: source.paths ?? [], root) {
            read(path, of: source, isPart: true, root, into: &collector) { (collector, bytes) throws(Diagnostic) in
                try collector.addGlobalEnvironment(bytes, file: path)
            }
        }
    }

    /// The files of a workspace of Bruno around the collection: `workspace.yml`, which only names the collections, is not among them.
    private static func globalEnvironments(in paths: [String], _ root: String) -> [String] {
        let files = ["workspace.yml", "workspace.yaml"]
        guard let file = paths.first(where: { files.contains(FilePath.name(of: $0)) }) else { return [] }
        let folder = FilePath.folder(of: file) == "." ? "" : FilePath.folder(of: file) + "/"
        guard root.hasPrefix(folder), root != folder else { return [] }
        return paths.filter { $0.hasPrefix(folder + "environments/") && ($0.hasSuffix(".yml") || $0.hasSuffix(".yaml")) }
    }

    /// The paths that the settings of a collection tell Bruno to ignore; each that has files is a line of the report.
    private static func ignoredPaths(
        _ list: SourceNode?, in root: String, _ paths: [String], file: String, _ report: inout ImportReport
    ) -> [String] {
        let ignored = (list?.items ?? []).compactMap { node -> (path: String, node: SourceNode)? in
            guard let text = node.text?.trimmingBlanks, !text.isEmpty else { return nil }
            return (root + FilePath.normalized(text), node)
        }
        for (path, node) in ignored where paths.contains(where: { isIgnored($0, [path]) }) {
            report.add(.omitted, path, "Bruno ignores it, as the settings of the collection say", place: node.place(in: file))
        }
        return ignored.map(\.path)
    }

    private static func isIgnored(_ path: String, _ ignored: [String]) -> Bool { ignored.contains { path == $0 || path.hasPrefix($0 + "/") } }

    /// Whether the names of a JSON document are those of an exported collection.
    private static func isExport(_ names: Set<String>) -> Bool {
        names.contains("brunoConfig")
            || names.contains("name") && names.contains("items[].type") && (names.contains("items[].request") || names.contains("items[].items"))
    }

    /// Reads a file of a collection; one that is not part of it, or that cannot be read, is a line of the report.
    private static func read(
        _ path: String, of source: ImportSource, isPart: Bool, _ root: String, into collector: inout BrunoCollector,
        _ add: (inout BrunoCollector, [UInt8]) throws(Diagnostic) -> Void
    ) {
        guard isPart else {
            return collector.report.add(.omitted, path, "it is not part of the collection in \(root.isEmpty ? "." : root)")
        }
        guard let bytes = source.file(path) else { return collector.report.add(.omitted, path, "the file cannot be read, or is too large") }
        do throws(Diagnostic) { try add(&collector, bytes) } catch {
            collector.report.add(.omitted, path, error.message, place: error.location)
        }
    }

    private static func isYAML(_ bytes: ArraySlice<UInt8>) -> Bool { !bytes.drop { $0 <= 0x20 }.starts(with: "meta {".utf8) }

    /// The settings of a collection; nil, with a line of the report, where they are malformed.
    private static func settings(_ bytes: [UInt8], file: String, _ report: inout ImportReport) -> SourceNode? {
        do throws(Diagnostic) { return try SourceJSON.node(parsing: bytes, file: file) } catch {
            report.add(.omitted, file, error.message, place: error.location)
            return nil
        }
    }

    private static func isCollection(_ path: String) -> Bool { FilePath.name(of: path) == "bruno.json" || isOpenCollection(path) }

    private static func isOpenCollection(_ path: String) -> Bool {
        ["opencollection.yml", "opencollection.yaml"].contains(FilePath.name(of: path).lowercased())
    }
}

/// The credentials in the blocks of a request, of a folder or of a collection.
struct BrunoAuth {
    /// The credentials; none where they cannot be expressed.
    private(set) var auth = Auth.none
    /// What was changed or omitted.
    private(set) var notes: [ForeignVariables.Note] = []

    /// Reads the block of a mode.
    init(_ mode: String, _ blocks: [BruBlock], _ templates: inout BrunoTemplates) {
        let block = blocks["auth:\(mode)"]
        func value(_ name: String) -> String { templates.text(block?[name] ?? "") }
        switch mode {
        case "none": break
        case "inherit": auth = .inherit
        case "bearer": auth = .bearer(token: value("token"))
        case "basic": auth = .basic(user: value("username"), password: value("password"))
        case "digest": auth = .digest(user: value("username"), password: value("password"))
        case "ntlm":
            let (user, domain) = (value("username"), value("domain"))
            auth = .ntlm(NTLMCredential(user: domain.isEmpty ? user : "\(domain)\\\(user)", password: value("password")))
        case "apikey":
            let key = APIKey(name: value("key"), value: value("value"), in: block?["placement"]?.hasPrefix("query") == true ? .query : .header)
            if key.name.isEmpty { omit("the API key has no name; add the header field") } else { auth = .apiKey(key) }
        case "awsv4":
            if let profile = block?["profileName"], !profile.isEmpty { omit("the profile \(profile) of AWS is not read; write its keys as secrets") }
            auth = .awsSigV4(
                AWSCredential(
                    region: value("region"), service: value("service"), accessKey: value("accessKeyId"), secretKey: value("secretAccessKey"),
                    sessionToken: value("sessionToken")))
        case "wsse":
            auth = .signature(SignatureCredential(.wsse, ["user": value("username"), "password": value("password")]))
            notes.append((.changed, "the digest of X-WSSE is in Base64, instead of its hexadecimal digits in Base64"))
        case "oauth2": setOAuth2(block, &templates)
        default: omit("\(mode) authentication is not made; write the credentials as a field")
        }
    }

    private mutating func omit(_ reason: ImportReason) { notes.append((.omitted, reason)) }

    private mutating func setOAuth2(_ block: BruBlock?, _ templates: inout BrunoTemplates) {
        func raw(_ name: String) -> String { block?[name] ?? "" }
        do throws(ImportedOAuth2.Refusal) {
            let (settings, change) = try ImportedOAuth2.settings(grant: raw("grant_type"), sendsClientInBody: raw("credentials_placement") == "body")
            {
                templates.text(raw(Self.names[$0] ?? $0.rawValue))
            }
            auth = .oauth2(settings)
            if let change { notes.append((.changed, change)) }
        } catch { return omit(ImportReason(error.reason)) }
        let prefix = raw("token_header_prefix")
        if raw("token_placement") == "url" {
            notes.append((.changed, "the token is sent as a field instead of the parameter \(raw("token_query_key"))"))
        } else if !prefix.isEmpty, prefix.lowercased() != "bearer" {
            notes.append((.changed, "the token is sent with Bearer instead of \(prefix)"))
        }
        let refresh = raw("refresh_token_url")
        if !refresh.isEmpty, refresh != raw("access_token_url") { omit("OAuth 2: the token is renewed at the token URL instead of \(refresh)") }
    }

    /// The names of settings in a block where they differ from ours.
    private static let names: [OAuth2.Field: String] = [
        .grant: "grant_type", .authorizationURL: "authorization_url", .deviceURL: "device_authorization_url", .tokenURL: "access_token_url",
        .redirectURL: "callback_url", .clientID: "client_id", .clientSecret: "client_secret", .clientAuthentication: "credentials_placement",
        .user: "username",
    ]
}

/// Translates the templates of Bruno.
struct BrunoTemplates {
    private var variables = ForeignVariables()

    /// What is not translated, or with another meaning.
    var notes: [ForeignVariables.Note] { variables.notes }

    /// A text with the templates of Sortie.
    mutating func text(_ text: String) -> String { ForeignText.translated(text) { template(for: $0) } }

    private mutating func template(for inner: String) -> String {
        let environment = "process.env."
        if inner.hasPrefix(environment) {
            let name = String(inner.dropFirst(environment.count))
            if EnvironmentFile.isVariableName(name) {
                variables.note(.changed, "{{\(inner)}}: the value comes from the environment variable \(name), not from .env")
                return "{{$env.\(name)}}"
            }
        }
        if inner.hasPrefix("?") {
            let label = inner.dropFirst().trimmingBlanks.filter { !"={}|".contains($0) }
            return "{{$prompt \(label.isEmpty ? "Value" : label)}}"
        }
        return variables.template(for: inner)
    }

    /// The row with translated name and value.
    mutating func parameter(_ pair: BruBlock.Pair) -> Parameter {
        Parameter(text(pair.name), text(pair.value), isEnabled: pair.isEnabled, summary: pair.summary)
    }
}
