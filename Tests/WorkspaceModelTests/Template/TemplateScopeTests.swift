import Testing
import WorkspaceModel

@Suite struct TemplateScopeTests {
    private func message(_ text: String, in scope: TemplateScope) -> String? {
        do {
            return "resolved to " + (try scope.resolve(text))
        } catch {
            return error.message
        }
    }

    @Test func `the first layer with a name takes precedence`() throws {
        let scope = TemplateScope(layers: [["a": "1"], ["a": "2", "b": "3"]])
        #expect(try scope.resolve("{{a}}-{{b}}-{{ b }}") == "1-3-3")
    }

    @Test func `a value may contain templates`() throws {
        let scope = TemplateScope(layers: [["url": "http://{{host}}/{{path}}"], ["host": "h", "path": "p{{n}}", "n": "1"]])
        #expect(try scope.resolve("{{url}}") == "http://h/p1")
    }

    @Test func `names that refer to each other are an error with the cycle`() {
        let scope = TemplateScope(layers: [["a": "{{b}}", "b": "{{a}}"]])
        #expect(message("{{a}}", in: scope) == "the variables {{a}} → {{b}} → {{a}} define each other")
    }

    @Test func `an unknown name is an error with the most similar one`() {
        let scope = TemplateScope(layers: [["token": "1"]])
        #expect(message("{{tokn}}", in: scope) == "nothing defines {{tokn}}; did you mean {{token}}?")
        #expect(message("{{other}}", in: scope)?.hasPrefix("nothing defines {{other}}; define it in the environment") == true)
    }

    @Test func `a secret is looked up after the layers and its value is a literal`() throws {
        let scope = TemplateScope(layers: [["a": "1"]], secret: { $0 == "s" || $0 == "a" ? "{{x}}" : nil })
        #expect(try scope.resolve("{{a}}{{s}}") == "1{{x}}")
    }

    @Test func `unclosed braces are an error, in a variable too, and can be written with a built-in`() throws {
        let scope = TemplateScope(layers: [["open": "{{oops"]])
        let sentence = "“{{oops” is not closed; write }} after the name, or {{$braces}} for {{ itself"
        #expect(message("a {{oops", in: scope) == sentence)
        #expect(message("{{open}}", in: scope) == sentence)
        #expect(try scope.resolve("{{$braces}}x}}") == "{{x}}")
        #expect(try scope.resolve(Template.quoting("a {{x}} {{")) == "a {{x}} {{")
    }

    @Test func `built-ins receive their argument, env its name after the dot`() throws {
        let scope = TemplateScope(
            layers: [["uuid": "variable"]], builtin: { name, argument in name == "none" ? nil : "<\(name)|\(argument)>" })
        #expect(try scope.resolve("{{$uuid}}{{$date  %Y }}{{$env.HOME}}{{uuid}}") == "<uuid|><date|%Y><env|HOME>variable")
        #expect(message("{{$none}}", in: scope)?.hasPrefix("there is no built-in {{$none}}") == true)
    }

    @Test func `an unknown built-in is an error with the most similar one`() {
        #expect(
            message("{{$uuuid}}", in: TemplateScope(layers: [])) == "there is no built-in {{$uuuid}}; did you mean {{$uuid}}?")
        #expect(
            message("{{$nope}}", in: TemplateScope(layers: []))
                == "there is no built-in {{$nope}}; a variable is written {{nope}}, and the built-ins are $uuid, $timestamp, $date, $random, "
                + "$env.NAME, $file, $prompt, $promptSecret, $braces")
        #expect(message("{{$env.X}}", in: TemplateScope(layers: [])) == "{{$env.X}}: the environment variable X is not set")
    }

    @Test(arguments: [
        ("{{$uuid x}}", "{{$uuid x}} takes no argument: {{$uuid}}"), ("{{$timestamp ms|raw}}", "{{$timestamp ms}} takes no argument: {{$timestamp}}"),
        ("{{$braces {{}}", "{{$braces {{}} takes no argument: {{$braces}}"), ("{{$env.A B}}", "{{$env.A B}} takes no argument: {{$env.A}}"),
        ("{{$env A}}", "{{$env A}} needs a dot: {{$env.A}}"), ("{{$random 1 9}}", "{{$random 1 9}} needs a whole number above 0"),
        ("{{$random 0}}", "{{$random 0}} needs a whole number above 0"), ("{{$file}}", "{{$file}} needs a path: {{$file PATH}}"),
    ]) func `an argument that a built-in does not have is an error that names it`(text: String, expected: String) {
        #expect(message(text, in: TemplateScope(layers: [], builtin: { _, _ in "value" })) == expected)
    }
}
