import SortieBase
import SortieStorage
import Testing
import WorkspaceModel

/// Tests `order:` of `workspace.yaml` and `service.yaml`.
@Suite struct ListOrderTests {
    @Test func `services and endpoints that are named come first, folders stay together, and the others follow by name`() throws {
        let endpoint = "path: /\n"
        let workspace = try TemporaryWorkspace([
            "workspace.yaml": "order: [shop, cart]\n", "about/service.yaml": "", "cart/service.yaml": "", "zoo/service.yaml": "",
            "shop/service.yaml": "order: [orders/list, login, orders/all]\n", "shop/about.yaml": endpoint, "shop/login.yaml": endpoint,
            "shop/orders/all.yaml": endpoint, "shop/orders/list.yaml": endpoint, "shop/orders/detail.yaml": endpoint, "shop/users/me.yaml": endpoint,
        ]).load()
        #expect(workspace.problems.filter { $0.location.file != "shop/service.yaml" || $0.message.contains("order") } == [])
        #expect(workspace.services.map(\.folder) == ["shop", "cart", "about", "zoo"])
        #expect(
            workspace.services[0].endpoints.map(\.target) == [
                "shop/orders/list", "shop/orders/all", "shop/orders/detail", "shop/login", "shop/about", "shop/users/me",
            ])
    }

    @Test func `a name in order that is neither an endpoint nor a folder is a warning at its place`() throws {
        let workspace = try TemporaryWorkspace([
            "workspace.yaml": "order: [shop, shpo]\n", "shop/service.yaml": "servers: {}\norder: [orders, lgin]\n", "shop/login.yaml": "path: /\n",
            "shop/orders/list.yaml": "path: /\n",
        ]).load()
        let problems = workspace.problems.map(\.description).filter { $0.contains("order:") }
        #expect(
            problems == [
                "shop/service.yaml:2:17: order: there is no endpoint “lgin”; did you mean “login”?",
                "workspace.yaml:1:15: order: there is no service “shpo”; did you mean “shop”?",
            ])
    }
}
