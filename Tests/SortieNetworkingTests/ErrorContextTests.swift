import Support
import Testing

@testable import SortieNetworking

/// Tests the information in an error about its attempt (X4).
@Suite(.fewAtOnce)
struct ErrorContextTests {
    @Test func `X4 an error contains the number and the times of the failed attempt`() async throws {
        let server = try ScriptedServer([
            Script(.readRequest, .send(HTTPAnswer.redirect(to: "/next")), .closeGracefully), Script(.readRequest, .closeGracefully),
        ])
        let error = try #require(try await Caller().get(server.url).error)
        #expect(error.code == .emptyResponse)
        #expect(error.attempt == 2)
        #expect((error.timing?.total ?? 0) > 0)
        #expect(error.hint != nil)
        var same = error
        same.attempt = 7
        #expect(same == error)
    }

    @Test func `X4 an error of a request that was never sent has no attempt`() async throws {
        let error = try #require(try await Caller().exchange(.to("http://127.0.0.1/", .get, [HeaderField("a b", "")])).error)
        #expect(error.attempt == nil)
        #expect(error.timing == nil)
    }
}
