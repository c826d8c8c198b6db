internal import Foundation

/// A WebSocket server made with the package websockets from PyPI, on a free port of 127.0.0.1.
///
/// `.ci/setup test` installs it below `.build`. It sends each message back, with `echo: ` before a text. `fragments` is responded to with a text in three
/// frames, `many N` with N objects of JSON, `bye` with a Close frame with the code 1011 and the reason `overload`, `die` with the end of the TCP
/// connection, and `codes` with the codes of the connections that were closed with 1000 or 1001. The server ends with the last reference, and also when
/// the test process dies.
public final class WebSocketServer: Sendable {
    /// The port of 127.0.0.1.
    public let port: UInt16
    /// Whether it uses TLS.
    private let isSecure: Bool
    private let server: PythonServer

    /// `http://127.0.0.1:PORT` or `https://localhost:PORT`, without a slash at the end.
    public var url: String { isSecure ? "https://localhost:\(port)" : "http://127.0.0.1:\(port)" }

    /// Whether this machine has the package; for `@Test(.enabled(if:))`.
    public static var isAvailable: Bool { python != nil }

    /// Starts the server, which accepts connections immediately and responds once it has loaded.
    ///
    /// - Parameter identity: The files of a key and of a certificate for TLS; nil for plain text.
    public static func start(identity: Certificates.Identity? = nil) throws -> WebSocketServer { try WebSocketServer(identity) }

    private init(_ identity: Certificates.Identity?) throws {
        var environment: [String: String] = [:]
        if let identity { (environment["KEY"], environment["CERTIFICATE"]) = (identity.key, identity.certificate) }
        server = try PythonServer(Self.python, running: Self.program, environment: environment)
        guard let port = server.url.split(separator: ":").last.flatMap({ UInt16($0) }) else { throw CocoaError(.formatting) }
        self.port = port
        isSecure = identity != nil
    }

    private static let python = OthersPython.path(with: "websockets")

    /// Serves on descriptor 4 until the other end of descriptor 3 closes, which happens however this process ends.
    private static let program = """
        import asyncio, json, logging, os, socket, ssl, threading
        from websockets.asyncio.server import serve

        codes = []

        async def talk(connection):
            async for message in connection:
                if message == "bye": return await connection.close(1011, "overload")
                if message == "die": return connection.transport.abort()
                if message == "codes": await connection.send(" ".join(codes))
                elif message == "fragments": await connection.send(part for part in ["one ", "two ", "three"])
                elif isinstance(message, str) and message.startswith("many "):
                    for number in range(int(message[5:])): await connection.send(json.dumps({"number": number}))
                else: await connection.send("echo: " + message if isinstance(message, str) else message)
            codes.append(str(connection.close_code))

        async def main():
            context = None
            if "KEY" in os.environ:
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                context.load_cert_chain(os.environ["CERTIFICATE"], os.environ["KEY"])
            async with serve(talk, sock=socket.socket(fileno=4), ssl=context): await asyncio.Future()

        logging.disable(logging.CRITICAL)
        threading.Thread(target=lambda: (os.read(3, 1), os._exit(0)), daemon=True).start()
        asyncio.run(main())
        """
}
