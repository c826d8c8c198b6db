import SortieHTTP
import Testing
import WorkspaceModel

/// Tests which credentials an endpoint has.
@Suite struct EndpointAuthTests {
    @Test(arguments: [
        (Auth.inherit, Auth.bearer(token: "s"), Bool?.none, Auth.bearer(token: "s")), (.inherit, .bearer(token: "s"), true, .bearer(token: "s")),
        (.inherit, .bearer(token: "s"), false, .inherit), (.inherit, .none, nil, .inherit), (.none, .bearer(token: "s"), nil, .none),
        (.negotiate, .bearer(token: "s"), nil, .negotiate), (.negotiate, .none, false, .negotiate),
    ])
    func `own credentials take precedence, and an endpoint without any inherits those of its service`(
        own: Auth, ofService: Auth, inherits: Bool?, expected: Auth
    ) {
        var service = Service(folder: "shop", name: "Shop")
        service.auth = ofService
        var endpoint = Endpoint(target: "shop/a", name: "a", path: "/")
        (endpoint.auth, endpoint.inherits) = (own, inherits)
        #expect(endpoint.auth(in: service) == expected)
        #expect(endpoint.auth(in: nil) == own)
    }
}
