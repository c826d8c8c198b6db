import Support

/// A separate `sortie serve` process, which ends with its terminal, however the test process ends.
final class DemoProcess: Sendable {
    /// `http://127.0.0.1:PORT`, as printed by the program.
    let url: String
    /// `127.0.0.1:PORT`.
    var authority: String { String(url.dropFirst("http://".count)) }

    /// The port of the gRPC server.
    let grpcPort: String

    private let terminal: PseudoTerminal
    private let sortie: Sortie

    private static let one = Shared { try await DemoProcess() }

    /// The instance that all tests share.
    static var shared: DemoProcess {
        get async throws { try await one.value }
    }

    private init() async throws {
        sortie = try Sortie()
        terminal = try await sortie.open("serve", "--port", "0", "--grpc-port", "0")
        try await terminal.waitUntil("the lines with the addresses", within: Sortie.patience) {
            $0.row(0).hasPrefix("listening on http://127.0.0.1:") && $0.row(1).hasPrefix("gRPC on http://127.0.0.1:") && $0.cursor.row > 1
        }
        url = String(terminal.row(0).dropFirst("listening on ".count))
        grpcPort = String(terminal.row(1).dropFirst("gRPC on http://127.0.0.1:".count))
    }
}
