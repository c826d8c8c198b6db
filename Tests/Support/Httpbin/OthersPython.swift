internal import Foundation

/// The Python environments of `.ci/setup test` with third-party packages: `.build/httpbin` and `.build/locust` in a parent folder of this file.
enum OthersPython {
    /// The interpreter if it has a package; otherwise nil.
    static func path(with package: String) -> String? {
        var folder = URL(fileURLWithPath: #filePath)
        while folder.path != "/" {
            folder.deleteLastPathComponent()
            for name in ["httpbin", "locust"] {
                let place = folder.appendingPathComponent(".build/\(name)")
                let python = place.appendingPathComponent("bin/python").path
                if FileManager.default.isExecutableFile(atPath: python), has(package, place) { return python }
            }
        }
        return nil
    }

    private static func has(_ package: String, _ place: URL) -> Bool {
        let versions = FileManager.default.enumerator(atPath: place.appendingPathComponent("lib").path)
        versions?.skipDescendants()
        while let version = versions?.nextObject() as? String {
            versions?.skipDescendants()
            if FileManager.default.fileExists(atPath: "\(place.path)/lib/\(version)/site-packages/\(package)") { return true }
        }
        return false
    }
}
