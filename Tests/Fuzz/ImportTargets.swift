import SortieBase
import SortieHTTP
import WorkspaceModel

@testable import Interchange
@testable import SortieStorage

/// The directories of the corpora with files of a format.
private let corpora: [String: [String]] = [
    "har": ["har"], "postman": ["postman"], "insomnia": ["insomnia"], "openapi": ["openapi"], "curl": ["curlconverter"], "bruno": ["bruno"],
    "http": ["http-files"],
]

private let words: [String: [String]] = [
    "har": ["{\"log\":{\"entries\":[{\"request\":{", "\"method\":\"GET\"", "\"url\":\"http://h/\"", "\"postData\":{", "\"params\":["],
    "postman": [
        "{\"info\":{\"schema\":\"https://schema.getpostman.com/json/collection/v2.1.0/collection.json\"},\"item\":[", "\"request\":{", "{{x}}",
    ],
    "curl": ["curl ", "-H '", "--data-raw ", "-F a=@b", "-u a:b", "$'\\x41'", "\\\n", "http://h/", "-X POST", "--json ", "-b "],
    "http": ["### a\n", "GET http://h/\n", "@a = b\n", "\n\n", "> {%\n", "%}\n", "{{a}}", "< ./a.json", "# @name x\n"],
    "hurl": ["GET http://h/\n", "HTTP 200\n", "[Asserts]\n", "jsonpath \"$.a\" == 1\n", "[Captures]\n", "[QueryStringParams]\n", "```json\n"],
    "bruno": ["meta {\n", "get {\n", "}\n", "url: http://h/\n", "body:json {\n", "script:post-response {\n", "assert {\n", "vars:pre-request {\n"],
    "fetch": [
        "fetch(\"http://h/\", {", "\"headers\": {", "\"body\": \"", "\"method\": \"POST\"", "});", "const a = ", "axios.post(", "a.append(\"b\", a)",
        "`${a}`", "new FormData()", "a => ", "axios.create({baseURL: a})",
    ],
    "python": [
        "import requests\n", "requests.get(\"http://h/\"", "a = ", "f\"{a}\"", ", json={\"a\": a}", ")\n", "s = requests.Session()\n",
        "s.headers[\"a\"] = ",
        "def f(a):\n    ", "open(\"a\")", "json.dumps(",
    ],
    "powershell": [
        "Invoke-WebRequest ", "-Uri \"http://h/\"", "-Headers @{", "\"a\"=\"b\"\n", "}", "-Body ", "`\"", "$(", "@'\n", "\n'@", "[char]10",
    ],
    "slumber": [
        "requests:\n", "method: GET", "url: http://h/", "{{ a }}", " | jsonpath('$.a')", "!request", "profiles:\n", "body: {type: json, data: ",
    ],
    "insomnia": ["{\"resources\":[", "\"_type\":\"request\"", "\"url\":\"http://h/\"", "{% response 'body', 'r', 'b64::JC5h' %}", "{{ _.a }}"],
    "markdown": [
        "```sh\n", "```http\n", "```\n", "~~~\n", "> ", "    ", "$ ", "curl http://h/ ", "`curl http://h/`", "GET http://h/\n", "'", "\\\n",
    ],
    "openapi": ["\"openapi\":\"3.1.0\"", "\"paths\":{\"/a\":{\"get\":{", "\"$ref\":\"#/", "\"schema\":{", "\"parameters\":[", "\"example\":"],
]

