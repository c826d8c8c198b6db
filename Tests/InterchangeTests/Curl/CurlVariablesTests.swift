import SortieBase
import SortieHTTP
import Testing
import WorkspaceModel

@testable import Interchange

/// Tests the variables of curl and of cmd in imported commands.
struct CurlVariablesTests {
    private func imported(_ command: String, name: String = "input", files: [String: String] = [:]) throws -> ImportedWorkspace {
        try CurlImport.workspace(from: ImportSource(name: name, bytes: Array(command.utf8), files: { files[$0].map { Array($0.utf8) } }))
    }

    private func endpoint(_ command: String, files: [String: String] = [:]) throws -> Endpoint {
        try #require(try imported(command, files: files).endpoints.first)
    }

    @Test func `--expand inserts variables with their functions into the value of an option`() throws {
        let endpoint = try endpoint(
            #"""
            curl --variable name='Bob "B"' --variable greet@g.txt --variable 'd=x y' --expand-url 'http://h/{{d:url}}' \
              --expand-data '{"n": "{{name:json}}", "g": "{{greet:trim:b64}}", "no": "{{none}}"}' -H 'Content-Type: application/json'
            """#, files: ["g.txt": " hi\n"])
        #expect(endpoint.path == "/x%20y" && endpoint.body == .json(#"{"n": "Bob \"B\"", "g": "aGk=", "no": ""}"#))
    }

    @Test func `a variable is inserted only where the option says so, and a backslash keeps the braces`() throws {
        let endpoint = try endpoint(#"curl --variable a=1 -H 'X: {{a}}' --expand-header 'Y: \{{a}} {{a}} {{-}}' http://h/"#)
        let values = endpoint.headers.filter { ["X", "Y"].contains($0.name) }.map { Template.unquoting($0.value) }
        #expect(values == ["{{a}}", "{{a}} 1 {{-}}"])
    }

    @Test func `a variable of the environment is one of the endpoint, and a default is used with a line`() throws {
        let workspace = try imported("curl --variable %USER --variable %TOK=def --expand-header 'X: {{USER}}' --expand-header 'Y: {{TOK}}' http://h/")
        let headers = workspace.endpoints.first?.headers ?? []
        #expect(headers.contains(Parameter("X", "{{$env.USER}}")) && headers.contains(Parameter("Y", "def")))
        #expect(workspace.reasons(.changed) == ["--variable: the default of %TOK is used; curl would use the environment variable where it is set"])
    }

    @Test func `a file that is not known is asked for`() throws {
        let workspace = try imported("curl --variable a@lost.txt --expand-data '{{a}}' http://h/")
        #expect("\(workspace.endpoints.map(\.body))".contains("$prompt a"))
        #expect(workspace.reasons(.changed).contains { $0.contains("lost.txt is not known") })
    }

    @Test func `percent signs of cmd are variables, except those of a URL`() throws {
        let endpoint = try endpoint(
            "curl ^\"http://h/%BASE_URL%/%C3%A9?q=%20a%20&r=^%41^%20^\" ^\n  -H ^\"X: %ACCESS_TOKEN%^\" -H \"Y: 100%\"")
        #expect(endpoint.path == "/{{$env.BASE_URL|raw}}/%C3%A9?q=%20a%20&r=%41%20")
        #expect(endpoint.headers.contains(Parameter("X", "{{$env.ACCESS_TOKEN}}")) && endpoint.headers.contains(Parameter("Y", "100%")))
    }

    @Test func `a batch file sets variables, doubles percent signs and has comments`() throws {
        let workspace = try imported(
            """
            @echo off
            rem curl http://h/never
            set TOKEN=abc def
            set "HOST=http://h"
            @curl "%HOST%/a?x=%%20y" -H "X: %TOKEN%"
            """)
        #expect(workspace.endpoints.map(\.path) == ["/a"] && workspace.endpoints[0].query == [Parameter("x", " y")])
        #expect(workspace.endpoints[0].headers.contains(Parameter("X", "abc def")))
    }
}
