import DemoServer

/// Runs a test against a fresh server on a free port and stops it afterwards.
///
/// - Parameter test: Gets the server's address, like `http://127.0.0.1:43210`.
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
