internal import Foundation

/// A WebSocket server made with the package websockets from PyPI, which sends compressed messages and compares what the client sends back.
///
/// The path has what a connection does as a query: `data` (`json`, `html`, `text`, `bitmap`, `pdf`), `size` and `count` of the messages, the size of
/// `fragment`s (0 for none), and the parameters of permessage-deflate: `bits` of the windows of both sides (0 for the default), and `alone` (1 where no
/// message refers to those before it). The server closes the connection with 1000 when it got each message back, with 4000 when it got another one, and
/// with 4001 when the client did not offer the extension. It ends with the last reference.
public final class CompressedMessagesServer: Sendable {
    private let server: PythonServer

    /// `http://127.0.0.1:PORT`, without a slash at the end.
    public var url: String { server.url }

    /// Starts the server, which accepts connections immediately and responds once it has loaded.
    public init() throws {
        server = try PythonServer(OthersPython.path(with: "websockets"), running: Self.program)
    }

    private static let program = """
        import asyncio, json, logging, os, random, socket, threading
        from urllib.parse import parse_qsl, urlsplit
        from websockets.asyncio.server import serve
        from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory

        source = random.Random(1)
        words = "habe nun ach philosophie juristerei und medizin leider auch theologie durchaus studiert mit heissem bemuehn".split()
        text = " ".join(source.choice(words) for _ in range(25000))
        data = {
            "json": json.dumps([{"id": n, "name": source.choice(words), "value": n * 7919 % 10007 / 10007} for n in range(3000)]),
            "html": "".join(f"<tr class='row'><td>{n}</td><td>{source.choice(words)}</td></tr>\\n" for n in range(4000)),
            "text": text.encode(),
            "bitmap": bytes((x // 4 + y // 2 + source.randrange(4)) & 255 for y in range(512) for x in range(512)),
            "pdf": b"%PDF-1.4\\n" + source.randbytes(200000),
        }

        def options(request): return dict(parse_qsl(urlsplit(request.path).query))

        def choose(connection, request):
            chosen = options(request)
            alone, bits = chosen["alone"] == "1", int(chosen["bits"]) or None
            connection.protocol.available_extensions = [ServerPerMessageDeflateFactory(alone, alone, bits, bits)]

        async def talk(connection):
            chosen = options(connection.request)
            if not connection.protocol.extensions: return await connection.close(4001)
            all, size, fragment = data[chosen["data"]], int(chosen["size"]), int(chosen["fragment"])
            for number in range(int(chosen["count"])):
                start = number * size % (len(all) - size)
                message = all[start:start + size]
                parts = [message[at:at + fragment] for at in range(0, size, fragment)] if fragment else message
                await connection.send(parts)
                if await connection.recv() != message: return await connection.close(4000)

        async def main():
            async with serve(talk, sock=socket.socket(fileno=4), process_request=choose): await asyncio.Future()

        logging.disable(logging.CRITICAL)
        threading.Thread(target=lambda: (os.read(3, 1), os._exit(0)), daemon=True).start()
        asyncio.run(main())
        """
}
