import SortieHTTP
import Testing
import WorkspaceModel

/// Which endpoints are transfers.
@Suite struct EndpointTransferTests {
    @Test func `an endpoint is a transfer where its request or its answer is a file`() {
        var endpoint = Endpoint(target: "s/e", name: "e", path: "/")
        #expect(!endpoint.isTransfer)
        endpoint.body = .file(path: "f", contentType: nil)
        #expect(endpoint.isTransfer)
        endpoint.body = .multipart([.init(name: "f", value: "f", isFile: true, isEnabled: false)])
        #expect(!endpoint.isTransfer)
        endpoint.kind = .download
        #expect(!endpoint.isTransfer, "with a body it is sent as an ordinary request")
        endpoint.body = .none
        #expect(endpoint.isTransfer)
    }
}
