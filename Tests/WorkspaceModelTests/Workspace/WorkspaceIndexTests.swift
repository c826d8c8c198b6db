import Testing

@testable import WorkspaceModel

struct WorkspaceIndexTests {
    private static func workspace(_ targets: String...) -> Workspace {
        var workspace = Workspace(name: "w", folder: "/w")
        workspace.services = ["shop", "user"].map { folder in
            var service = Service(folder: folder, name: folder)
            service.endpoints = targets.filter { $0.hasPrefix(folder + "/") }.map { Endpoint(target: $0, name: $0, path: "/\($0)") }
            return service
        }
        return workspace
    }

    @Test func `an endpoint is found in each service`() {
        let workspace = Self.workspace("shop/a", "shop/b", "user/a")
        let found = ["shop/a", "shop/b", "user/a", "user/b", "shop", ""].map { workspace.endpoint($0)?.path }
        #expect(found == ["/shop/a", "/shop/b", "/user/a", nil, nil, nil])
    }

    @Test func `an endpoint is found where it is after a change of the services`() {
        var workspace = Self.workspace("shop/a", "shop/b")
        #expect(workspace.endpoint("shop/b")?.path == "/shop/b")
        let before = workspace
        workspace.services[0].endpoints.removeFirst()
        workspace.services[0].endpoints[0].path = "/changed"
        workspace.services.reverse()
        #expect(workspace.endpoint("shop/b")?.path == "/changed")
        #expect(workspace.endpoint("shop/a") == nil)
        #expect(before.endpoint("shop/a")?.path == "/shop/a")
        #expect(before.endpoint("shop/b")?.path == "/shop/b")
    }

    @Test func `a service is found by its folder, also after a change`() {
        var workspace = Self.workspace("shop/a")
        #expect(workspace.service("user")?.folder == "user" && workspace.service("shop")?.endpoints.count == 1 && workspace.service("other") == nil)
        workspace.services.removeFirst()
        #expect(workspace.service("user")?.folder == "user" && workspace.service("shop") == nil)
    }

    @Test func `a search is no difference between workspaces`() {
        let (one, other) = (Self.workspace("shop/a"), Self.workspace("shop/a"))
        #expect(one.endpoint("shop/a") != nil)
        #expect(one == other)
        #expect(Set([one, other]).count == 1)
    }
}
