import Foundation
import Support
import Testing

/// The list of the embedded files of the demo, generated from the folder.
@Suite struct DemoFilesTests {
    private static func source(_ files: [String]) -> String {
        let bytes = files.enumerated().map { "static const unsigned char file\($0)[] = {\n#embed \"../../Workspaces/Demo/\($1)\"\n};\n" }
        let rows = files.enumerated().map { "    {\"\($1)\", file\($0), sizeof(file\($0))},\n" }
        return """
            #include "embedded.h"

            // The files of Workspaces/Demo, embedded when the program is built. `make references` writes this list, and DemoFilesTests compares it.
            #pragma clang diagnostic ignored "-Wc23-extensions"

            \(bytes.joined())
            static const struct embedded_file files[] = {
            \(rows.joined())};

            const struct embedded_file *demo_file_at(size_t index) {
                return index < sizeof(files) / sizeof(files[0]) ? &files[index] : NULL;
            }

            """
    }

    @Test func `the program contains every file of the demo`() throws {
        let folder = try Sortie.demoWorkspace
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { path in
            var isFolder: ObjCBool = false
            let isHidden = path.split(separator: "/").contains { $0.hasPrefix(".") }
            return !isHidden && FileManager.default.fileExists(atPath: "\(folder)/\(path)", isDirectory: &isFolder) && !isFolder.boolValue
        }
        let document = GeneratedDocument("Sources/CEmbedded/demo.c")
        let problem = try document.problem(
            comparedWith: Self.source(files.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }), suite: "DemoFilesTests")
        #expect(problem == nil)
    }
}
