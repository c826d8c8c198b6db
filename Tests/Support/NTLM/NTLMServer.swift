internal import Foundation

/// A server that requires NTLM, made with pyspnego from PyPI, on a free port of 127.0.0.1.
///
/// `.ci/setup test` installs it below `.build`. The users are `SHOP\anna` with the password `sesame` and `SHOP\otto` with the password `other`. As the
/// scheme requires, the server authenticates a connection: later requests on it need no credentials. A response has the user, the number of the
/// connection, and the body that was received. `/redirect?URL` redirects with 302. The server ends with the last reference, and also when the test
/// process dies.
public final class NTLMServer: Sendable {
    /// `http://127.0.0.1:PORT`, without a slash at the end.
    public var url: String { server.url }

    private let server: PythonServer

    /// A response.
    public struct Answer: Decodable, Sendable {
        /// The user of the connection.
        public let user: String
        /// The number of the connection, from 1.
        public let connection: Int
        /// The number of requests on the connection so far, from 1.
        public let request: Int
        /// The received body.
        public let body: String

        /// Reads the body of a response.
        public init(_ text: String) throws { self = try JSONDecoder().decode(Answer.self, from: Data(text.utf8)) }
    }

    /// Whether this machine has pyspnego; for `@Test(.enabled(if:))`.
    public static var isAvailable: Bool { python != nil }

    /// Starts the server, which accepts connections immediately and responds once it has loaded.
    public static func start() throws -> NTLMServer { try NTLMServer() }

    private init() throws {
        server = try PythonServer(Self.python, running: Self.program)
    }

    private static let python = OthersPython.path(with: "spnego")

    /// Serves on descriptor 4 until the other end of descriptor 3 closes, which happens however this process ends.
    private static let program = """
        import base64, json, os, socket, tempfile, threading
        from http.server import BaseHTTPRequestHandler

        users = tempfile.NamedTemporaryFile("w", suffix=".users")
        users.write("SHOP:anna:sesame\\nSHOP:otto:other\\n")
        users.flush()
        os.environ["NTLM_USER_FILE"] = users.name
        import spnego

        count = 0
        lock = threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            user = context = None
            requests = 0

            def setup(self):
                global count
                super().setup()
                with lock:
                    count += 1
                    self.connection_number = count

            def log_message(self, *rest): pass

            def reply(self, status, body, *fields):
                self.send_response(status)
                for field in fields: self.send_header(*field)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def handle_request(self):
                self.requests += 1
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                scheme, _, token = (self.headers.get("Authorization") or "").partition(" ")
                if scheme == "NTLM":
                    try:
                        if self.context is None: self.context = spnego.server(protocol="ntlm")
                        answer = self.context.step(base64.b64decode(token))
                        if self.context.complete:
                            self.user, self.context = self.context.client_principal, None
                        else:
                            return self.reply(401, b"", ("WWW-Authenticate", "NTLM " + base64.b64encode(answer).decode()))
                    except spnego.exceptions.SpnegoError:
                        self.context = None
                if self.user is None: return self.reply(401, b"who?", ("WWW-Authenticate", "NTLM"))
                if self.path.startswith("/redirect?"): return self.reply(302, b"", ("Location", self.path.partition("?")[2]))
                answer = {"user": self.user, "connection": self.connection_number, "request": self.requests, "body": body.decode()}
                self.reply(200, json.dumps(answer).encode(), ("Content-Type", "application/json"))

            do_GET = do_POST = do_PUT = handle_request

        threading.Thread(target=lambda: (os.read(3, 1), os._exit(0)), daemon=True).start()
        listener = socket.socket(fileno=4)

        def serve(client, address):
            try: Handler(client, address, None)
            except OSError: pass
            finally: client.close()

        while True:
            client, address = listener.accept()
            threading.Thread(target=serve, args=(client, address), daemon=True).start()
        """
}
