import SortieHTTP
import Testing
import WorkspaceModel

/// Tests when the trust of two files is the same.
@Suite struct FileTrustTests {
    private func service(_ trust: TrustPolicy) -> Service {
        var service = Service(folder: "shop", name: "Shop")
        service.trust = trust
        return service
    }

    @Test(arguments: [
        TrustPolicy(isInsecure: false), TrustPolicy(minimumTLS: .usual), TrustPolicy(pinScope: .leaf), TrustPolicy(pins: []),
    ])
    func `a standard value that a file sets makes a difference`(trust: TrustPolicy) {
        #expect(trust == TrustPolicy())
        #expect(service(trust) != service(TrustPolicy()) && service(TrustPolicy()) != service(trust))
        #expect(service(trust) == service(trust))
    }
}
