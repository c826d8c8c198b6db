import FoundationEssentials
import HistoryModel
import SortieBase
import SortieHTTP

@testable import SortieStorage
@testable import WorkspaceModel

private let keys = [
    "path: /a\n", "method: POST\n", "query: {a: 1}\n", "headers:\n  - {name: A, value: b}\n", "body:\n  json:\n    a: 1\n", "auth: {bearer: x}\n",
    "expect: {status: 200}\n", "# comment\n", "- ", "&a ", "*a", "<<: ", "|\n  ", ">-\n", "\"", "'", "!!str ", "timeout: 5s\n", "\r\n",
]

private let serviceKeys = [
    "servers: {test: [\"http://h\"]}\n", "environments: {test: {a: b}}\n", "variables:\n", "secrets: {t: {command: x}}\n",
    "limits: {connections: 2}\n",
    "trust: {pin: [", "proxy: {pac: ", "tunnel: {", "addresses: {", "plugins:\n", "hooks:\n", "envelope: {", "contract: ", "switchServers: {",
    "publicParameters:\n", "timeout: {connect: 5s}\n", "headers:\n  A: b\n", "auth: {bearer: x}\n", "\u{0}", "- ", "{", "}", "[", "]",
]

let workspaceTargets: [FuzzTarget] = [
    FuzzTarget("yaml", words: keys) { input in
        func result(_ size: Int) -> String {
            do throws(Diagnostic) { return "\(try YAMLSource.node(parsing: input.bytes, file: "f", inPiecesOf: size).json.text)" } catch {
                return "\(error)"
            }
        }
        let whole = result(.max)
        for size in [1, 30] { try requireEqual(result(size), whole, "the document in pieces of \(size) bytes") }
    },
    FuzzTarget("yaml-text", longest: 256, words: ["\n", "  ", ": ", "#", "'", "\"", "\\", "yes", "0x1", "~", "\u{85}", "\u{FEFF}", "\t", "- "]) {
        input in
        let text = input.text
        for value in [YAMLValue.text(text), .string(text), .block(text)] {
            let document = YAMLValue.mapping([
                .init("a", value), .init(text, .sequence([value, .mapping([.init("b", value)])])), .init("c", .text("end")),
            ])
            let written = YAMLText.block(document, indentation: 0) + "\n"
            guard text.unicodeScalars.allSatisfy({ $0 != "\u{FFFE}" && $0 != "\u{FFFF}" }), text != "a", text != "c", text.utf8.count < 200 else {
                return
            }
            guard let root = try? YAMLDocument(stored: written, name: "f").root else { continue }
            // Callers compare what they read back, and write in another form where it differs; a text in quotes has every form.
            guard case .string = value, !text.contains(where: \.isNewline) else { continue }
            try requireEqual(root["a"]?.text, text, "the text in \(written)")
            try requireEqual(root["c"]?.text, "end", "the member after the text in \(written)")
        }
        for style in [YAMLScalar.Style.doubleQuoted, .singleQuoted] {
            let quoted = YAMLText.scalar(.string(text), style: style, inFlow: true)
            try requireEqual(YAMLDocument(stored: "[\(quoted), b]", name: "f").root?.items?.map(\.text), [text, "b"], "the items of [\(quoted), b]")
        }
    },
    FuzzTarget("endpoint-file", words: keys) { input in
        guard let file = EndpointFile(input.bytes) else { return }
        try require(file.saved(file.endpoint)?.bytes == input.bytes, "saving without an edit changes the file")
        for change in EndpointFile.changes {
            var wanted = file.endpoint
            change(&wanted)
            guard let saved = file.saved(wanted) else { continue }
            try require(saved.endpoint == file.folder.normalized(wanted, file: "s/a.yaml"), "the file has another endpoint")
            // Lines that are comments stay, whatever changes.
            let comments = lines(input.bytes).filter { $0.first == UInt8(ascii: "#") }
            if !input.bytes.contains(where: { "|>\"'[{&*".utf8.contains($0) }) {
                let left = lines(saved.bytes)
                for comment in comments { try require(left.contains(comment), "the comment \(String(decoding: comment, as: UTF8.self)) is lost") }
            }
        }
    },
    FuzzTarget("endpoint-sections", words: keys) { input in
        let sections = YAMLSections()
        for section in EndpointSection.allCases {
            var endpoint = Endpoint(target: "s/a", name: "a", path: "/")
            guard sections.problem(of: input.text, as: section) == nil else { continue }
            sections.set(section, of: &endpoint, to: input.text)
            var again = Endpoint(target: "s/a", name: "a", path: "/")
            let text = sections.text(of: section, in: endpoint)
            sections.set(section, of: &again, to: text)
            try requireEqual(sections.text(of: section, in: again), text, "the text of the section \(section)")
        }
    },
    FuzzTarget("service-file", words: serviceKeys) { input in
        let workspace = Workspace(name: "w", folder: "/nowhere")
        func service(_ bytes: [UInt8]) -> (service: Service, problems: [Diagnostic])? {
            guard let document = try? YAMLDocument(bytes: bytes, file: "s/service.yaml") else { return nil }
            var reader = NodeReader(file: "s/service.yaml", folder: "/nowhere/s", folders: nil)
            let service = reader.service(document.root, folder: "s", workspace: workspace)
            return (service, reader.problems)
        }
        let half = input.bytes.firstIndex(of: 0) ?? input.bytes.count
        guard let (old, problems) = service(Array(input.bytes[..<half])), let (new, _) = service(Array(input.bytes[half...].dropFirst())) else {
            return
        }
        for problem in problems { try require(problem.location.line >= 1, "\(problem)") }
        for (base, ours, theirs, expected) in [(old, new, old, new), (old, old, new, new), (old, new, new, new)] {
            let merge = ServiceMerge(base: base, ours: ours, theirs: theirs)
            try require(ServiceMerge.isSame(merge.service, expected) && merge.conflicts.isEmpty, "a merge with one change: \(merge)")
        }
        guard problems.isEmpty else { return }
        let members = ServiceForm(root: "/nowhere").members(of: old)
        guard let again = service(Array((YAMLText.block(.mapping(members), indentation: 0) + "\n").utf8)), again.problems.isEmpty else { return }
        try requireEqual(ServiceForm(root: "/nowhere").members(of: again.service), members, "the members of the written service")
    },
    FuzzTarget("workspace-files", words: serviceKeys + ["chain:\n", "batch:\n", "- send: s/a\n", "parallel:\n", "repeat: ", "when: [", "data: "]) {
        input in
        guard let document = try? YAMLDocument(bytes: input.bytes, file: "f") else { return }
        var workspace = Workspace(name: "w", folder: "/nowhere")
        var reader = NodeReader(file: "workspace.yaml", folder: "/nowhere", folders: nil)
        reader.fill(&workspace, from: document.root)
        var targets = KnownTargets(["s/a", "s/b"])
        if let run = reader.run(document.root, name: "r", targets: &targets, captures: ["s/a": ["x"]], isInside: { _ in false }) {
            let areKnown = run.steps.allSatisfy { ["s/a", "s/b"].contains($0.target) }
            try require(areKnown || !reader.problems.isEmpty, "a step of an unknown endpoint is no problem")
        }
        for problem in reader.problems { try require(problem.location.line >= 1, "\(problem)") }
    },
    FuzzTarget("settings-file", words: ["theme: ", "keymap: vi\n", "themes:\n", "keys: {", "editor: ", "open:\n"]) { input in
        guard let document = try? YAMLDocument(bytes: input.bytes, file: "config.yaml") else { return }
        var settings = Settings()
        var reader = NodeReader(file: "config.yaml", folder: "/", folders: nil)
        reader.fill(&settings, from: document.root)
        for problem in reader.problems { try require(problem.location.line >= 1, "\(problem)") }
    },
    FuzzTarget("data-rows", words: ["a,b\n", "\"", "\"\"", "\r\n", "{\"a\":1}", "[", "]"]) { input in
        guard let rows = try? DataRows.parse(input.text, file: "f") else { return }
        try require(Set(rows.map { $0.keys.sorted() }).count <= 1 || input.text.contains("{"), "rows of CSV have different names")
    },
    FuzzTarget("template", longest: 512, words: ["{{", "}}", "{{$uuid}}", "{{$date ", "|raw", "{{$braces}}", "{{a.b}}"]) { input in
        let text = input.text
        let written = Template(text).segments.map(\.description).joined()
        try requireEqual(Template(written).segments, Template(text).segments, "the segments of the text of a template")
        try require(
            Template(Template.quoting(text)).segments.allSatisfy { if case .variable = $0 { false } else { true } }, "a quoted text has a variable")
        if !text.contains("{{$braces}}") { try requireEqual(Template.unquoting(Template.quoting(text)), text, "the text that was quoted") }
    },
    FuzzTarget("url-text", longest: 512, words: ["{{host}}", "?", "&", "=", "#", "%20", "/:id", "/{id}"]) { input in
        let typed = URLText(input.text)
        let again = URLText(typed.text)
        try requireEqual(again.text, typed.text, "the text of a typed URL")
        try requireEqual(again.rows.map(\.value), typed.rows.map(\.value), "the rows of a typed URL")
        var endpoint = Endpoint(target: "s/a", name: "a", path: input.text)
        endpoint.setURL(input.text)
        _ = PathTemplate(input.text).segments
        _ = TypedURL.completed(input.text)
    },
    FuzzTarget("history-filter", longest: 256, words: ["status:", ">=", "host:", "-", "\"", "after:", "4xx"]) { input in
        _ = try? HistoryFilter(parsing: input.text, now: Date(timeIntervalSince1970: 1_800_000_000))
    },
    FuzzTarget("hook-output", words: ["{\"headers\":", "\"body\":", "\"checks\":[", "\"url\":", "null"]) { input in
        for stage in HookSetting.Stage.allCases {
            guard let output = try? HookOutput(parsing: input.bytes, at: stage) else { continue }
            var request = Request(method: .get, url: HTTPURL(scheme: .http, host: "h"))
            output.apply(to: &request)
        }
    },
]

