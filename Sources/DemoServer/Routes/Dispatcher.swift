import FlyingFox
import Foundation

/// FlyingFox's handler for every request: logs it, runs its route, and converts errors to responses.
struct Dispatcher: HTTPHandler {
    let router: Router

    func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
        let call = Call(request)
        if call.rawPath != "/log" { await router.demo.log.add(call) }
        if let connection = try await ChatRoutes.connection(request) { return connection }
        let expectsContinue = call.header("Expect")?.lowercased() == "100-continue"
        return await ContinuePool.$pending.withValue(expectsContinue ? ContinuePool.Pending() : nil) {
            let reply = await answer(call)
            let isReusable = await call.body.finish()
            return reply.response(isHead: call.method == "HEAD", closes: !isReusable)
        }
    }

    private func answer(_ call: Call) async -> Reply {
        do {
            return try await router.answer(call)
        } catch let problem as Problem {
            return .problem(problem)
        } catch is CancellationError {
            // The server is stopping; the connection is closed without a response, because any response would look
            // intended.
            return Reply(body: .none)
        } catch {
            // The client sent invalid framing or disconnected within the body.
            return .problem(Problem(400, "The request could not be read completely: \(error.localizedDescription)"))
        }
    }

    /// FlyingFox matches only listed methods; the list contains the registered ones (RFC 9110 §18.2, WebDAV, QUERY).
    static let everyMethod: [HTTPRoute] = [
        HTTPRoute(
            methods: HTTPMethod.allMethods.union(
                [
                    "ACL", "BASELINE-CONTROL", "BIND", "CHECKIN", "CHECKOUT", "COPY", "LABEL", "LINK", "LOCK", "MERGE",
                    "MKACTIVITY",
                    "MKCALENDAR", "MKCOL", "MKREDIRECTREF", "MKWORKSPACE", "MOVE", "NOTIFY", "ORDERPATCH", "PRI", "PROPFIND",
                    "PROPPATCH", "PURGE", "QUERY", "REBIND", "REPORT", "SEARCH", "SUBSCRIBE", "UNBIND", "UNCHECKOUT", "UNLINK",
                    "UNLOCK", "UNSUBSCRIBE", "UPDATE", "UPDATEREDIRECTREF", "VERSION-CONTROL",
                ].map { HTTPMethod($0) }), path: "*")
    ]
}

/// FlyingFox's handler for a server without the demo's routes.
struct LocalDispatcher: HTTPHandler {
    let handler: @Sendable (LocalRequest) async -> LocalReply

    func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
        let call = Call(request)
        let expectsContinue = call.header("Expect")?.lowercased() == "100-continue"
        return await ContinuePool.$pending.withValue(expectsContinue ? ContinuePool.Pending() : nil) {
            let local = LocalRequest(
                method: call.method, path: call.rawPath, header: { call.header($0) }, query: call.rawQuery,
                fields: call.headers.map { ($0.key.rawValue, $0.value) },
                body: {
                    // A body that cannot be read is not compared; the end of the connection follows.
                    do { return try await call.body.collect(limit: 16 << 20) } catch { return nil }
                })
            let localReply = await handler(local)
            let isReusable = await call.body.finish()
            let reply = Reply(localReply.status, headers: localReply.headers, body: localReply.closesWithoutResponse ? .none : .data(localReply.body))
            return reply.response(isHead: call.method == "HEAD", closes: !isReusable, server: "Sortie")
        }
    }
}
