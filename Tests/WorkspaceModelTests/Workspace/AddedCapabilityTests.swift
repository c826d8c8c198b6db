import SortieHTTP
import Testing

@testable import WorkspaceModel

/// Tests what a change needs beyond the files, without a list of all of them.
@Suite struct AddedCapabilityTests {
    private static func workspace() -> Workspace {
        var workspace = Workspace(name: "W", folder: "/w")
        workspace.environments = [.init(name: "dev"), .init(name: "live")]
        workspace.secrets["pw"] = .command("pass show shop")
        var service = Service(folder: "shop", name: "Shop")
        service.servers = ["dev": ["http://dev.test"], "live": ["https://live.test"]]
        service.endpoints = [Endpoint(target: "shop/a", name: "a", path: "/a"), Endpoint(target: "shop/b", name: "b", path: "/b?k={{$env.OTHER}}")]
        workspace.services = [service]
        return workspace
    }

    @Test func `a changed endpoint adds what it needs in each environment, and nothing that the files need already`() throws {
        let before = Self.workspace()
        var after = before
        after.services[0].endpoints[0].headers = [Parameter("X-Home", "{{$env.HOME}}"), Parameter("X-Key", "{{pw}}")]
        let added = CapabilityScan(before).added(by: after.services[0].endpoints[0], in: after)
        #expect(
            added == [
                Capability(.environment, "HOME"), Capability(.secret, "pw", to: "http://dev.test"),
                Capability(.secret, "pw", to: "https://live.test"),
                Capability(.secret, "$env.HOME", to: "http://dev.test"), Capability(.secret, "$env.HOME", to: "https://live.test"),
            ])
        #expect(added == CapabilityScan(after).all.subtracting(CapabilityScan(before).all))
        #expect(CapabilityScan(after).added(by: after.services[0].endpoints[0], in: after).isEmpty)
    }

    @Test func `changed settings of a service add what its files need`() {
        let before = Self.workspace()
        var after = before
        after.services[0].trust.isInsecure = true
        after.services[0].servers["live"] = ["https://new.test/{{$env.PLACE}}"]
        let added = CapabilityScan(before).added(by: after.services[0], in: after)
        #expect(
            added.contains(Capability(.insecure, "https://new.test")) && added.contains(Capability(.secret, "$env.OTHER", to: "https://new.test")))
        #expect(added == CapabilityScan(after).all.subtracting(CapabilityScan(before).all))
    }
}
