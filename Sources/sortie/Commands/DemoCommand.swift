internal import ArgumentParser
internal import DemoServer

/// `sortie demo`: the demo workspace on the embedded server.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Open the demo workspace on the embedded server.")

    @OptionGroup var source: WorkspaceOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await DemoSession(source: source, output: output).run()
    }
}

/// The embedded server on a free port, and the demo workspace on it.
struct DemoSession {
    let source: WorkspaceOptions
    let output: OutputOptions

    func run() async throws {
        guard let folder = WorkspaceSource.demo() else {
            throw CommandFailure(
                .file, name: "workspace", "the demo workspace was not found",
                hint: "run sortie inside its source folder, or name a workspace")
        }
        let server = DemoServer()
        let port: UInt16
        do { port = try await server.start() } catch {
            throw CommandFailure(.network, name: "cannotListen", "the demo server: \(error)")
        }
        var overrides = try source.layer()
        overrides["host"] = overrides["host"] ?? "127.0.0.1:\(port)"
        let program = WorkbenchProgram(
            folder: folder, environment: source.environment, overrides: overrides, usesColour: !output.noColor,
            notices: ["The demo's server listens on http://127.0.0.1:\(port)"])
        do { try program.run() } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }
}
