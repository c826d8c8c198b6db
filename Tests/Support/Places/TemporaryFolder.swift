public import Foundation
import Glibc

/// A folder of one's own under the system's temporary folder, removed with its content when the last reference goes away.
public final class TemporaryFolder: Sendable {
    /// Its absolute path, without a slash at the end.
    public let path: String

    /// Creates it with mode 0700.
    public init() throws {
        let parent = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        var template = Array("\(parent)/sortie-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemCallFailure("mkdtemp in \(parent)") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            // A test may have removed it itself; anything else is worth a line, though no reason to fail.
            if FileManager.default.fileExists(atPath: path) {
                FileHandle.standardError.write(Data("the folder \(path) was left behind: \(error)\n".utf8))
            }
        }
    }

    /// The folder as a URL.
    public var url: URL { URL(fileURLWithPath: path, isDirectory: true) }

    /// The path of `name` in it, whether there is such a file or not.
    public func path(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file, creating the folders above it, and returns its path.
    @discardableResult
    public func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        let file = url.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
        return file.path
    }

    /// Writes a text file, creating the folders above it, and returns its path.
    @discardableResult
    public func write(_ name: String, _ text: String) throws -> String { try write(name, Array(text.utf8)) }

    /// The bytes of a file in it.
    public func read(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: url.appendingPathComponent(name))) }

    /// The names of what lies in it, sorted.
    public var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }
}
