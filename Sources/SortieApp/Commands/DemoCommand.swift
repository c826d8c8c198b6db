internal import ArgumentParser
internal import SortieDemoServer

/// `sortie demo`: opens the demo workspace with the embedded server.
struct DemoCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Open the demo workspace on the embedded server.",
        discussion: "The demo is inside the program. Its copy in $XDG_DATA_HOME/sortie/demo can be changed; a newer version keeps the changes.")

    @OptionGroup var source: WorkspaceOptions
    @OptionGroup var output: OutputOptions

    func run(in program: ProgramContext) throws {
        let (folder, notice) = try EmbeddedDemo.copy(in: program)
        let (server, port) = try MainThread.wait { try await Self.listen() }
        var overrides = try source.layer(.withoutForce(), in: program)
        overrides["port"] = overrides["port"] ?? String(port)
        let grpc = DemoGRPCServer()
        let grpcPort = Result { try MainThread.wait { try await grpc.start() } }
        var notices = [notice, "The demo's server listens on http://127.0.0.1:\(port)"].compactMap(\.self)
        switch grpcPort {
        case .success(let port): overrides["grpcPort"] = overrides["grpcPort"] ?? String(port)
        case .failure(let error): notices.append("The demo has no gRPC server: \(error)")
        }
        let workbench = WorkbenchProgram(
            program: program, folder: folder, environment: try source.environment, overrides: overrides, usesColour: !output.noColor,
            keepsHistory: !output.noHistory, isTrusted: source.isTrusted,
            notices: notices)
        let ended = Result { try workbench.run() }
        try MainThread.wait {
            await grpc.stop()
            await server.stop()
        }
        if let next = try ended.get() { try NextWorkspace.open(next, output, in: program) }
    }

    /// The default port, because a download can be resumed in a later demo only with the same URL.
    private static let usualPort: UInt16 = 46101

    /// Starts a server on the default port, or on a free port when that is in use.
    private static func listen() async throws -> (DemoServer, UInt16) {
        let usual = DemoServer(port: usualPort)
        do { return (usual, try await usual.start()) } catch { await usual.stop() }
        let server = DemoServer()
        do { return (server, try await server.start()) } catch {
            throw CommandFailure(.network, name: "cannotListen", "the demo server: \(error)")
        }
    }
}
