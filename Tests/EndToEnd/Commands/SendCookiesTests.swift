import Foundation
import Support
import Testing

/// Tests `--cookies FILE`: a jar in Netscape's format, like `curl -b FILE -c FILE`.
@Suite(.serialized)
struct SendCookiesTests {
    private let sortie: Sortie
    private let server: ScriptedServer

    init() throws {
        sortie = try Sortie()
        server = try ScriptedServer { request in
            request.target == "/set"
                ? .ok("set", headers: [("Set-Cookie", "theme=dark; Path=/"), ("Set-Cookie", "sid=s3cret; Path=/; HttpOnly; Max-Age=3600")])
                : .ok(request["Cookie"] ?? "none")
        }
    }

    private var text: String {
        get throws { try String(contentsOfFile: sortie.work + "/jar.txt", encoding: .utf8) }
    }

    @Test func `cookies are stored in a private file, and sent by the next command`() async throws {
        #expect(try await sortie.run("send", "\(server.url)/set", "--cookies", "jar.txt").output == "set")
        #expect(try await sortie.run("send", "\(server.url)/", "--cookies", "jar.txt").output == "theme=dark; sid=s3cret")
        #expect(try await sortie.run("send", "\(server.url)/").output == "none")
        let mode = try FileManager.default.attributesOfItem(atPath: sortie.work + "/jar.txt")[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func `curl reads the file, and sortie reads curl's file`() async throws {
        _ = try await sortie.run("send", "\(server.url)/set", "--cookies", "jar.txt")
        let read = try await ProcessRun.run("/usr/bin/curl", ["-sS", "-b", sortie.work + "/jar.txt", "\(server.url)/"])
        #expect(Set(read.output.components(separatedBy: "; ")) == ["theme=dark", "sid=s3cret"])
        try await #expect(
            ProcessRun.run("/usr/bin/curl", ["-sS", "-c", sortie.work + "/curl.txt", "\(server.url)/set"]).succeeded)
        // Older versions of curl create a file that others can read, which causes a warning.
        chmod(sortie.work + "/curl.txt", 0o600)
        let run = try await sortie.run("send", "\(server.url)/", "--cookies", "curl.txt")
        #expect(Set(run.output.components(separatedBy: "; ")) == ["theme=dark", "sid=s3cret"])
        #expect(run.errorOutput.isEmpty)
    }

    @Test func `of many invalid lines only the first ones are reported one by one`() async throws {
        try sortie.write("jar.txt", String(repeating: "no cookie\n", count: 500))
        let run = try await sortie.run("send", "\(server.url)/", "--cookies", "jar.txt")
        #expect(run.output == "none")
        #expect(run.errorLines.filter { $0.contains("cookies: jar.txt:") }.count == 11, "\(run)")
        #expect(run.errorLines.contains("sortie: cookies: jar.txt: also kept but not used: 490 further lines"), "\(run)")
    }

    @Test func `commands that run at the same time keep the cookies of each other`() async throws {
        let gate = Gate()
        let answer = { (name: String) in HTTPAnswer.ok("", headers: [("Set-Cookie", "\(name)=1; Path=/"), ("Connection", "close")]) }
        let server = try ScriptedServer([
            Script([.readRequest, .wait(for: gate), .send(answer("slow")), .closeGracefully]),
            Script([.readRequest, .send(answer("fast")), .closeGracefully]),
        ])
        async let slow = sortie.run("send", "\(server.url)/", "--cookies", "jar.txt")
        _ = try await server.waitForRequests(1)
        #expect(try await sortie.run("send", "\(server.url)/", "--cookies", "jar.txt").succeeded)
        gate.open()
        #expect(try await slow.succeeded)
        #expect(try text.contains("\tfast\t1") && text.contains("\tslow\t1"))
    }

    @Test func `an invalid line is reported with its number and preserved`() async throws {
        try sortie.write("jar.txt", "# mine\nnonsense\n127.0.0.1\tFALSE\t/\tFALSE\t1\told\t1\n127.0.0.1\tFALSE\t/\tFALSE\t0\ta\tb\n")
        let run = try await sortie.run("send", "\(server.url)/", "--cookies", "jar.txt")
        #expect(run.output == "a=b")
        #expect(run.errorOutput.contains("jar.txt:2: "))
        #expect(try text == "# Netscape HTTP Cookie File\n# mine\nnonsense\n127.0.0.1\tFALSE\t/\tFALSE\t0\ta\tb\n")
    }

    @Test func `a cookie in place of the file is refused with the option for it`() async throws {
        let sortie = try Sortie()
        let run = try await sortie.run("send", "http://127.0.0.1:9/", "--cookies", "a=b")
        #expect(run.failed(2, "usage") && run.hint.contains("-H 'Cookie: NAME=VALUE'"), "\(run)")
    }

    @Test func `an unreadable file ends the command before anything is sent`() async throws {
        let run = try await sortie.run("send", server.url, "--cookies", ".")
        #expect(run.failed(3, "cookies"), "\(run)")
        #expect(server.acceptedConnections == 0)
    }

    @Test func `a file in a missing folder ends the command before anything is sent`() async throws {
        let run = try await sortie.run("send", "\(server.url)/", "--cookies", "no/such/folder/jar.txt")
        #expect(run.failed(3, "file") && run.hint.contains("mkdir -p"), "\(run)")
        #expect(server.acceptedConnections == 0)
    }

    @Test func `an unwritable file is reported after the response was delivered`() async throws {
        let folder = sortie.work + "/jars"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let server = try ScriptedServer { _ in
            // The folder disappears while the request is under way.
            #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: folder) }
            return .ok("none", headers: [("Set-Cookie", "a=b")])
        }
        let run = try await sortie.run("send", "\(server.url)/", "--cookies", "jars/jar.txt")
        #expect(run.output == "none")
        #expect(run.status == .exited(3) && run.errorOutput.hasPrefix("sortie: cookies: "), "\(run)")
    }

    @Test func `-v names the cookies and not their values`() async throws {
        let run = try await sortie.run("send", "\(server.url)/set", "--cookies", "jar.txt", "-v")
        #expect(run.errorOutput.contains("cookie: stored sid"))
        #expect(!run.errorOutput.contains("s3cret"))
    }
}
