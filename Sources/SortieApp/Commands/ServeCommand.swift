internal import ArgumentParser
internal import SortieDemoServer

/// `sortie serve`: starts only the embedded server.
struct ServeCommand: AsyncProgramCommand {
    static let configuration = CommandConfiguration(commandName: "serve", abstract: "Run the demo's server until interrupted.")

    @Option(help: "The port; 0 takes a free one.")
    var port: UInt16 = 8080

    @Option(help: "Also run the demo's gRPC server on this port; 0 takes a free one.")
    var grpcPort: UInt16?

    func run(in program: ProgramContext) async throws {
        let server = DemoServer(port: port)
        let listening: UInt16
        do { listening = try await server.start() } catch {
            throw CommandFailure(.network, name: "cannotListen", "\(error)", hint: "choose another port with --port N")
        }
        var text = "listening on http://127.0.0.1:\(listening)\n"
        let grpc = grpcPort.map { DemoGRPCServer(port: $0) }
        do {
            if let port = try await grpc?.start() { text += "gRPC on http://127.0.0.1:\(port)\n" }
        } catch {
            await server.stop()
            throw CommandFailure(.network, name: "cannotListen", "gRPC: \(error)")
        }
        await Interruption.wait(in: program) { [text] in program.output.write(text) }
        await grpc?.stop()
        await server.stop()
        throw ExitCode(CommandFailure.Kind.interrupted.exitCode)
    }
}
