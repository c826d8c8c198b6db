import SortieBase
import SortieStorage
import Support
import Testing
import WorkspaceModel

/// Tests the places of problems that are found while a request is built.
struct LocatedProblemTests {
    private static let text = """
        path: /{{name}}
        # {{nope}} in a comment
        variables: {name: a}
        query:
          v: "-{{nope}}"
          w: "{{name}}{{$random x}}"
        headers: {X: "{{ long | raw }}"}
        body: {json: '{"a": {{name}}}'}

        """

    private static let places: [(keys: [String], template: String?, line: Int, column: Int)] = [
        (["query", "v"], "nope", 5, 8), (["query", "w"], "$random x", 6, 15), (["headers", "X"], "long", 7, 15), ([], "elsewhere", 1, 1),
        ([], nil, 1, 1), (["query", "z"], "elsewhere", 5, 3), (["query", "w"], "elsewhere", 6, 6), (["body"], "name", 8, 21), (["body"], nil, 8, 7),
    ]

    @Test(arguments: places)
    func `a problem has the place of its template, or else of the value to which its keys lead`(
        keys: [String], template: String?, line: Int, column: Int
    ) throws {
        let folder = try TemporaryWorkspace(["shop/a.yaml": Self.text])
        let problem = Diagnostic(SourceLocation(file: "shop/a.yaml"), "message", keys: keys, template: template)
        let located = try folder.load().located(problem)
        #expect(located.location == SourceLocation(file: "shop/a.yaml", line: line, column: column))
        #expect(located.message == "message")
    }

    private static let files: [(text: String, line: Int, column: Int, message: String?)] = [
        (
            "path: http://127.0.0.1/\nquery:\n  v: a\n  w: \"{{nope}}\"\n", 4, 7,
            "query “w”: nothing defines {{nope}}; define it in the environment, or under variables: of a file"
        ),
        ("path: http://127.0.0.1/\nheaders:\n  A: b\n  X-Y: \"{{$random x}}\"\n", 4, 9, "header “X-Y”: {{$random x}} needs a whole number above 0"),
        ("path: http://127.0.0.1/\nbody:\n  text: a\nauth: {bearer: \"{{none|raw}}\"}\n", 4, 17, nil),
        ("path: http://127.0.0.1/\nmethod: POST\ngrpc: {method: \"{{none}}\"}\n", 3, 17, nil),
    ]

    @Test(arguments: files)
    func `the problem of a request that cannot be built has the place of the text in its file`(
        text: String, line: Int, column: Int, message: String?
    ) throws {
        let folder = try TemporaryWorkspace(["shop/service.yaml": "{}\n", "shop/a.yaml": text])
        // The file is read again for the place.
        defer { withExtendedLifetime(folder) {} }
        let workspace = try folder.load()
        let endpoint = try #require(workspace.endpoint("shop/a"))
        let builder = RequestBuilder(workspace: workspace, environment: nil)
        let problem = try #require(throws: Diagnostic.self) { try builder.request(for: endpoint, in: TemplateScope(layers: [])) }
        let located = workspace.located(problem)
        #expect(located.location == SourceLocation(file: "shop/a.yaml", line: line, column: column), "\(located)")
        if let message { #expect(located.message == message) }
    }
}
