import Testing
import WorkspaceModel

@Suite struct TemplateTests {
    @Test(arguments: [
        ("", [] as [Template.Segment]), ("plain", [.text("plain")]), ("{{a}}", [.variable("a")]),
        ("x{{ a b }}y", [.text("x"), .variable("a b"), .text("y")]),
        ("{{$uuid}}", [.builtin(name: "uuid", argument: "")]), ("{{ $date %Y-%m }}", [.builtin(name: "date", argument: "%Y-%m")]),
        ("{{$env.HOME}}", [.builtin(name: "env.HOME", argument: "")]), ("{{a}}{{b}}", [.variable("a"), .variable("b")]),
        ("x{{a", [.text("x"), .unclosed("{{a")]), ("{{a}}{{b", [.variable("a"), .unclosed("{{b")]),
        ("{{a|raw}}", [.variable("a", isRaw: true)]), ("{{ a | raw }}", [.variable("a", isRaw: true)]), ("{{a|b}}", [.variable("a|b")]),
        ("{{$file a.json|raw}}", [.builtin(name: "file", argument: "a.json", isRaw: true)]), ("a}}", [.text("a}}")]), ("{{}}", [.variable("")]),
        ("{a}", [.text("{a}")]), ("{{{a}}}", [.text("{"), .variable("a"), .text("}")]),
        ("{{{{a}}", [.text("{{"), .variable("a")]), ("{{{a", [.text("{"), .unclosed("{{a")]),
    ])
    func `a text is parsed into its segments`(text: String, segments: [Template.Segment]) {
        #expect(Template(text).segments == segments)
    }

    @Test(arguments: ["{{$date a{} }}}", "{{ a} }}b", "{{a}|raw}}}", "{{ $env.A }}{{", "{{{a}}}", "{{ {a}}"])
    func `the notation of a segment is read as the same segment`(text: String) {
        let segments = Template(text).segments
        #expect(Template(segments.map(\.description).joined()).segments == segments)
    }

    @Test func `a text without templates is plain`() {
        #expect(Template("a").isPlain && Template("").isPlain && Template("a}}").isPlain)
        #expect(!Template("{{a").isPlain && !Template("{{a}}").isPlain && !Template("{{$uuid}}").isPlain)
    }
}
