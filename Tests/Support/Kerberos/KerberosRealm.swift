internal import Foundation
internal import Glibc

/// A Kerberos realm `EXAMPLE.TEST` with a key distribution center of MIT Kerberos, and an HTTP server at `localhost` that accepts its tickets.
///
/// `.ci/setup test` extracts the programs of Debian below `.build`. The user is `anna`, whose key stands in a file, with which the library gets
/// the first ticket without a password. The server responds with the name of the user, and accepts a token once. Both end with the last reference, and also when the
/// test process dies.
public final class KerberosRealm: Sendable {
    /// `http://localhost:PORT`, without a slash at the end.
    public let url: String
    /// The variables with which the library of Kerberos finds the realm and the key of the user.
    public let environment: [String: String]

    private let folder: TemporaryFolder
    private let children: [ChildProcess]
    private let lifeline: DescriptorPair

    /// Whether this machine has the programs; for `@Test(.enabled(if:))`.
    public static var isAvailable: Bool { programs != nil }

    /// Creates the realm and starts its servers.
    public init() async throws {
        guard let programs = Self.programs else { throw CocoaError(.fileNoSuchFile) }
        let folder = try TemporaryFolder()
        // Bound until the center listens, which this permits, so that no other test gets the port meanwhile.
        let center = try LoopbackSocket(address: "127.0.0.1", port: 0)
        defer { close(center.descriptor) }
        let database = "database_name = \(folder.path)/principal"
        let config = try folder.write(
            "krb5.conf",
            Array(
                """
                [libdefaults]
                default_realm = EXAMPLE.TEST
                dns_lookup_kdc = false
                dns_canonicalize_hostname = false
                rdns = false
                udp_preference_limit = 1
                [realms]
                EXAMPLE.TEST = {
                kdc = 127.0.0.1:\(center.port)
                }
                [domain_realm]
                localhost = EXAMPLE.TEST
                [dbmodules]
                db_module_dir = \(programs.libraries)/krb5/plugins/kdb
                EXAMPLE.TEST = {
                db_library = db2
                \(database)
                }
                """.utf8))
        let settings = try folder.write(
            "kdc.conf",
            Array(
                """
                [kdcdefaults]
                kdc_listen = ""
                kdc_tcp_listen = 127.0.0.1:\(center.port)
                [realms]
                EXAMPLE.TEST = {
                \(database)
                key_stash_file = \(folder.path)/stash
                }
                """.utf8))
        let variables = [
            "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "LD_LIBRARY_PATH": programs.libraries, "KRB5_CONFIG": config, "KRB5_KDC_PROFILE": settings,
        ]
        func run(_ name: String, _ arguments: String...) async throws {
            let run = try await ProcessRun.run("\(programs.folder)/\(name)", arguments, environment: variables, inheriting: false)
            guard run.succeeded else { throw CocoaError(.executableLoad, userInfo: [NSDebugDescriptionErrorKey: run.description]) }
        }
        try await run("kdb5_util", "create", "-s", "-r", "EXAMPLE.TEST", "-P", "master")
        for (name, file) in [("anna", "anna.keytab"), ("HTTP/localhost", "http.keytab")] {
            try await run("kadmin.local", "addprinc", "-randkey", name)
            try await run("kadmin.local", "ktadd", "-k", folder.path(file), name)
        }

        let socket = try LoopbackSocket(address: "127.0.0.1", port: 0)
        defer { close(socket.descriptor) }
        try checked(listen(socket.descriptor, 128), "listen")
        lifeline = try DescriptorPair()
        let server = variables.merging(["KRB5_KTNAME": "FILE:\(folder.path("http.keytab"))"]) { $1 }
        children = [
            try ChildProcess(
                "/usr/bin/python3",
                ChildProcess.Options(
                    arguments: ["-c", Self.supervisor, "\(programs.folder)/krb5kdc", "-n"], environment: variables,
                    descriptors: [nil, nil, nil, lifeline.reading])),
            try ChildProcess(
                "/usr/bin/python3",
                ChildProcess.Options(
                    arguments: ["-c", Self.program], environment: server, descriptors: [nil, nil, nil, lifeline.reading, socket.descriptor])),
        ]
        lifeline.closeReading()
        self.folder = folder
        url = "http://localhost:\(socket.port)"
        // Until it listens, the library would report that there is no key distribution center.
        let probe = "until (exec 3<>/dev/tcp/127.0.0.1/\(center.port)) 2>/dev/null; do sleep 0.05; done"
        _ = try await ProcessRun.run("/bin/bash", ["-c", probe], within: .seconds(300))
        environment = [
            "KRB5_CONFIG": config, "KRB5CCNAME": "FILE:\(folder.path("tickets"))", "KRB5_CLIENT_KTNAME": "FILE:\(folder.path("anna.keytab"))",
        ]
    }

    deinit { for child in children { child.signal(SIGKILL, group: true) } }

    /// The folders of the programs and of their libraries.
    private static let programs: (folder: String, libraries: String)? = {
        var folder = URL(fileURLWithPath: #filePath)
        while folder.path != "/" {
            folder.deleteLastPathComponent()
            let root = folder.appendingPathComponent(".build/krb5/usr").path
            guard FileManager.default.isExecutableFile(atPath: "\(root)/sbin/krb5kdc") else { continue }
            let libraries = (try? FileManager.default.contentsOfDirectory(atPath: "\(root)/lib"))?.first { $0.hasSuffix("-linux-gnu") }
            return libraries.map { ("\(root)/sbin", "\(root)/lib/\($0)") }
        }
        return nil
    }()

    /// Runs a program until the other end of descriptor 3 closes.
    private static let supervisor = """
        import os, subprocess, sys
        child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.read(3, 1)
        child.kill()
        """

    /// Serves on descriptor 4 until the other end of descriptor 3 closes.
    private static let program = """
        import base64, ctypes, os, socket, threading
        from http.server import BaseHTTPRequestHandler
        gss = ctypes.CDLL("libgssapi_krb5.so.2")

        class Buffer(ctypes.Structure): _fields_ = [("length", ctypes.c_size_t), ("value", ctypes.c_void_p)]

        def user(token):
            minor, context, name, out, text = ctypes.c_uint32(), ctypes.c_void_p(), ctypes.c_void_p(), Buffer(), Buffer()
            given = Buffer(len(token), ctypes.cast(ctypes.c_char_p(token), ctypes.c_void_p))
            ref = ctypes.byref
            if gss.gss_accept_sec_context(ref(minor), ref(context), None, ref(given), None, ref(name), None, ref(out), None, None, None): return None
            gss.gss_display_name(ref(minor), name, ref(text), None)
            return ctypes.string_at(text.value, text.length)

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            def log_message(self, *rest): pass
            def do_GET(self):
                scheme, _, token = (self.headers.get("Authorization") or "").partition(" ")
                name = user(base64.b64decode(token)) if scheme == "Negotiate" else None
                self.send_response(200 if name else 401)
                if not name: self.send_header("WWW-Authenticate", "Negotiate")
                self.send_header("Content-Length", str(len(name or b"")))
                self.end_headers()
                self.wfile.write(name or b"")

        threading.Thread(target=lambda: (os.read(3, 1), os._exit(0)), daemon=True).start()
        listener = socket.socket(fileno=4)

        def serve(client, address):
            try: Handler(client, address, None)
            except OSError: pass
            finally: client.close()

        while True: threading.Thread(target=serve, args=listener.accept(), daemon=True).start()
        """
}
