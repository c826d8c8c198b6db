import SortieBase
import SortieHTTP
import Testing
import WorkspaceModel

@testable import SortieStorage

/// Tests endpoints that extend others (S3.5).
@Suite struct EndpointExtensionTests {
    private static let base = """
        description: All orders
        path: /orders
        method: POST
        query: {page: 1, size: 20}
        headers: {X-A: "1", X-B: "2"}
        variables: {shop: a, state: all}
        priority: high
        retry: 2
        body: {json: {state: "{{state}}"}}

        """

    private func workspace(_ files: [String: String]) throws -> TemporaryWorkspace {
        try TemporaryWorkspace(["shop/orders/list.yaml": Self.base].merging(files) { $1 })
    }

    @Test func `S3.5 what a file leaves out is that of the endpoint that it extends, and rows and variables are added by name`() throws {
        let workspace = try workspace([
            "shop/open.yaml": """
            extends: shop/orders/list
            query: {size: 5, sort: date}
            headers: {x-b: "3", X-A: null}
            variables: {state: open}
            priority: normal

            """
        ])
        let loaded = try workspace.load()
        #expect(loaded.problems.isEmpty, "\(loaded.problems)")
        let endpoint = try #require(loaded.endpoint("shop/open"))
        #expect(endpoint.name == "open" && endpoint.summary == "All orders" && endpoint.extends == "shop/orders/list")
        #expect(endpoint.path == "/orders" && endpoint.method == .post && endpoint.retry?.limit == 2 && endpoint.priority == .normal)
        #expect(endpoint.query == [Parameter("page", "1"), Parameter("size", "5"), Parameter("sort", "date")])
        #expect(endpoint.headers == [Parameter("x-b", "3")] && endpoint.removedHeaders == ["X-A"])
        #expect(endpoint.variables == ["shop": "a", "state": "open"])
        #expect(endpoint.body == loaded.endpoint("shop/orders/list")?.body)
        #expect(loaded.endpoint("shop/orders/list")?.query.count == 2, "the other endpoint stays as it is")
    }

    @Test func `S3.5 a list of rows replaces those of the extended endpoint, and null is nothing`() throws {
        let workspace = try workspace(["shop/open.yaml": "extends: shop/orders/list\nquery: [{name: a, value: b}]\nheaders: []\nretry: null\n"])
        let endpoint = try #require(try workspace.load().endpoint("shop/open"))
        #expect(endpoint.query == [Parameter("a", "b")] && endpoint.headers.isEmpty && endpoint.retry == nil)
    }

    @Test func `S3.5 endpoints extend endpoints that extend others, in any order of the files and services`() throws {
        let workspace = try workspace([
            "a/service.yaml": "name: A\n", "a/first.yaml": "extends: shop/z\nquery: {c: 3}\n",
            "shop/z.yaml": "extends: shop/orders/list\nquery: {b: 2}\ncapture: {id: $.id}\n",
            "runs/r.yaml": "chain:\n  - send: a/first\n  - send: shop/orders/list\n    with: {shop: \"{{first.id}}\"}\n",
        ])
        let loaded = try workspace.load()
        #expect(loaded.problems.isEmpty, "\(loaded.problems)")
        #expect(loaded.endpoint("a/first")?.query.map(\.name) == ["page", "size", "b", "c"])
        #expect(loaded.endpoint("a/first")?.captures.map(\.name) == ["id"])
    }

