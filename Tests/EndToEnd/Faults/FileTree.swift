import Foundation

/// The files and folders below a folder, in memory.
struct FileTree {
    /// The content of a file, as programs see it and as it is after a power failure.
    private final class File {
        var bytes: [UInt8]
        var synced: [UInt8]

        init(_ bytes: [UInt8] = [], synced: [UInt8] = []) { (self.bytes, self.synced) = (bytes, synced) }
    }

    let folder: String
    /// The files by their absolute paths; nil for a folder.
    private var entries: [String: File?] = [:]

    /// Reads a folder.
    ///
    /// The memory of the database that its programs share is left out, because it is rebuilt.
    init(of folder: String) throws {
        self.folder = folder
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder) where !name.hasSuffix("-shm") {
            let path = "\(folder)/\(name)"
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            if isFolder.boolValue {
                entries[path] = .some(nil)
            } else {
                let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
                entries[path] = File(bytes, synced: bytes)
            }
        }
    }

    /// The paths relative to the folder with the content of files.
    var files: [(path: String, bytes: [UInt8])] {
        entries.compactMap { path, file in file.map { (String(path.dropFirst(folder.count + 1)), $0.bytes) } }
    }

    /// Replaces the content of the folder.
    ///
    /// - Parameter onlySynced: Whether files have the bytes that were synchronized, as after a power failure.
    func restore(onlySynced: Bool = false) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) { try FileManager.default.removeItem(atPath: "\(folder)/\(name)") }
        for (path, file) in entries.sorted(by: { $0.key < $1.key }) {
            if let file {
                try Data(onlySynced ? file.synced : file.bytes).write(to: URL(fileURLWithPath: path))
                chmod(path, 0o600)
            } else {
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            }
        }
    }

    /// Applies a recorded operation.
    mutating func apply(_ operation: FileOperation) {
        let (path, other) = (operation.path, operation.other)
        let file = entries[path] ?? nil
        switch operation.kind {
        case "c": if entries[path] == nil { entries[path] = File() }
        case "o": if let file { file.bytes = [] } else { entries[path] = File() }
        case "t": file?.bytes.resize(to: operation.number)
        case "w": file?.bytes.write(operation.bytes, at: operation.number)
        case "s": if let file { file.synced = file.bytes }
        case "y": for case let file? in entries.values { file.synced = file.bytes }
        case "m": entries[path] = .some(nil)
        case "u": entries[path] = nil
        case "l": entries[other] = file
        default:
            for (name, file) in entries where name == path || name.hasPrefix(path + "/") {
                entries[name] = nil
                entries[other + name.dropFirst(path.count)] = file
            }
        }
    }
}

/// A file operation of a program, as `faults.c` records it.
struct FileOperation: CustomStringConvertible {
    let kind: Character
    let path: String
    let other: String
    /// The offset of a write, or the size of a file.
    let number: Int
    let bytes: [UInt8]

    var description: String { "\(kind) \(path) \(other) \(number) \(bytes.count)" }

    /// Reads a record.
    static func all(recordedTo file: String) throws -> [FileOperation] {
        var rest = Array(try Data(contentsOf: URL(fileURLWithPath: file)))[...]
        var operations: [FileOperation] = []
        while let end = rest.firstIndex(of: 0x0a) {
            let fields = String(decoding: rest[..<end], as: UTF8.self).split(separator: " ")
            let counts = fields.dropFirst().compactMap { Int($0) }
            guard fields.count == 5, counts.count == 4 else { throw CocoaError(.fileReadCorruptFile) }
            rest = rest[(end + 1)...]
            let parts = counts[..<3].map { count in
                defer { rest = rest.dropFirst(count) }
                return Array(rest.prefix(count))
            }
            operations.append(
                FileOperation(
                    kind: fields[0].first ?? " ", path: String(decoding: parts[0], as: UTF8.self), other: String(decoding: parts[1], as: UTF8.self),
                    number: counts[3], bytes: parts[2]))
        }
        return operations
    }
}

extension [UInt8] {
    fileprivate mutating func resize(to size: Int) {
        if size < count { removeLast(count - size) } else { append(contentsOf: repeatElement(0, count: size - count)) }
    }

    fileprivate mutating func write(_ bytes: [UInt8], at offset: Int) {
        if offset + bytes.count > count { resize(to: offset + bytes.count) }
        replaceSubrange(offset..<(offset + bytes.count), with: bytes)
    }
}
