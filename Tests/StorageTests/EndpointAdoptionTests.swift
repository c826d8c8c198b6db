import Foundation
import SortieBase
import Testing
import WorkspaceModel

@testable import SortieStorage

/// Tests moving an endpoint with its files into another workspace.
@Suite struct EndpointAdoptionTests {
    private let scratch: TemporaryWorkspace
    private let project: TemporaryWorkspace

    init() throws {
        scratch = try TemporaryWorkspace([
            "requests/service.yaml": "name: Requests\n", "requests/a.body.json": "{}", "requests/a.schema.json": #"{"type": "object"}"#,
            "requests/part.txt": "part", "requests/none.json": "[]", "requests/sign.sh": "#!/bin/sh\n",
        ])
        project = try TemporaryWorkspace(["shop/a.body.json": "other"])
        #expect(chmod(scratch.path + "/requests/sign.sh", 0o755) == 0)
    }

    private func move(_ text: String, _ change: (inout Endpoint) -> Void = { _ in }) throws -> Endpoint {
        try scratch.write(text, to: "requests/a.yaml")
        var endpoint = try #require(try scratch.load().endpoint("requests/a"))
        change(&endpoint)
        (endpoint.target, endpoint.location) = ("shop/a", nil)
        _ = try WorkspaceFolder(path: project.path).save(endpoint, movedFrom: scratch.path + "/requests", of: scratch.path)
        return try #require(try project.load().endpoint("shop/a"))
    }

    @Test func `the files that it names are copied beside it, and an existing file stays`() throws {
        let moved = try move(
            """
            method: POST
            path: http://h/
            body: {file: a.body.json}
            expect: {schema: a.schema.json}
            examples: {none: {response: {body: {file: none.json}}}}
            hooks: [{stage: willSend, run: [./requests/sign.sh, -x]}]

            """)
        #expect(moved.body == .file(path: project.path + "/shop/a-2.body.json", contentType: nil))
        #expect(moved.expectation?.schema == .file("a.schema.json") && moved.hooks.first?.command == ["shop/sign.sh", "-x"])
        #expect(moved.examples.map(\.response.body) == [.file(path: "none.json", contentType: nil)])
        #expect(try project.read("shop/none.json") == "[]")
        #expect(try project.read("shop/a-2.body.json") == "{}" && project.read("shop/a.body.json") == "other")
        #expect(FileManager.default.isExecutableFile(atPath: project.path + "/shop/sign.sh"))
    }

    @Test func `what was typed into the file of a body is in its copy, and files outside of the workspace stay where they are`() throws {
        let moved = try move("method: POST\npath: http://h/\nbody: {multipart: [{name: a, file: part.txt}, {name: b, file: /etc/hostname}]}\n")
        guard case .multipart(let parts) = moved.body else {
            Issue.record("no parts")
            return
        }
        #expect(parts.map { FilePath.name(of: $0.value) } == ["part.txt", "hostname"] && parts[1].value == "/etc/hostname")
        #expect(try project.read("shop/part.txt") == "part")
        try FileManager.default.removeItem(atPath: project.path + "/shop/a.yaml")
        let body = scratch.path + "/requests/a.body.json"
        _ = try move("method: POST\npath: http://h/\nbody: {file: a.body.json}\n") {
            $0.bodyFileEdit = BodyFileEdit(path: body, original: "{}", text: "[1]")
        }
        #expect(try project.read("shop/a-2.body.json") == "[1]" && scratch.read("requests/a.body.json") == "{}")
    }
}
