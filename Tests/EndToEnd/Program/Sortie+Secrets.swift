import Foundation
import Support

extension Sortie {
    /// The files written by the program that contain this text; files in its working folder belong to the test.
    func files(telling text: String) throws -> [String] {
        var found: [String] = []
        let all = FileManager.default.enumerator(atPath: home.path)
        while let name = all?.nextObject() as? String {
            var isFolder: ObjCBool = false
            let path = home.path(name)
            guard !name.hasPrefix("work/"), FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else {
                continue
            }
            if try Data(contentsOf: URL(fileURLWithPath: path)).firstRange(of: Data(text.utf8)) != nil { found.append(name) }
        }
        return found
    }
}
