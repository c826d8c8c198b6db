import Foundation
import Glibc

/// An nginx that serves a folder of files over HTTP/1.1, and over TLS with HTTP/2, on free ports of 127.0.0.1.
///
/// `/files/…` serves the folder (ranges, ETag, Last-Modified, gzip if the client accepts it), `/small` responds with `small`,
/// `/echo` with the protocol and the request, `/status/NNN` with one of a few status codes. The server ends with the last reference,
/// and also when the test process dies.
public final class Nginx: Sendable {
    /// The options of the server.
    public struct Options: Sendable {
        /// The server's certificate; nil for ``Certificates/localhost``.
        public var identity: Certificates.Identity?
        /// Whether clients need a certificate of the test authority.
        public var demandsClientCertificate = false
        /// Whether HTTP/2 is offered over TLS.
        public var offersHTTP2 = true
        /// The TLS versions, in nginx's spelling.
        public var tlsVersions = "TLSv1.2 TLSv1.3"
        /// The keep-alive time of idle connections in seconds.
        public var keepAliveSeconds = 65
        /// Additional directives for the `server` block, such as a location.
        public var directives = ""

        /// Creates the default options.
        public init() {}
    }

    /// Starts nginx and returns when it responds.
    ///
    /// Blocks the calling thread meanwhile.
    ///
    /// - Throws: ``NginxFailure`` with the error log when there is no nginx, or it ends or does not respond within five minutes.
    public static func start(files: [String: [UInt8]] = [:], _ options: Options = Options()) throws -> Nginx {
        let nginx = try Nginx(files, options)
        try nginx.waitUntilItAnswers()
        return nginx
    }

    /// Whether this machine has nginx and openssl; for `@Test(.enabled(if:))`.
    ///
    /// Such conditions are evaluated before the first test runs. The certificates are made from then on, so that a test hardly has to wait for them.
    public static var isAvailable: Bool {
        guard program != nil, FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl") else { return false }
        Certificates.begin()
        return true
    }

    /// `http://127.0.0.1:PORT`, without a slash at the end.
    public var httpURL: String { "http://127.0.0.1:\(httpPort)" }
    /// `https://localhost:PORT`, without a slash at the end.
    public var httpsURL: String { "https://localhost:\(httpsPort)" }
    /// The port for plain HTTP.
    public let httpPort: UInt16
    /// The port for TLS.
    public let httpsPort: UInt16
    /// The path of the authority that signed the server's certificate.
    public let certificateAuthority: String
    /// The lines of the access log so far: method, target, protocol, status, body bytes, Range header.
    ///
    /// nginx writes a line when a response has ended, so the last line may be late.
    public var accessLog: [String] { log("access.log").split(separator: "\n").map(String.init) }
    /// The lines of the access log that contain `text`, as soon as there are `count` of them.
    public func accessLog(containing text: String, count: Int) async throws -> [String] {
        try await withDeadline(.seconds(300), "\(count) lines of the access log with \(text)") {
            while true {
                let lines = self.accessLog.filter { $0.contains(text) }
                if lines.count >= count { return lines }
                try Task.checkCancellation()
                await Task.yield()
            }
        }
    }
    /// The error log so far.
    public var errorLog: String { log("error.log") }

    /// The folder behind `/files/`, which may be changed while nginx runs.
    public var filesFolder: String { folder.path("files") }

    private let folder: TemporaryFolder
    private let child: ChildProcess
    private let lifeline: DescriptorPair

    private init(_ files: [String: [UInt8]], _ options: Options) throws {
        guard let program = Self.program else {
            throw NginxFailure(sentence: "there is no nginx on this machine; install it: apt-get install nginx-light", log: "")
        }
        let certificates = try Certificates.shared()
        certificateAuthority = certificates.certificateAuthority
        folder = try TemporaryFolder()
        for (name, bytes) in files { try folder.write("files/\(name)", bytes) }
        try FileManager.default.createDirectory(atPath: folder.path("files"), withIntermediateDirectories: true)

        // nginx takes over the listening sockets named in NGINX, so that no other process can take a port that was free.
        let (plain, secure) = (
            try LoopbackSocket(address: "127.0.0.1", port: 0), try LoopbackSocket(address: "127.0.0.1", port: 0)
        )
        defer { for socket in [plain, secure] { close(socket.descriptor) } }
        for socket in [plain, secure] {
            try checked(listen(socket.descriptor, 511), "listen")
            // nginx does not set the flags of a socket that it takes over, and would block in `accept`.
            _ = fcntl(socket.descriptor, F_SETFL, O_NONBLOCK)
        }
        (httpPort, httpsPort) = (plain.port, secure.port)
        let configuration = NginxConfiguration(
            folder: folder.path, httpPort: plain.port, httpsPort: secure.port,
            identity: options.identity ?? certificates.localhost, authority: certificateAuthority, options: options)
        try folder.write("nginx.conf", configuration.text)
        lifeline = try DescriptorPair()
        let output = open(folder.path("output"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        defer { close(output) }

        // The shell ends nginx when the other end of descriptor 3 closes, which happens however this process ends.
        let script = #""$@" & child=$!; exec 4>&- 5>&-; { cat; kill $child; } <&3 >/dev/null & wait $child"#
        child = try ChildProcess(
            "/bin/sh",
            ChildProcess.Options(
                arguments: ["-c", script, "sh", program, "-e", folder.path("error.log"), "-p", folder.path, "-c", "nginx.conf"],
                environment: ["NGINX": "4;5;", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"],
                descriptors: [nil, output, output, lifeline.reading, plain.descriptor, secure.descriptor]))
        lifeline.closeReading()
    }

    deinit { child.signal(SIGKILL, group: true) }

    private func waitUntilItAnswers() throws {
        let probe = try ProcessRun.runBlocking(
            "/usr/bin/curl", ["-sS", "--max-time", "300", "\(httpURL)/ready"], within: .seconds(310))
        if probe.output != "ready" || child.exitStatus != nil {
            child.signal(SIGKILL, group: true)
            child.blockUntilExit(within: .seconds(5))
            throw NginxFailure(
                sentence: "nginx did not answer \(httpURL)/ready (\(probe.errorOutput.prefix { $0 != "\n" }))",
                log: log("output") + errorLog)
        }
    }

    private func log(_ name: String) -> String {
        // A log that nginx has not opened yet is empty.
        (try? folder.read(name)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    private static var program: String? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return (path.split(separator: ":").map(String.init) + ["/usr/sbin", "/usr/local/sbin"])
            .map { $0 + "/nginx" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
