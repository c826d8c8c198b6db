import Foundation
import Glibc

/// An `openssl s_server`, which aborts handshakes with alerts, unlike nginx.
///
/// It responds to every GET with a page.
public final class OpenSSLServer: Sendable {
    /// The port on 127.0.0.1.
    public let port: UInt16
    /// `https://localhost:PORT`, without a slash at the end.
    public var url: String { "https://localhost:\(port)" }

    private let child: ChildProcess
    private let lifeline: DescriptorPair
    private let output: DescriptorPair

    /// Starts the server with the certificate of `identity` and additional arguments of `s_server`; returns when it accepts
    /// connections.
    ///
    /// Blocks the calling thread meanwhile; a task must use ``onNewThread(_:)``.
    ///
    /// - Throws: ``NginxFailure`` with its output when it ends, or does not start within five minutes.
    public init(_ identity: Certificates.Identity, _ arguments: String...) throws {
        lifeline = try DescriptorPair()
        output = try DescriptorPair()
        // The shell ends the server when the other end of descriptor 3 closes, which happens however this process ends.
        let script = #""$@" & child=$!; { cat; kill $child; } <&3 >/dev/null & wait $child"#
        child = try ChildProcess(
            "/bin/sh",
            ChildProcess.Options(
                arguments: [
                    "-c", script, "sh", "/usr/bin/openssl", "s_server", "-accept", "127.0.0.1:0", "-www", "-cert", identity.certificate, "-key",
                    identity.key,
                ] + arguments,
                descriptors: [nil, output.writing, output.writing, lifeline.reading]))
        lifeline.closeReading()
        output.closeWriting()
        do { port = try Self.port(from: output.reading) } catch {
            child.signal(SIGKILL, group: true)
            throw error
        }
    }

    deinit { child.signal(SIGKILL, group: true) }

    /// Reads the port from the line `ACCEPT 127.0.0.1:PORT`.
    private static func port(from descriptor: Int32) throws -> UInt16 {
        var text = ""
        let deadline = Date(timeIntervalSinceNow: 300)
        while deadline.timeIntervalSinceNow > 0 {
            var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&watched, 1, 1000) == 1 else { continue }
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            text += String(decoding: buffer[..<count], as: UTF8.self)
            if let line = text.split(separator: "\n").dropLast(text.hasSuffix("\n") ? 0 : 1).first(where: { $0.hasPrefix("ACCEPT ") }),
                let port = line.split(separator: ":").last.flatMap({ UInt16($0) })
            {
                return port
            }
        }
        throw NginxFailure(sentence: "openssl s_server did not say its port", log: text)
    }
}
