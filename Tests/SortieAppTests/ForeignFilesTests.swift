import Foundation
import SortieBase
import SortieHTTP
import SortieStorage
import Support
import Testing
import WorkspaceModel

@testable import SortieApp

/// Tests that the workbench saves requests in the files of other tools, and refuses what they cannot hold.
struct ForeignFilesTests {
    private let home: TemporaryFolder
    private static let text = "### a\nGET http://h/a\nX: 1\n\n###  b  \nPOST http://h/b\n\nhi\n"

    init() throws { home = try TemporaryFolder() }

    private func folder(_ file: String, _ text: String) throws -> WorkspaceFolder {
        let path = try home.write(file, text)
        return try #require(ForeignFiles.named(path, in: .withoutStreams())).workspaceFolder
    }

    private func edit(_ folder: WorkspaceFolder, _ target: String, _ change: (inout Endpoint) -> Void) throws -> EndpointDraft {
        let endpoint = try #require(try folder.load().endpoint(target))
        var edited = endpoint
        change(&edited)
        return EndpointDraft(original: endpoint, edited: edited)
    }

    private func content(_ file: String) throws -> String { String(decoding: try home.read(file), as: UTF8.self) }

    @Test func `the root of the machine is no folder of requests`() {
        #expect(ForeignFiles.named("/", in: .withoutStreams()) == nil)
    }

    @Test func `a request of a .http file is saved in its lines`() throws {
        let folder = try folder("api.http", Self.text)
        let draft = try edit(folder, "h/a") { $0.headers[0].value = "2" }
        try folder.save(draft.edited, replacing: draft.original)
        #expect(try content("api.http") == Self.text.replacing("X: 1", with: "X: 2"))
        #expect(try folder.load().endpoint("h/a")?.headers == [Parameter("X", "2")])
        // The earlier version is not written over the newer one.
        let error = #expect(throws: WorkspaceError.self) { try folder.save(draft.edited, replacing: draft.original) }
        #expect(error?.code == .changedOnDisk)
    }

    @Test func `a request of a collection of Bruno is saved in its blocks, below the fields of its folders`() throws {
        let text = "\u{feff}meta {\r\n  name: r\r\n}\r\n\r\nget {\r\n  url: http://h/a\r\n  auth: inherit\r\n}\r\n\r\nheaders {\r\n  X:  1\r\n}"
        try home.write("shop/bruno.json", #"{"name": "Shop"}"#)
        try home.write("shop/collection.bru", "headers {\n  X-All: c\n}\n")
        try home.write("shop/sub/folder.bru", "meta {\n  name: Sub\n}\n\nheaders {\n  X-Sub: f\n}\n")
        try home.write("shop/sub/r.bru", text)
        let folder = try #require(ForeignFiles.named(home.path("shop"), in: .withoutStreams())).workspaceFolder
        let target = try #require(folder.load().endpoints.first?.target)
        let draft = try edit(folder, target) {
            $0.headers[1].value = "2"
            $0.query = [Parameter("q", "1")]
        }
        try folder.save(draft.edited, replacing: draft.original)
        let expected = text.replacing("http://h/a", with: "http://h/a?q=1").replacing("X:  1", with: "X: 2")
        #expect(try content("shop/sub/r.bru") == expected)
        let inherited = try edit(folder, target) { $0.headers[0].value = "mine" }
        #expect(throws: WorkspaceError.self) { try folder.save(inherited.edited, replacing: inherited.original) }
    }

    @Test func `what a file cannot hold is refused with a sentence, and the file stays`() throws {
        let http = try folder("api.http", Self.text)
        let changes: [(inout Endpoint) -> Void] = [{ $0.expectation = Expectation(status: 200) }, { $0.name = "other" }, { $0.target = "h/z" }]
        for change in changes {
            let draft = try edit(http, "h/b", change)
            let error = #expect(throws: WorkspaceError.self) { try http.save(draft.edited, replacing: draft.original) }
            #expect(error?.code == .cannotExpress && error?.remedy == .importOfFiles("api.http"))
        }
        #expect(throws: WorkspaceError.self) { try http.save(Endpoint(target: "h/new", name: "new", path: "/"), replacing: nil) }
        #expect(try content("api.http") == Self.text)
        let hurl = try folder("a.hurl", "GET http://h/a\nHTTP 200\n")
        let draft = try edit(hurl, "h/a") { $0.path = "/b" }
        #expect(throws: WorkspaceError.self) { try hurl.save(draft.edited, replacing: draft.original) }
        #expect(try content("a.hurl") == "GET http://h/a\nHTTP 200\n")
    }
}
