public import Foundation

/// Test data that is stored outside the project.
public enum Corpora {
    /// The folder `shared/corpora` in a parent folder of `file`, or the folder that `SORTIE_CORPORA` names; nil when there is none.
    public static func folder(above file: String = #filePath) -> URL? {
        if let named = ProcessInfo.processInfo.environment["SORTIE_CORPORA"] {
            return existing(URL(fileURLWithPath: named, isDirectory: true))
        }
        var folder = URL(fileURLWithPath: file).deletingLastPathComponent()
        while folder.path != "/" {
            if let found = existing(folder.appendingPathComponent("shared/corpora")) { return found }
            folder.deleteLastPathComponent()
        }
        return nil
    }

    /// A file or folder of the corpora by its relative path; nil when it does not exist.
    public static func url(_ path: String, above file: String = #filePath) -> URL? {
        folder(above: file).flatMap { existing($0.appendingPathComponent(path)) }
    }

    private static func existing(_ url: URL) -> URL? { FileManager.default.fileExists(atPath: url.path) ? url : nil }
}
