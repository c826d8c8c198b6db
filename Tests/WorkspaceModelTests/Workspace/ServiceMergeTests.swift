import Testing

@testable import SortieHTTP
@testable import WorkspaceModel

/// Tests a service that was edited while another program changed its file.
@Suite struct ServiceMergeTests {
    private var base: Service {
        var service = Service(folder: "shop", name: "Shop")
        service.headers = [Parameter("X-One", "a")]
        service.servers = ["dev": ["http://a.test", "http://b.test"]]
        return service
    }

    private func merge(_ ours: (inout Service) -> Void, _ theirs: (inout Service) -> Void) -> ServiceMerge {
        var (our, their) = (base, base)
        ours(&our)
        theirs(&their)
        return ServiceMerge(base: base, ours: our, theirs: their)
    }

    @Test func `every property is merged, apart from the folder, the endpoints and the location`() {
        let names = Mirror(reflecting: base).children.compactMap(\.label)
        #expect(names.count == ServiceMerge.count + 3, "add a new property to ServiceMerge: \(names)")
    }

    @Test func `a changed header field stays that of its name where another program inserts one before it`() {
        let merge = merge {
            $0.headers[0].value = "typed"
        } _: {
            $0.headers.insert(Parameter("X-Zero", "0"), at: 0)
            $0.summary = "theirs"
        }
        #expect(merge.service.headers == [Parameter("X-Zero", "0"), Parameter("X-One", "typed")])
        #expect(merge.service.summary == "theirs" && merge.conflicts.isEmpty)
    }

    @Test func `servers that both sides changed in different places are merged`() {
        let merge = merge {
            $0.servers["dev"]?[1] = "http://typed.test"
        } _: {
            $0.servers["dev"]?.insert("http://new.test", at: 0)
            $0.servers["test"] = ["http://t.test"]
        }
        #expect(merge.service.servers == ["dev": ["http://new.test", "http://a.test", "http://typed.test"], "test": ["http://t.test"]])
        #expect(merge.conflicts.isEmpty)
    }

    @Test func `what both sides changed in different ways is a conflict, and stays as it was typed`() {
        let merge = merge {
            $0.headers[0].value = "typed"
            $0.auth = .bearer(token: "{{t}}")
            $0.limits.requests = 4
        } _: {
            $0.headers = []
            $0.auth = .bearer(token: "{{u}}")
            $0.limits.requests = 4
        }
        #expect(merge.conflicts == ["auth", "headers"])
        #expect(merge.service.headers == [Parameter("X-One", "typed")] && merge.service.auth == .bearer(token: "{{t}}"))
    }
}