let importTargets: [FuzzTarget] =
    ImportFormats.all.map { format in
        FuzzTarget("import-\(format.name)", corpora: corpora[format.name] ?? [], longest: 8192, words: words[format.name] ?? []) { input in
            let source = ImportSource(name: "file" + (format.endings.first ?? ""), bytes: input.bytes, yaml: YAMLSource.node)
            _ = format.recognizes(source)
            guard let workspace = try? format.workspace(from: source) else { return }
            for endpoint in endpoints(of: workspace) { try checkText(of: endpoint) }
            if format.worksInPlace { try checkEdits(of: source, format) }
        }
    } + [
        FuzzTarget("export", corpora: ["http-files"], words: words["http"] ?? []) { input in
            guard let imported = try? HTTPFileImport.workspace(from: ImportSource(name: "a.http", bytes: input.bytes)) else { return }
            let workspace = PlacedImport(imported, into: nil, folder: "/w", sourceFolder: "/w", known: [:], taken: []).workspace
            for format in ExportFormats.all {
                let resolver = ExportResolver(
                    workspace: workspace, environment: PlacedImport.defaultEnvironment, placeholders: ExportPlaceholder(mark: "0123456789abcdef"),
                    isProgram: format.isProgram
                ) { name, _ in name }
                for endpoint in workspace.endpoints.prefix(4) {
                    guard let item = try? resolver.item(for: endpoint) else { continue }
                    let source = ExportSource(name: "s", workspace: workspace, environment: PlacedImport.defaultEnvironment, items: [item])
                    guard let text = try? format.text(of: source) else { continue }
                    try require(text.hasSuffix("\n"), "the text of \(format.name) has no line break at its end")
                    // A host with a variable is none for an import of other formats.
                    guard let again = ImportFormats.named(format.name) else { continue }
                    _ = try? again.workspace(from: ImportSource(name: "a", bytes: Array(text.utf8), yaml: YAMLSource.node))
                }
            }
        },
        FuzzTarget("shell", words: ["'", "'\u{301}", "\"", "$'", "\\", "\n", "#", ";", "|", "<<E\n", "^", "`"]) { input in
            let text = input.text
            // A control character is written with a command, which an import does not run.
            guard !text.unicodeScalars.contains(where: ShellQuote.isHidden) else { return }
            let workspace = try CurlImport.workspace(
                from: ImportSource(
                    name: "c.sh", bytes: Array("curl http://h/ --data-raw \(ShellQuote.quoted(text)) -H 'Content-Type: text/plain'\n".utf8)))
            guard case .text(let body, _)? = endpoints(of: workspace).first?.body else { return }
            try requireEqual(Template.unquoting(body), text, "the body of a command with a quoted text")
        },
        FuzzTarget(
            "script",
            words: [
                "pm.test(\"", "function () {", "=> ", "pm.expect(", ").to.eql(", "const a = ", "`${", "/[/]/g", "// ", "/*", "};",
                "pm.environment.set(\"x\", ", "pm.environment.get(\"x\")", "btoa(", "atob(", "CryptoJS.HmacSHA256(", "CryptoJS.enc.Base64.stringify(",
                ".toString()", "pm.request.headers.add({key: ", "Buffer.from(", "require('crypto-js')",
            ]
        ) { input in
            var endpoint = Endpoint(target: "s/a", name: "a", path: "/")
            endpoint.headers = [Parameter("A", "{{x}}")]
            let scripts = [ScriptTranslation.Stage.beforeRequest, .afterResponse].map {
                TestScript(input.text, $0, kind: "script", place: { _ in nil })
            }
            let translation = TestScript.translate(scripts, into: &endpoint)
            let service = Service(folder: "s", name: "s")
            if let file = translation.preparation?.add(to: &endpoint, of: service, file: "scripts/a.js", defined: []) {
                try require(file.contains(input.text.trimmingBlanks), "the hook does not have the script")
            }
            try checkText(of: endpoint)
        },
        FuzzTarget(
            "openapi-contract", corpora: ["openapi"], longest: 8192,
            words: ["\"paths\":{\"/a\":{\"get\":{", "\"responses\":", "\"schema\":{", "\"$ref\":\"#/"]
        ) { input in
            let source = ImportSource(name: "api.yaml", bytes: input.bytes, yaml: YAMLSource.node)
            guard let contract = try? OpenAPIContract(source) else { return }
            for operation in contract.operations.prefix(4) {
                var cases = ContractCases(of: operation, in: contract, seed: 1)
                for generated in cases.cases(limit: 8) {
                    var request = Request(method: .get, url: HTTPURL(scheme: .http, host: "h"))
                    generated.apply(to: &request, base: "http://h")
                    _ = ContractCheck(contract, request, sent: request.headers, nil) { .success(.null) }
                }
            }
            try require(ContractComparison(from: source, to: source).changes.isEmpty, "a description differs from itself")
        },
        FuzzTarget(
            "openapi-files", corpora: ["openapi"], longest: 8192,
            words: [
                "\u{0}", "$ref: \"b.yaml#/", "$ref: \"a.yaml#/", "$ref: \"#/", "paths:", "get:", "mapping: {", "operationRef: ", "oneOf: [", "~1",
                "%7E",
            ]
        ) { input in
            let half = input.bytes.firstIndex(of: 0) ?? input.bytes.count
            let files = ["a.yaml": Array(input.bytes[..<half]), "b.yaml": Array(input.bytes[half...].dropFirst())]
            func source(_ name: String) -> ImportSource {
                ImportSource(name: name, bytes: files[name] ?? [], yaml: YAMLSource.node) { files[$0] }
            }
            for (old, new) in [("a.yaml", "b.yaml"), ("b.yaml", "a.yaml")] {
                guard let comparison = try? ContractComparison(from: source(old), to: source(new)) else { continue }
                for change in comparison.changes { try require(!change.text.isEmpty, "a change without a text") }
            }
            // The copy of a description with its other files in it has the same requests.
            guard let imported = try? OpenAPIImport.workspace(from: source("a.yaml")), let copy = imported.description, copy.bytes != files["a.yaml"]
            else { return }
            let again = try OpenAPIImport.workspace(from: ImportSource(name: "a.json", bytes: copy.bytes))
            try requireEqual(
                endpoints(of: again).map { "\($0.method.rawValue) \($0.path)" }, endpoints(of: imported).map { "\($0.method.rawValue) \($0.path)" },
                "the requests of the copy")
        },
    ]

