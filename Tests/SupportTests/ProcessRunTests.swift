import Support
import Testing

@Suite(.timeLimit(.minutes(30))) struct ProcessRunTests {
    private func shell(_ script: String, input: String = "", within limit: Duration = .seconds(300)) async throws -> ProcessRun {
        try await ProcessRun.run("/bin/sh", ["-c", script], input: input, environment: ["FROM_TEST": "a b"], within: limit)
    }

    @Test func `input, both outputs, environment and exit code are passed`() async throws {
        let run = try await shell("cat; echo \"$FROM_TEST\" >&2; exit 7", input: "in")
        #expect(run.output == "in" && run.errorOutput == "a b\n" && run.status == .exited(7))
    }

    @Test func `large input and output at the same time do not block each other`() async throws {
        let input = String(repeating: "0123456789", count: 300_000)
        #expect(try await shell("cat", input: input).output == input)
    }

    @Test func `input that the child does not read is not a failure`() async throws {
        let run = try await shell("exec <&-; echo done", input: String(repeating: "x", count: 1_000_000))
        #expect(run.output == "done\n" && run.succeeded)
    }

    @Test func `a child gets three descriptors and no more`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let run = try await shell("ls /proc/$$/fd")
        #expect(run.output.split(separator: "\n").count == 3, "\(run)")
        server.stop()
    }

    @Test func `a command that takes too long is killed with its children`() async throws {
        let folder = try TemporaryFolder()
        try await growing(from: .seconds(1)) { limit -> Void? in
            let error = await #expect(throws: DeadlineExceeded.self) {
                _ = try await shell("sleep 500 & echo $! > '\(folder.path)/pid'; echo started; wait", within: limit)
            }
            // The command must have begun within the limit.
            return error?.state.contains("started") == true ? () : nil
        }
        let pid = try String(decoding: folder.read("pid"), as: UTF8.self).filter(\.isNumber)
        let state = try await shell(
            "while kill -0 \(pid) && ! grep -q 'State:.Z' /proc/\(pid)/status; do :; done 2>/dev/null; echo gone")
        #expect(state.output == "gone\n")
    }

    @Test func `a missing program is an error with its name`() async throws {
        let error = await #expect(throws: SystemCallFailure.self) { _ = try await ProcessRun.run("/no/such/program") }
        #expect(error?.description == "starting /no/such/program failed: No such file or directory")
    }
}
