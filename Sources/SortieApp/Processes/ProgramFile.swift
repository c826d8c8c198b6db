internal import Foundation
internal import Interchange
internal import SortieBase

internal import struct SystemPackage.FileDescriptor

/// A file that is started as a program.
struct ProgramFile {
    /// The number of bytes at the beginning of a file that the system reads (`execve(2)`).
    private static let headLength = 256

    let path: String
    /// The folder in which it is started.
    let folder: String

    /// The path that starts this program again.
    static var own: String {
        own(executable: RealPath.of(processPath), firstArgument: CommandLine.arguments.first)
    }

    private static let processPath = "/proc/self/exe"

    /// The path that starts a program again.
    ///
    /// The file of a process is the dynamic loader where that was started with the program as argument, as the launcher of an archive does (`.ci/launcher`);
    /// the first argument is the path of the launcher then.
    ///
    /// - Parameter executable: The file of the process. Its link is returned, because the link also works after the file was replaced.
    static func own(executable: String, firstArgument: String?) -> String {
        let name = FilePath.name(of: executable)
        guard name.hasPrefix("ld-linux") || name == "ld.so", let firstArgument, FilePath.isAbsolute(firstArgument) else { return processPath }
        return firstArgument
    }

    /// Why the system cannot start it, with the remedy; nil where nothing is known.
    ///
    /// - Parameter name: The name of the file in the sentence.
    func problem(named name: String) -> String? {
        var information = stat()
        guard stat(path, &information) == 0 else { return "there is no file \(name)" }
        guard information.st_mode & S_IFMT == S_IFREG else { return "\(name) is not a file" }
        guard access(path, X_OK) == 0 else { return "\(name) is not executable; chmod +x \(ShellQuote.quoted(path)) changes that" }
        // Without permission to read it the system can start it all the same.
        guard let head, !head.contains(0) else { return nil }
        guard head.starts(with: "#!".utf8) else {
            return "the first line of \(name) does not name its interpreter, as in #!/usr/bin/env python3"
        }
        let line = head.dropFirst(2).prefix { $0 != 0x0a }.drop(while: \.isSpaceOrTab)
        let interpreter = String(decoding: line.prefix { !$0.isSpaceOrTab }, as: UTF8.self)
        let isMissing = access(FilePath.joining(folder, interpreter), X_OK) != 0
        // env searches a program with CR at the end of its name.
        if line.last == 0x0d, isMissing || FilePath.name(of: interpreter) == "env" {
            return "the first line of \(name) ends with CR LF, of which CR counts as part of the interpreter; save the file with LF"
        }
        guard isMissing else { return nil }
        return "there is no interpreter \(interpreter), which the first line of \(name) names"
    }

    /// The beginning of the file; nil where it cannot be read.
    private var head: [UInt8]? {
        do {
            let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
            return try file.closeAfter {
                try [UInt8](unsafeUninitializedCapacity: Self.headLength) { buffer, count in
                    count = try file.read(into: UnsafeMutableRawBufferPointer(buffer))
                }
            }
        } catch { return nil }
    }
}
