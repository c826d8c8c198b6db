import Foundation
import Support
import Testing

/// Tests the linking of the program: libraries beside it are not loaded, and relocations are read-only.
@Suite(.serialized)
struct HardeningTests {
    /// The output of readelf for the program.
    private static func readelf(_ options: String...) async throws -> String {
        let run = try await ProcessRun.run("/usr/bin/readelf", options + [try BuiltProducts.path(of: "sortie")])
        try #require(run.succeeded, "\(run)")
        return run.output
    }

    /// Whether the program's folder is not in its run path, as `make` builds it; .ci/hardening fails where it is.
    static let hasNoLocalPath: Bool = {
        do {
            let run = try ProcessRun.runBlocking("/usr/bin/readelf", ["-dW", try BuiltProducts.path(of: "sortie")])
            return run.succeeded && !run.output.contains("$ORIGIN")
        } catch { return false }
    }()

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/readelf")))
    func `symbols are bound at start-up, relocations are read-only, and the program is position independent`() async throws {
        let dynamic = try await Self.readelf("-dW")
        #expect(dynamic.contains("BIND_NOW") && dynamic.contains("PIE"))
        let segments = try await Self.readelf("-lW")
        #expect(segments.contains("GNU_RELRO") && segments.contains("type is DYN"))
    }

    /// Plants a library that reports when it is loaded beside a copy of the program.
    @Test(
        .enabled(if: hasNoLocalPath, "the program was built without --disable-local-rpath"),
        arguments: ["libsqlite3.so.0", "libcurl.so.4", "libssl.so.3"])
    func `a library beside the program is not loaded`(_ name: String) async throws {
        let folder = try TemporaryFolder()
        let program = folder.path("sortie")
        try FileManager.default.copyItem(atPath: try BuiltProducts.path(of: "sortie"), toPath: program)
        let source = try folder.write(
            "planted.c", "#include <stdio.h>\n#include <unistd.h>\n__attribute__((constructor)) void f(void) { puts(\"planted\"); _exit(66); }\n")
        try await CCompiler.compileLibrary(source, to: folder.path(name), options: ["-Wl,-soname,\(name)"])
        // Verifies that the planted library is loaded with its folder in the environment, where it lacks every symbol.
        let asked = try await ProcessRun.run(program, ["--version"], environment: ["LD_LIBRARY_PATH": folder.path], directory: folder.path)
        #expect(!asked.succeeded, "\(asked)")
        let run = try await ProcessRun.run(program, ["--version"], directory: folder.path)
        #expect(run.succeeded && run.output.hasPrefix("sortie "), "\(run)")
    }
}
