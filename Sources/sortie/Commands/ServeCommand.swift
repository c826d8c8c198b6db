internal import ArgumentParser
internal import DemoServer

/// `sortie serve`: the embedded server alone.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "serve", abstract: "Run the demo's server until interrupted.")

    @Option(help: "The port; 0 takes a free one.")
    var port: UInt16 = 8080

    func run() async throws {
        let server = DemoServer(port: port)
        do {
            let port = try await server.start()
            StandardOutput.write("listening on http://127.0.0.1:\(port)\n")
        } catch {
            throw CommandFailure(.network, name: "cannotListen", "\(error)", hint: "choose another port with --port N")
        }
        await Interruption.wait()
        await server.stop()
        throw ExitCode(CommandFailure.Kind.interrupted.exitCode)
    }
}
