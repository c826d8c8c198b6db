import SortieHTTP
import Testing
import WorkspaceModel

/// Edits of one endpoint or service in several programs.
@Suite struct UnsavedEditsTests {
    private func draft(_ change: (inout Endpoint) -> Void) -> EndpointDraft {
        let original = Endpoint(target: "api/login", name: "Login", path: "/login")
        var edited = original
        change(&edited)
        return EndpointDraft(original: original, edited: edited)
    }

    @Test func `edits of an endpoint that do not overlap become one`() {
        let path = draft { $0.path = "/a" }
        let header = draft { $0.headers = [Parameter("X-A", "1")] }
        var edits = UnsavedEdits(endpoints: [path, header])
        let others = edits.separate { _ in false }
        let both = draft { endpoint in
            endpoint.path = "/a"
            endpoint.headers = [Parameter("X-A", "1")]
        }
        #expect(edits.endpoints == [both] && others.copies.isEmpty && others.services.isEmpty)
    }

    @Test func `of edits that overlap the older ones become an endpoint of their own`() {
        let (older, newer) = (draft { $0.path = "/a" }, draft { $0.path = "/b" })
        let other = EndpointDraft(original: nil, edited: Endpoint(target: "api/login-3", name: "Other", path: "/"))
        var edits = UnsavedEdits(endpoints: [older, other, newer])
        let others = edits.separate { $0 == "api/login" || $0 == "api/login-2" }
        #expect(others.copies.map(\.target) == ["api/login"] && others.copies.map(\.copy) == ["api/login-4"])
        #expect(Array(edits.endpoints.prefix(2)) == [other, newer])
        let copy = edits.endpoints.last
        #expect(copy?.edited.target == "api/login-4" && copy?.edited.path == "/a" && copy?.edited.name == "Login (another window)")
        #expect(copy?.original?.path == "", "it is in no file")
        let separated = edits
        #expect(edits.separate { $0 == "api/login" || $0 == "api/login-2" }.copies.isEmpty && edits == separated)
    }

    @Test func `edits of which the original is not known, and the same edits twice`() {
        let known = draft { $0.path = "/a" }
        var unknown = draft { $0.headers = [Parameter("X-A", "1")] }
        unknown.original = nil
        var edits = UnsavedEdits(endpoints: [unknown, known, known])
        #expect(edits.separate { _ in false }.copies.map(\.copy) == ["api/login-2"])
        #expect(edits.endpoints.first == known && edits.endpoints.count == 2)
    }

    @Test func `the older edits of a service are not restored beside the newer ones`() {
        func service(_ folder: String, _ name: String) -> ServiceDraft {
            ServiceDraft(original: nil, edited: Service(folder: folder, name: name))
        }
        var edits = UnsavedEdits(services: [service("shop", "Old"), service("files", "Files"), service("shop", "New")])
        #expect(edits.separate { _ in false }.services == [service("shop", "Old")])
        #expect(edits.services == [service("files", "Files"), service("shop", "New")])
    }
}
