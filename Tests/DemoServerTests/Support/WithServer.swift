import SortieDemoServer

/// Runs a test with a new server on a free port and stops the server afterwards.
///
/// - Parameter test: The test, called with the server's address, such as `http://127.0.0.1:43210`.
func withServer(_ test: (String) async throws -> Void) async throws {
    let server = DemoServer()
    let port = try await server.start()
    do {
        try await test("http://127.0.0.1:\(port)")
    } catch {
        await server.stop()
        throw error
    }
    await server.stop()
}
