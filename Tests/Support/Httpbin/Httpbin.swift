/// httpbin from PyPI, an independent test server for HTTP clients, on a free port of 127.0.0.1.
///
/// `.ci/setup test` installs it below `.build`. The server ends with the last reference, and also when the test process dies.
public final class Httpbin: Sendable {
    /// `http://127.0.0.1:PORT`, without a slash at the end.
    public var url: String { server.url }

    private let server: PythonServer

    /// Whether this machine has httpbin; for `@Test(.enabled(if:))`.
    public static var isAvailable: Bool { python != nil }

    /// Starts the server.
    ///
    /// It accepts connections immediately, and responds once it has loaded.
    public static func start() throws -> Httpbin { try Httpbin() }

    private init() throws {
        server = try PythonServer(Self.python, running: Self.program)
    }

    /// Serves on descriptor 4 until the other end of descriptor 3 closes, which happens however this process ends.
    private static let program = """
        import os, threading
        from werkzeug.serving import WSGIRequestHandler, make_server
        import httpbin
        threading.Thread(target=lambda: (os.read(3, 1), os._exit(0)), daemon=True).start()
        WSGIRequestHandler.protocol_version = "HTTP/1.1"
        WSGIRequestHandler.log_request = lambda *rest, **more: None
        make_server("127.0.0.1", 0, httpbin.app, threaded=True, fd=4).serve_forever()
        """

    private static let python = OthersPython.path(with: "httpbin")
}
