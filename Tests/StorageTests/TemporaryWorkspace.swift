import Foundation
import SortieBase
import SortieStorage
import WorkspaceModel

/// A workspace in a temporary folder that is removed with the last reference.
final class TemporaryWorkspace: Sendable {
    let path: String

    /// Creates a workspace with these files; a `workspace.yaml` with one environment is added where none is given.
    init(_ files: [String: String] = [:]) throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("sortie-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        if files["workspace.yaml"] == nil { try write("name: Test\n", to: "workspace.yaml") }
        if files["shop/service.yaml"] == nil { try write("name: Shop\n", to: "shop/service.yaml") }
        for (name, text) in files { try write(text, to: name) }
    }

    deinit {
        do { try FileManager.default.removeItem(atPath: path) } catch { print("cannot remove \(path): \(error)") }
    }

    func load() throws -> Workspace {
        try withExtendedLifetime(self) { try WorkspaceFolder(path: path).load() }
    }

    @discardableResult
    func save(_ endpoint: Endpoint, replacing original: Endpoint?) throws -> Endpoint {
        try withExtendedLifetime(self) { try WorkspaceFolder(path: path).save(endpoint, replacing: original) }
    }

    func write(_ text: String, to name: String) throws { try write(Data(text.utf8), to: name) }

    func write(_ data: Data, to name: String) throws {
        let url = URL(fileURLWithPath: path + "/" + name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: url)
    }

    func read(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)), as: UTF8.self)
    }

    /// The problems of a workspace whose endpoint `shop/a` has this text, each as `LINE:COLUMN message`.
    static func problems(inEndpoint text: String, severity: Diagnostic.Severity = .error) throws -> [String] {
        try problems(of: ["shop/a.yaml": text], in: "shop/a.yaml", severity: severity)
    }

    static func problems(of files: [String: String], in file: String, severity: Diagnostic.Severity = .error) throws -> [String] {
        let workspace = try TemporaryWorkspace(files).load()
        return workspace.problems.filter { $0.location.file == file && $0.severity == severity }
            .map { "\($0.location.line):\($0.location.column) \($0.programSentence)" }
    }

    /// The endpoint `shop/a` with this text.
    static func endpoint(_ text: String) throws -> Endpoint? {
        try TemporaryWorkspace(["shop/a.yaml": text]).load().endpoint("shop/a")
    }
}
