import SortieHTTP
import Testing

/// Tests the parameters of permessage-deflate in the response to a handshake (RFC 7692 §7.1).
@Suite struct WebSocketCompressionParameterTests {
    @Test func `no field means no compression`() throws {
        #expect(try WebSocketCompression(accepted: []) == nil)
    }

    @Test(arguments: [
        ("permessage-deflate", "permessage-deflate"),
        (
            " permessage-deflate ;\tserver_no_context_takeover; client_no_context_takeover",
            "permessage-deflate; server_no_context_takeover; client_no_context_takeover"
        ),
        (
            "permessage-deflate; server_max_window_bits=8; client_max_window_bits = 10",
            "permessage-deflate; server_max_window_bits=8; client_max_window_bits=10"
        ),
        ("permessage-deflate; client_max_window_bits=\"9\"; server_max_window_bits=15", "permessage-deflate; client_max_window_bits=9"),
        (", permessage-deflate,", "permessage-deflate"),
    ])
    func `valid parameters are accepted, also those that were not requested`(value: String, description: String) throws {
        #expect(try WebSocketCompression(accepted: [value])?.description == description)
    }

    @Test(arguments: ["", "x-webkit-deflate-frame", "Permessage-Deflate", "permessage-deflate, permessage-deflate", "permessage-deflate, x-other"])
    func `another extension is rejected`(value: String) {
        let error = #expect(throws: WebSocketError.self) { try WebSocketCompression(accepted: [value]) }
        #expect(error?.rule == .extensions)
    }

    @Test func `two fields are rejected`() {
        let error = #expect(throws: WebSocketError.self) { try WebSocketCompression(accepted: ["permessage-deflate", "permessage-deflate"]) }
        #expect(error?.rule == .extensions)
    }

    @Test(arguments: [
        "unknown", "server_no_context_takeover=1", "client_no_context_takeover=true", "server_max_window_bits", "client_max_window_bits",
        "server_max_window_bits=7", "server_max_window_bits=16", "client_max_window_bits=08", "client_max_window_bits=",
        "client_max_window_bits=\"\"",
        "client_max_window_bits=10; client_max_window_bits=10", "server_no_context_takeover; server_no_context_takeover", "",
        "Server_No_Context_Takeover", "client_max_window_bits=-9",
    ])
    func `invalid parameters are rejected`(parameters: String) {
        let error = #expect(throws: WebSocketError.self) { try WebSocketCompression(accepted: ["permessage-deflate; \(parameters)"]) }
        #expect(error?.rule == .extensionParameters)
    }
}
