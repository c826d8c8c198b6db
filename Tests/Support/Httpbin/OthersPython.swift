internal import Foundation

/// The Python environment of `.ci/setup test` with third-party packages: `.build/httpbin` in a parent folder of this file.
enum OthersPython {
    /// The interpreter if it has a package; otherwise nil.
    static func path(with package: String) -> String? {
        var folder = URL(fileURLWithPath: #filePath)
        while folder.path != "/" {
            folder.deleteLastPathComponent()
            let place = folder.appendingPathComponent(".build/httpbin")
            let python = place.appendingPathComponent("bin/python").path
            guard FileManager.default.isExecutableFile(atPath: python) else { continue }
            let versions = FileManager.default.enumerator(atPath: place.appendingPathComponent("lib").path)
            versions?.skipDescendants()
            while let version = versions?.nextObject() as? String {
                versions?.skipDescendants()
                if FileManager.default.fileExists(atPath: "\(place.path)/lib/\(version)/site-packages/\(package)") { return python }
            }
            return nil
        }
        return nil
    }
}
