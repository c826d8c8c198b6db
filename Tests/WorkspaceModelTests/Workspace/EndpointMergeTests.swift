import Support
import Testing

@testable import SortieHTTP
@testable import WorkspaceModel

/// Tests an endpoint that was edited while another program changed its file.
@Suite struct EndpointMergeTests {
    private var base: Endpoint {
        var endpoint = Endpoint(target: "shop/list", name: "List", path: "/list")
        endpoint.query = [Parameter("page", "1"), Parameter("size", "20"), Parameter("sort", "name")]
        endpoint.body = .json("{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}")
        endpoint.variables = ["x": "1", "y": "1"]
        return endpoint
    }

    private func merge(_ ours: (inout Endpoint) -> Void, _ theirs: (inout Endpoint) -> Void) -> EndpointMerge {
        var (our, their) = (base, base)
        ours(&our)
        theirs(&their)
        return EndpointMerge(base: base, ours: our, theirs: their)
    }

    @Test func `the edited text of a body's file stays where the file gets another path`() {
        var old = base
        old.body = .file(path: "/w/shop/a.json", contentType: nil)
        var (ours, theirs) = (old, old)
        ours.setBodyFileText(to: "new", original: "old")
        theirs.body = .file(path: "/w/store/a.json", contentType: nil)
        let merge = EndpointMerge(base: old, ours: ours, theirs: theirs)
        #expect(merge.conflicts.isEmpty)
        #expect(merge.endpoint.editedBodyFile == BodyFileEdit(path: "/w/store/a.json", original: "old", text: "new"))
    }

    /// A change of each key, by the name of the property.
    private static let changes: [String: @Sendable (inout Endpoint) -> Void] = [
        "target": { $0.target = "shop/other" }, "name": { $0.name = "Other" }, "summary": { $0.summary = "what for" },
        "method": { $0.method = .post },
        "path": { $0.path = "/other" }, "query": { $0.query[0].value = "2" }, "headers": { $0.headers = [Parameter("A", "1")] },
        "removedHeaders": { $0.removedHeaders = ["A"] },
        "auth": { $0.auth = .bearer(token: "t") }, "body": { $0.body = .form([]) },
        "bodyFileEdit": { $0.bodyFileEdit = BodyFileEdit(path: "/x", original: "a", text: "b") }, "variables": { $0.variables["x"] = "2" },
        "requiresTLS": { $0.requiresTLS = true }, "inherits": { $0.inherits = false },
        "examples": { $0.examples = [EndpointExample("a")] },
        "reform": { $0.reform = [Parameter("id", "$.id")] }, "messages": { $0.messages = [Parameter("hi", "{}")] }, "kind": { $0.kind = .download },
        "download": { $0.download = DownloadSettings(to: "x") },
        "timeouts": { $0.timeouts = Timeouts() },
        "priority": { $0.priority = .high }, "traffic": { $0.traffic = .background }, "serviceType": { $0.serviceType = .video },
        "uploadRate": { $0.uploadRate = 500_000 },
        "cache": { $0.cache = CacheSetting(lifetime: .seconds(1)) },
        "retry": { $0.retry = RetryPolicy(limit: 3) }, "version": { $0.version = .http2 }, "redirects": { $0.redirects = 1 },
        "compression": { $0.compression = false }, "cookies": { $0.cookies = false }, "interface": { $0.interface = "eth0" },
        "ignoresContract": { $0.ignoresContract = true },
        "extends": { $0.extends = "shop/other" }, "excludedNetworks": { $0.excludedNetworks = [.metered] },
        "paging": { $0.paging = Paging() }, "expectation": { $0.expectation = Expectation() },
        "captures": { $0.captures = [Capture(name: "id", path: "$.id")] }, "parameters": { $0.parameters = ParameterStyle() },
        "unreadableSections": { $0.unreadableSections = [.expect: "status: ["] },
        "hooks": { $0.hooks = [HookSetting(.process, command: ["./check"])] }, "pluginUse": { $0.pluginUse = Endpoint.PluginUse.none },
        "tags": { $0.tags = ["money"] }, "grpc": { $0.grpc = GRPCSetting(method: "a.B/C") },
    ]

