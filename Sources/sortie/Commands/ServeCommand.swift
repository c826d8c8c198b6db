internal import ArgumentParser
internal import SortieDemoServer

/// `sortie serve`: starts only the embedded server.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "serve", abstract: "Run the demo's server until interrupted.")

    @Option(help: "The port; 0 takes a free one.")
    var port: UInt16 = 8080

    func run() async throws {
        let server = DemoServer(port: port)
        let listening: UInt16
        do { listening = try await server.start() } catch {
            throw CommandFailure(.network, name: "cannotListen", "\(error)", hint: "choose another port with --port N")
        }
        await Interruption.wait { StandardOutput.write("listening on http://127.0.0.1:\(listening)\n") }
        await server.stop()
        throw ExitCode(CommandFailure.Kind.interrupted.exitCode)
    }
}
