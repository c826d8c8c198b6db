internal import Foundation
internal import Glibc

/// An HTTP server that a Python program with packages from PyPI runs on a free port of 127.0.0.1.
///
/// The program serves on descriptor 4 until the other end of descriptor 3 closes, which happens however this process ends. The server accepts
/// connections immediately and responds once it has loaded. It ends with the last reference.
final class PythonServer: Sendable {
    /// `http://127.0.0.1:PORT`, without a slash at the end.
    let url: String

    private let child: ChildProcess
    private let lifeline: DescriptorPair

    /// Starts a program.
    ///
    /// - Parameter python: The interpreter with the packages; nil where this machine has none.
    init(_ python: String?, running program: String, environment: [String: String] = [:]) throws {
        guard let python else { throw CocoaError(.fileNoSuchFile) }
        let socket = try LoopbackSocket(address: "127.0.0.1", port: 0)
        defer { close(socket.descriptor) }
        try checked(listen(socket.descriptor, 128), "listen")
        url = "http://127.0.0.1:\(socket.port)"
        lifeline = try DescriptorPair()
        child = try ChildProcess(
            python,
            ChildProcess.Options(
                arguments: ["-c", program], environment: environment.merging(["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]) { $1 },
                descriptors: [nil, nil, nil, lifeline.reading, socket.descriptor]))
        lifeline.closeReading()
    }

    deinit { child.signal(SIGKILL, group: true) }
}