    @Test func `every property of an endpoint is merged, whichever side changed it`() {
        let properties = Set(Mirror(reflecting: base).children.compactMap(\.label))
        #expect(properties.subtracting(Self.changes.keys) == ["location", "promptValues"])
        for (property, change) in Self.changes {
            var changed = base
            change(&changed)
            #expect(changed != base, "\(property)")
            #expect(merge(change) { _ in }.endpoint == changed, "\(property) was changed here")
            #expect(merge({ _ in }, change).endpoint == changed, "\(property) was changed in the file")
            #expect(merge(change, change).conflicts.isEmpty, "\(property) was changed to the same")
        }
    }

    @Test func `conditions of acceptance and the rest of an expectation are merged as two keys`() {
        let merged = merge {
            $0.expectation = Expectation(status: 200)
        } _: {
            $0.expectation = Expectation(accepted: [200...299])
            $0.expectation?.usesAnswerKey = true
        }
        #expect(merged.conflicts.isEmpty)
        #expect(merged.endpoint.comparisons == WorkspaceModel.Expectation(status: 200) && merged.endpoint.expectation?.accepted == [200...299])
        let twice = merge {
            $0.expectation = Expectation(status: 200, contentTypes: ["a/b"])
        } _: {
            $0.expectation = Expectation(contentTypes: ["c/d"])
        }
        #expect(twice.conflicts == ["expect"])
    }

