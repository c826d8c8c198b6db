internal import Glibc
internal import SortieHTTP

/// The names of the files in a folder.
enum FolderNames {
    /// Reads the names, without `.` and `..`, in no order.
    ///
    /// - Throws: `storage` when the folder cannot be read.
    static func of(_ folder: String) throws(NetworkError) -> [String] {
        guard let stream = opendir(folder) else { throw .disk(errno, folder, "cannot be read") }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
