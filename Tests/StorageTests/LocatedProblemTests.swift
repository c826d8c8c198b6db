import SortieBase
import SortieStorage
import Testing
import WorkspaceModel

/// Tests the places of problems that are found while a request is built.
struct LocatedProblemTests {
    @Test(arguments: [
        ("query “v”: nothing defines {{nope}}; did you mean {{name}}?", 5, 8), ("query “w”: {{$random x}} needs a whole number above 0", 6, 15),
        ("header “X”: nothing defines {{long}}; define it", 7, 15), ("nothing defines {{elsewhere}}", 1, 1),
        ("the request has no path", 1, 1), ("query “z”: nothing defines {{elsewhere}}", 5, 3),
        ("body: {{name}} is outside quotes", 8, 21), ("the body is not JSON", 8, 7),
    ])
    func `a problem of a template has the line of that template`(message: String, line: Int, column: Int) throws {
        let text = """
            path: /{{name}}
            # {{nope}} in a comment
            variables: {name: a}
            query:
              v: "-{{nope}}"
              w: "{{name}}{{$random x}}"
            headers: {X: "{{ long | raw }}"}
            body: {json: '{"a": {{name}}}'}

            """
        let folder = try TemporaryWorkspace(["shop/a.yaml": text])
        let problem = try folder.load().located(Diagnostic(SourceLocation(file: "shop/a.yaml"), message))
        #expect(problem.location == SourceLocation(file: "shop/a.yaml", line: line, column: column))
        #expect(problem.message == message)
    }
}