    @Test func `changes of different rows, variables and lines are all merged`() {
        let merged = merge {
            $0.query[0].value = "2"
            $0.variables["x"] = "2"
            $0.body = .json("{\n  \"a\": 9,\n  \"b\": 2,\n  \"c\": 3\n}")
        } _: {
            $0.query[1].isEnabled = false
            $0.query.append(Parameter("filter", "new"))
            $0.variables["y"] = "3"
            $0.body = .json("{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 4\n}")
        }
        #expect(merged.conflicts.isEmpty)
        #expect(
            merged.endpoint.query == [
                Parameter("page", "2"), Parameter("size", "20", isEnabled: false), Parameter("sort", "name"), Parameter("filter", "new"),
            ])
        #expect(merged.endpoint.variables == ["x": "2", "y": "3"])
        #expect(merged.endpoint.body == .json("{\n  \"a\": 9,\n  \"b\": 2,\n  \"c\": 4\n}"))
    }

    @Test func `query and variables of a GraphQL body are merged by lines, and a changed operation is kept`() {
        let base = GraphQLTemplate(query: "{\n  a\n  b\n  c\n}", variables: "{\n  \"x\": 1\n}")
        func merge(_ ours: (inout GraphQLTemplate) -> Void, _ theirs: (inout GraphQLTemplate) -> Void) -> EndpointMerge {
            var endpoints = (self.base, self.base, self.base)
            var (our, their) = (base, base)
            ours(&our)
            theirs(&their)
            (endpoints.0.body, endpoints.1.body, endpoints.2.body) = (.graphQL(base), .graphQL(our), .graphQL(their))
            return EndpointMerge(base: endpoints.0, ours: endpoints.1, theirs: endpoints.2)
        }
        let merged = merge {
            $0.query = "{\n  a1\n  b\n  c\n}"
            $0.operation = "Q"
        } _: {
            $0.query = "{\n  a\n  b\n  c1\n}"
            $0.variables = "{\n  \"x\": 2\n}"
        }
        #expect(merged.conflicts.isEmpty)
        #expect(merged.endpoint.body == .graphQL(GraphQLTemplate(query: "{\n  a1\n  b\n  c1\n}", variables: "{\n  \"x\": 2\n}", operation: "Q")))
        #expect(merge({ $0.variables = "{}" }, { $0.variables = "{ }" }).conflicts == ["body"])
        #expect(merge({ $0.operation = "A" }, { $0.operation = "B" }).conflicts == ["body"])
    }

    @Test func `conflicting changes are listed, and the local version is kept`() {
        let merged = merge {
            $0.path = "/mine"
            $0.query[0].value = "2"
            $0.body = .json("{\n  \"a\": 9,\n  \"b\": 2,\n  \"c\": 3\n}")
        } _: {
            $0.path = "/theirs"
            $0.name = "Theirs"
            $0.query[0].value = "3"
            $0.body = .json("{\n  \"a\": 8,\n  \"b\": 2,\n  \"c\": 3\n}")
        }
        #expect(merged.conflicts == ["path", "query", "body"])
        #expect(merged.endpoint.path == "/mine")
        #expect(merged.endpoint.name == "Theirs")
        #expect(merged.endpoint.query[0].value == "2")
        #expect(merged.endpoint.body == .json("{\n  \"a\": 9,\n  \"b\": 2,\n  \"c\": 3\n}"))
    }

    @Test func `a row that was removed in the file and changed here is a conflict, and an unchanged one is removed`() {
        #expect(merge({ $0.query[0].value = "2" }, { $0.query.remove(at: 0) }).conflicts == ["query"])
        let merged = merge({ $0.query[0].value = "2" }, { $0.query.remove(at: 1) })
        #expect(merged.conflicts.isEmpty)
        #expect(merged.endpoint.query == [Parameter("page", "2"), Parameter("sort", "name")])
    }

    @Test func `an order changed on one side is kept, with the rows added on the other side`() {
        let merged = merge({ $0.query.swapAt(0, 2) }, { $0.query.insert(Parameter("new", ""), at: 1) })
        #expect(merged.conflicts.isEmpty)
        #expect(merged.endpoint.query.map(\.name) == ["sort", "size", "page", "new"])
        #expect(merge({ $0.query.swapAt(0, 2) }, { $0.query.swapAt(0, 1) }).conflicts == ["query"])
    }

    @Test func `rows of the same name are distinguished by their positions`() {
        var (base, ours, theirs) = (base, base, base)
        base.query = [Parameter("id", "1"), Parameter("id", "2"), Parameter("id", "3"), Parameter("end", "")]
        (ours.query, theirs.query) = (base.query, base.query)
        ours.query[0].value = "9"
        theirs.query[2].value = "8"
        let merged = EndpointMerge(base: base, ours: ours, theirs: theirs)
        #expect(merged.conflicts.isEmpty)
        #expect(merged.endpoint.query.map(\.value) == ["9", "2", "8", ""])
    }

    @Test(arguments: [UInt64.random(in: 0...UInt64.max)])
    func `merging lists with random changes loses no element that only one side has`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let base = (0..<Int.random(in: 0...12, using: &generator)).map { "b\($0)" }
            func edited(_ mark: String) -> [String] {
                var list = base
                for step in 0..<Int.random(in: 0...3, using: &generator) {
                    if !list.isEmpty, Bool.random(using: &generator) {
                        list.remove(at: Int.random(in: list.indices, using: &generator))
                    } else {
                        list.insert("\(mark)\(step)", at: Int.random(in: 0...list.count, using: &generator))
                    }
                }
                return list
            }
            let (ours, theirs) = (edited("o"), edited("t"))
            let merge = ThreeWayMerge(base: base, ours: ours, theirs: theirs)
            if merge.hasConflict {
                for element in ours where element.hasPrefix("o") { #expect(merge.merged.contains(element), "seed \(seed)") }
            } else {
                let added = (ours + theirs).filter { !$0.hasPrefix("b") }
                let kept = base.filter { ours.contains($0) && theirs.contains($0) }
                #expect(Set(merge.merged) == Set(added + kept), "seed \(seed): \(base) \(ours) \(theirs)")
                #expect(merge.merged.filter { $0.hasPrefix("b") } == kept, "seed \(seed)")
            }
        }
    }
}
