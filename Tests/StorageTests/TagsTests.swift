import SortieBase
import SortieHTTP
import SortieStorage
import Testing
import WorkspaceModel

/// Tests `tags:` of endpoints and services in files.
@Suite struct TagsTests {
    @Test func `tags are a list or one word, and an endpoint also has those of its service`() throws {
        let files = [
            "shop/service.yaml": "name: Shop\ntags: [public, smoke]\n", "shop/a.yaml": "path: /\ntags: [orders, smoke]\n",
            "shop/b.yaml": "path: /\ntags: slow\n",
        ]
        let workspace = try TemporaryWorkspace(files).load()
        #expect(workspace.problems == [])
        #expect(workspace.endpoint("shop/a").map { workspace.tags(of: $0) } == ["orders", "smoke", "public"])
        #expect(workspace.endpoint("shop/b").map { workspace.tags(of: $0) } == ["slow", "public", "smoke"])
        #expect(workspace.tags == ["orders", "public", "slow", "smoke"])
    }

    @Test(arguments: [
        ("tags: [a b]", "2:8 the tag “a b” must be one word"), ("tags: [ok, \"#x\"]", "2:12 the tag “#x” must be one word"),
        ("tags: [\"\"]", "2:8 a tag is empty"), ("tags: {a: 1}", "2:7 tags must be a list of texts"),
    ])
    func `an invalid tag is reported with its place`(line: String, problem: String) throws {
        let problems = try TemporaryWorkspace.problems(inEndpoint: "path: /\n\(line)\n")
        #expect(problems.count == 1 && problems[0].hasPrefix(problem), "\(problems)")
    }

    @Test func `saving tags and a description changes only their lines, and keeps comments`() throws {
        let text = "# orders\nname: List\ntags: [a]   # to find it\npath: /orders   # all\n"
        let workspace = try TemporaryWorkspace(["shop/list.yaml": text])
        let original = try #require(try workspace.load().endpoint("shop/list"))
        var endpoint = original
        endpoint.tags = ["a", "b"]
        endpoint.summary = "All orders.\nThe newest first."
        try workspace.save(endpoint, replacing: original)
        #expect(
            try workspace.read("shop/list.yaml")
                == "# orders\nname: List\ndescription: |-\n  All orders.\n  The newest first.\ntags: [a, b]   # to find it\npath: /orders   # all\n")
        let saved = try #require(try workspace.load().endpoint("shop/list"))
        #expect(saved.tags == ["a", "b"] && saved.summary == endpoint.summary)
        try workspace.save(original, replacing: saved)
        #expect(try workspace.read("shop/list.yaml") == text)
    }

    @Test func `tags that two programs change differently are a conflict`() {
        let base = Endpoint(target: "shop/a", name: "a", path: "/")
        var (ours, theirs) = (base, base)
        ours.tags = ["mine"]
        theirs.tags = ["theirs"]
        #expect(EndpointMerge(base: base, ours: ours, theirs: theirs).conflicts == ["tags"])
        theirs.tags = []
        #expect(EndpointMerge(base: base, ours: ours, theirs: theirs).endpoint.tags == ["mine"])
    }

    @Test func `the description is a text as it is, without YAML`() {
        let sections = YAMLSections()
        var endpoint = Endpoint(target: "shop/a", name: "a", path: "/")
        sections.set(.description, of: &endpoint, to: "a: [b")
        #expect(endpoint.summary == "a: [b" && endpoint.unreadableSections.isEmpty)
        #expect(sections.text(of: .description, in: endpoint) == "a: [b")
        sections.set(.description, of: &endpoint, to: "")
        #expect(endpoint.summary == nil)
    }
}