private func endpoints(of workspace: ImportedWorkspace) -> [Endpoint] {
    func all(_ items: [ImportedItem]) -> [Endpoint] {
        items.flatMap { item in
            switch item {
            case .folder(_, let items): all(items)
            case .endpoint(let imported): [imported.endpoint]
            }
        }
    }
    return workspace.services.flatMap { all($0.items) }
}

/// Checks that an endpoint can be written to a file and read again, as an import does.
private func checkText(of endpoint: Endpoint) throws {
    var problems: [String] = []
    guard let again = StoredEndpoint(endpoint).endpoint(&problems) else { throw Violation(description: "an endpoint cannot be stored: \(problems)") }
    try requireEqual(again.path, endpoint.path, "the path of a stored endpoint")
    try requireEqual(again.headers.map(\.value), endpoint.headers.map(\.value), "the fields of a stored endpoint")
}

/// Edits of requests in files that are used in place.
private let edits: [@Sendable (inout Endpoint) -> Void] = [
    { $0.method = .put },
    { $0.path = "/changed" },
    { $0.query.append(Parameter("new", "1")) },
    { $0.headers.append(Parameter("X-New", "1")) },
    { if !$0.headers.isEmpty { $0.headers.removeFirst() } },
    { if !$0.headers.isEmpty { $0.headers[0].value = "other" } },
    { $0.auth = .bearer(token: "{{t}}") },
    { $0.body = .json("{\"a\":\n 1}") },
    { $0.body = .none },
]

/// Checks that a request without an edit leaves its file as it is, and that an edit leaves all lines of other requests.
///
/// A result that is read as another request is refused by the caller.
private func checkEdits(of file: ImportSource, _ format: any ImportFormat.Type) throws {
    guard let text = String(validating: file.bytes, as: UTF8.self), let imported = try? format.workspace(from: file.inPlace) else { return }
    let workspace = ForeignWorkspace(imported, in: "/w")
    for request in workspace.requests.prefix(3) {
        guard let original = workspace.workspace.endpoint(request.target) else { continue }
        func changed(to edited: Endpoint) -> String? {
            format.text(text, changing: request.place.line, from: original, to: edited)
                ?? YAMLSource.text(text) { format.document($0, changing: request.place.line, from: original, to: edited) }
        }
        if let same = changed(to: original) { try requireEqual(same, text, "the file of a request without an edit") }
        for edit in edits {
            var edited = original
            edit(&edited)
            guard let result = changed(to: edited) else { continue }
            var after = file.inPlace
            after = after.replacing(after.name, by: Array(result.utf8))
            guard let read = try? format.workspace(from: after) else { continue }
            _ = ForeignWorkspace(read, in: "/w").requests
        }
    }
}

extension ImportSource {
    /// The source as a file that is used in place.
    fileprivate var inPlace: ImportSource {
        var source = self
        source.isInPlace = true
        return source
    }
}
