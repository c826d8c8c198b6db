import FlyingFox
import Foundation

/// FlyingFox's handler for a server without the demo's routes.
struct LocalDispatcher: HTTPHandler {
    let handler: @Sendable (LocalRequest) async -> LocalReply

    func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
        let call = Call(request)
        let expectsContinue = call.header("Expect")?.lowercased() == "100-continue"
        return await ContinuePool.$pending.withValue(expectsContinue ? ContinuePool.Pending() : nil) {
            let answer = await handler(LocalRequest(method: call.method, path: call.rawPath) { call.header($0) })
            let isReusable = await call.body.finish()
            let reply = Reply(answer.status, headers: answer.headers, body: answer.closesWithoutResponse ? .none : .data(answer.body))
            return reply.response(isHead: call.method == "HEAD", closes: !isReusable, server: "Sortie")
        }
    }
}
