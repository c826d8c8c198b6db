internal import Foundation

/// The Python into which `.ci/setup test` installs what others wrote: `.build/httpbin` of the folder above this file that has one.
enum OthersPython {
    /// The interpreter, where it has a package; nil where it does not.
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
