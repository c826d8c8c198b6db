import Support

/// Compiles shared libraries, which tests load into the program, with `cc`, or else with the clang of the Swift toolchain.
enum CCompiler {
    /// Writes the library `output` from a source file, and throws where it cannot be compiled.
    static func compileLibrary(_ source: String, to output: String, options: [String] = []) async throws {
        let compiler = "exec \"$(command -v cc || command -v clang)\" \"$@\""
        let run = try await ProcessRun.run("/bin/sh", ["-c", compiler, "cc", "-shared", "-fPIC"] + options + ["-o", output, source])
        guard run.succeeded else { throw Failed(run: run) }
    }

    /// The compiler is missing, or reports an error.
    struct Failed: Error {
        let run: ProcessRun
    }
}
