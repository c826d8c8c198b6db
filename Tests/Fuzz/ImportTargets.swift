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
    "fetch": ["fetch(\"http://h/\", {", "\"headers\": {", "\"body\": \"", "\"method\": \"POST\"", "});"],
]

let importTargets: [FuzzTarget] =
    ImportFormats.all.map { format in
        FuzzTarget("import-\(format.name)", corpora: corpora[format.name] ?? [], longest: 8192, words: words[format.name] ?? []) { input in
            let source = ImportSource(name: "file" + (format.endings.first ?? ""), bytes: input.bytes, yaml: YAMLSource.node)
            _ = format.recognizes(source)
            guard let workspace = try? format.workspace(from: source) else { return }
            for endpoint in endpoints(of: workspace) { try checkText(of: endpoint) }
        }
    } + [
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
            "script", words: ["pm.test(\"", "function () {", "=> ", "pm.expect(", ").to.eql(", "const a = ", "`${", "/[/]/g", "// ", "/*", "};"]
        ) { input in
            var endpoint = Endpoint(target: "s/a", name: "a", path: "/")
            let scripts = [ScriptTranslation.Stage.beforeRequest, .afterResponse].map {
                TestScript(input.text, $0, kind: "script", place: { _ in nil })
            }
            _ = TestScript.translate(scripts, into: &endpoint)
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