    @Test func `S3.5 endpoints that extend each other, themselves, or none that there is, are left out with the place`() throws {
        let workspace = try workspace([
            "shop/a.yaml": "path: /a\nextends: shop/b\n", "shop/b.yaml": "extends: shop/a\n", "shop/c.yaml": "extends: shop/c\n",
            "shop/d.yaml": "extends: shop/orders/lst\n",
        ])
        let loaded = try workspace.load()
        #expect(
            loaded.problems.map(\.description) == [
                "shop/a.yaml:2:10: extends: the endpoint “shop/b” cannot be used; correct its file",
                "shop/b.yaml:1:10: the endpoints extend each other: shop/a, shop/b, shop/a; remove extends: from one of them",
                "shop/c.yaml:1:10: the endpoints extend each other: shop/c, shop/c; remove extends: from one of them",
                "shop/d.yaml:1:10: there is no endpoint “shop/orders/lst”; did you mean “shop/orders/list”?",
            ])
        #expect(loaded.endpoints.map(\.target) == ["shop/orders/list"])
        #expect(loaded.unreadable.count == 4)
    }

    /// The text of `shop/open` after a change is saved.
    private func saved(_ text: String, _ change: (inout Endpoint) -> Void) throws -> String {
        let workspace = try workspace(["shop/open.yaml": text])
        let endpoint = try #require(try workspace.load().endpoint("shop/open"))
        var changed = endpoint
        change(&changed)
        try workspace.save(changed, replacing: endpoint)
        var found = try #require(try workspace.load().endpoint("shop/open"))
        found.location = changed.location
        #expect(found == changed)
        #expect(try workspace.read("shop/orders/list.yaml") == Self.base)
        return try workspace.read("shop/open.yaml")
    }

    @Test func `S3.5 saving writes only what differs from the extended endpoint`() throws {
        let text = "extends: shop/orders/list   # all of it\nquery: {size: 5}\n"
        #expect(try saved(text) { _ in } == text)
        #expect(try saved(text) { $0.redirects = 3 } == text + "redirects: 3\n")
        #expect(try saved(text) { $0.query.append(Parameter("sort", "date")) } == text.replacing("{size: 5}", with: "{size: 5, sort: date}"))
        let variables = try saved(text) { $0.variables["state"] = "open" }
        #expect(variables.hasPrefix(text) && variables.contains("state: open") && !variables.contains("shop: a"), "\(variables)")
        #expect(try saved(text) { $0.priority = .normal } == text + "priority: normal\n")
        #expect(try saved(text) { $0.retry = nil }.contains("retry: null"))
    }

    @Test func `S3.5 a row that is removed replaces the list of the extended endpoint`() throws {
        let text = try saved("extends: shop/orders/list\n") { $0.query.removeFirst() }
        #expect(text.contains("query:") && !text.contains("page"), "\(text)")
    }

    @Test func `S3.5 a variable that is removed cannot be saved, and the message says why`() throws {
        let error = #expect(throws: WorkspaceError.self) { try saved("extends: shop/orders/list\n") { $0.variables["shop"] = nil } }
        #expect(error?.message.contains("shop/orders/list") == true)
    }

    @Test func `S3.5 a new endpoint that extends another has a file with the differences`() throws {
        let workspace = try workspace([:])
        var endpoint = try #require(try workspace.load().endpoint("shop/orders/list"))
        endpoint.extends = "shop/orders/list"
        endpoint.target = "shop/copy"
        endpoint.name = "copy"
        endpoint.location = nil
        endpoint.redirects = 1
        try workspace.save(endpoint, replacing: nil)
        #expect(try workspace.read("shop/copy.yaml") == "extends: shop/orders/list\nredirects: 1\n")
    }

    @Test func `S3.5 renaming an endpoint changes extends: of others`() throws {
        let workspace = try workspace(["shop/open.yaml": "# the open ones\nextends: shop/orders/list\n"])
        _ = try withExtendedLifetime(workspace) {
            try WorkspaceFolder(path: workspace.path).perform(.move(.endpoint("shop/orders/list"), to: "shop/all", label: nil))
        }
        #expect(try workspace.read("shop/open.yaml") == "# the open ones\nextends: shop/all\n")
        #expect(try workspace.load().endpoint("shop/open")?.path == "/orders")
    }

    @Test func `a value that is removed is null in the file, which is read without a problem`() throws {
        let workspace = try workspace([
            "shop/base.yaml": "path: /b\ndescription: What\nredirects: 3\ncompression: false\ninterface: eth0\n",
            "shop/open.yaml": "extends: shop/base\n",
        ])
        let endpoint = try #require(try workspace.load().endpoint("shop/open"))
        var changed = endpoint
        (changed.summary, changed.redirects, changed.compression, changed.interface) = (nil, nil, nil, nil)
        try workspace.save(changed, replacing: endpoint)
        let loaded = try workspace.load()
        #expect(loaded.problems.isEmpty, "\(loaded.problems)")
        var found = try #require(loaded.endpoint("shop/open"))
        found.location = changed.location
        #expect(found == changed)
    }

    @Test func `a GraphQL body is sent with POST where the extended endpoint has no method`() throws {
        let workspace = try workspace([
            "shop/base.yaml": "path: /b\n", "shop/open.yaml": "extends: shop/base\nbody: {graphql: \"{a}\"}\n",
            "shop/closed.yaml": "extends: shop/open\nbody: none\n",
        ])
        let loaded = try workspace.load()
        #expect(loaded.endpoint("shop/open")?.method == .post)
        let endpoint = try #require(loaded.endpoint("shop/closed"))
        var changed = endpoint
        changed.method = .get
        try workspace.save(changed, replacing: endpoint)
        #expect(try workspace.load().endpoint("shop/closed")?.method == .get)
    }

    @Test func `renaming a service writes no body to an endpoint that has that of another one`() throws {
        let workspace = try workspace([
            "shop/b.yaml": "path: /b\nmethod: POST\nbody: {file: b.json}\n", "shop/b.json": "{}", "shop/open.yaml": "extends: shop/b\n",
        ])
        _ = try withExtendedLifetime(workspace) {
            try WorkspaceFolder(path: workspace.path).perform(.move(.service("shop"), to: "store", label: nil))
        }
        #expect(try workspace.read("store/open.yaml") == "extends: store/b\n")
        let loaded = try workspace.load()
        #expect(loaded.endpoint("store/open")?.body == .file(path: workspace.path + "/store/b.json", contentType: nil))
    }
}