private func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] { bytes.split { $0 == 0x0A || $0 == 0x0D } }

/// The file of an endpoint in memory, with the steps of saving that need no disk.
private struct EndpointFile {
    let folder = WorkspaceFolder(path: "/nowhere", UserFolders(environment: [:], current: "/nowhere"))
    let document: YAMLDocument
    let bytes: [UInt8]
    let endpoint: Endpoint

    private static let base = WorkspaceFolder.Inherited(timeouts: Timeouts(), parameters: ParameterStyle())

    /// Edits as the workbench makes them.
    static let changes: [@Sendable (inout Endpoint) -> Void] = [
        { $0.name = "Renamed: [x]" },
        { $0.path = "/changed?b=#c" },
        { $0.query.append(Parameter("new", "a: b # c")) },
        { if !$0.query.isEmpty { $0.query.removeFirst() } },
        { $0.headers.insert(Parameter("X-New", "1"), at: 0) },
        { $0.body = .json("{\"a\": [1, \"two\"]}") },
        { $0.summary = "one\ntwo: three" },
        { $0.retry = nil },
    ]

    /// nil for a file that is no endpoint, or one that extends another.
    init?(_ bytes: [UInt8]) {
        guard let document = try? YAMLDocument(bytes: bytes, file: "s/a.yaml"),
            let endpoint = folder.parse(bytes, file: "s/a.yaml", target: "s/a", base: Self.base), endpoint.extends == nil
        else { return nil }
        (self.document, self.bytes, self.endpoint) = (document, bytes, endpoint)
    }

    /// The text and the endpoint after saving; nil where the file cannot express the endpoint.
    func saved(_ changed: Endpoint) -> (bytes: [UInt8], endpoint: Endpoint)? {
        let wanted = folder.normalized(changed, file: "s/a.yaml")
        if folder.same(wanted, endpoint) { return (bytes, endpoint) }
        func form(of endpoint: Endpoint) -> YAMLValue {
            EndpointForm(source: document.root, original: self.endpoint, folder: "/nowhere/s", root: "/nowhere", base: Self.base.timeouts).value(
                of: endpoint)
        }
        let edit = FileEdit(
            document: document, names: WorkspaceKeys.endpoint.names, old: form(of: endpoint), new: form(of: wanted),
            unreadable: folder.unreadable(in: document, file: "s/a.yaml", target: "s/a", base: Self.base))
        for bytes in edit.candidates() {
            guard var result = folder.parse(bytes, file: "s/a.yaml", target: "s/a", base: Self.base), folder.same(result, wanted) else { continue }
            result.location = wanted.location
            return (bytes, result)
        }
        return nil
    }
}
