import FlyingFox
import FlyingSocks
import Foundation

/// The demo's HTTP/1.1 server on the loopback interface, with routes for every feature of the workbench.
///
/// It listens on 127.0.0.1 only. `GET /` lists its routes. All state (orders, tokens, counters, log) is in memory and
/// is lost when the server ends.
package actor DemoServer {
    /// The configuration: credentials, secrets and limits.
    package typealias Options = DemoOptions

    /// Why the server did not start.
    package struct StartError: Error, CustomStringConvertible {
        /// The problem and its remedy, in one sentence.
        package let description: String

        init(description: String) { self.description = description }

        /// The error of a port that cannot be opened, with the message of the system.
        init(port: UInt16, _ error: any Error, remedy: String = "") {
            let reason: String
            if case SocketError.failed(_, _, let message)? = error as? SocketError {
                reason = message.lowercased()
            } else {
                reason = error.localizedDescription
            }
            description = "cannot listen on 127.0.0.1:\(port): \(reason)\(remedy)"
        }
    }

    private let requestedPort: UInt16
    private let handler: @Sendable () -> any HTTPHandler
    private var running: Running?
    private var starting: Task<Running, any Error>?

    private struct Running: Sendable {
        let server: HTTPServer
        let task: Task<Void, any Error>
        let port: UInt16
    }

    /// Creates a server that does not listen yet.
    ///
    /// - Parameters:
    ///   - port: The TCP port to listen on; 0 lets the system choose a free one.
    ///   - options: Credentials, secrets and limits.
    package init(port: UInt16 = 0, options: Options = Options()) {
        requestedPort = port
        handler = { Dispatcher(router: Router(demo: Demo(options: options))) }
    }

    /// Creates a server that does not listen yet and has none of the demo's routes.
    ///
    /// - Parameters:
    ///   - port: The TCP port to listen on; 0 lets the system choose a free one.
    ///   - handler: Makes the response of every request, whatever its method and path.
    package init(port: UInt16, handler: @escaping @Sendable (LocalRequest) async -> LocalReply) {
        requestedPort = port
        self.handler = { LocalDispatcher(handler: handler) }
    }

    /// Starts to listen and returns the port once connections are accepted.
    ///
    /// A running server only returns its port.
    ///
    /// - Throws: ``StartError`` when the port cannot be opened.
    @discardableResult
    package func start() async throws -> UInt16 {
        if let running { return running.port }
        // Concurrent callers wait for the same start.
        let task = starting ?? Task { try await launch() }
        starting = task
        defer { starting = nil }
        let running = try await task.value
        self.running = running
        return running.port
    }

    private func launch() async throws -> Running {
        let server = HTTPServer(config: try configuration())
        let handler = handler()
        for route in Dispatcher.everyMethod {
            await server.appendRoute(route, to: handler)
        }
        let (started, outcome) = AsyncThrowingStream<Void, any Error>.makeStream()
        let task = Task {
            do {
                try await server.run()
            } catch {
                outcome.finish(throwing: error)
                throw error
            }
        }
        let waiter = Task {
            try await server.waitUntilListening()
            outcome.yield()
        }
        defer { waiter.cancel() }
        do {
            for try await _ in started { break }
        } catch {
            throw StartError(port: requestedPort, error)
        }
        guard case .ip4(_, let port)? = await server.listeningAddress else {
            task.cancel()
            throw StartError(description: "the server stopped while it was starting on 127.0.0.1:\(requestedPort)")
        }
        return Running(server: server, task: task, port: port)
    }

    /// Closes the port and all connections; returns when all of them have ended.
    package func stop() async {
        guard let running else { return }
        self.running = nil
        await running.server.stop(timeout: 0)
        _ = await running.task.result
    }

    private func configuration() throws -> HTTPServer.Configuration {
        HTTPServer.Configuration(
            address: try .inet(ip4: "127.0.0.1", port: requestedPort),
            // Limits only the handlers, not the time to send a body. No route waits longer than ten minutes.
            timeout: 3600,
            // Larger bodies are passed on as they arrive and are not kept for a second reading.
            sharedRequestBufferSize: 4096,
            sharedRequestReplaySize: 4096,
            pool: ContinuePool(base: NoDelayPool(base: HTTPServer.defaultPool())),
            // The default logger prints to standard output, which belongs to the program.
            logger: .disabled)
    }
}
