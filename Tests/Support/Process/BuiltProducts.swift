import Foundation

/// The executables in the build folder of the tests.
public enum BuiltProducts {
    /// The error for a missing executable.
    public struct Missing: Error, CustomStringConvertible {
        let name: String
        let folders: [String]

        /// The folders that were searched, and the command that builds it.
        public var description: String {
            "no executable \(name) in \(folders.joined(separator: ", ")); build it first: swift build --product \(name)"
        }
    }

    /// The path of the executable product `name`.
    ///
    /// Under `swift test` on Linux, the test program is in the build folder beside the products.
    ///
    /// - Throws: ``Missing``.
    public static func path(of name: String) throws -> String {
        let programs = [
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"), CommandLine.arguments.first,
        ]
        var folders: [String] = []
        for program in programs.compactMap({ $0 }) {
            var folder = URL(fileURLWithPath: program).deletingLastPathComponent()
            // A test bundle may be a folder inside the build folder.
            for _ in 0..<3 {
                if !folders.contains(folder.path) { folders.append(folder.path) }
                folder.deleteLastPathComponent()
            }
        }
        for folder in folders {
            let path = folder + "/" + name
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue,
                FileManager.default.isExecutableFile(atPath: path)
            {
                return path
            }
        }
        throw Missing(name: name, folders: folders)
    }
}
