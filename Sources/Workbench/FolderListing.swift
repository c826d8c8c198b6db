/// What a folder holds, or why that cannot be said.
public enum FolderListing: Hashable, Sendable {
    /// The folder's absolute path and what is in it, folders first, then by name; whether there is more than was read.
    case entries([FolderEntry], of: String, isCut: Bool)
    /// A sentence says why not.
    case failed(String)
}

/// A file or a folder in a folder.
public struct FolderEntry: Hashable, Sendable {
    /// What it is.
    public enum Kind: Hashable, Sendable {
        /// A folder, or a link to one.
        case folder
        /// A file of so many bytes, or a link to one.
        case file(bytes: Int64)
        /// Something that cannot be sent: a device, a pipe, a link to nothing.
        case other
    }

    /// The name as the file system has it; bytes that are not UTF-8 are replaced.
    public let name: String
    /// What it is.
    public let kind: Kind
    /// The name in small letters, as bytes: what is typed is looked for in these.
    let searchKey: [UInt8]

    /// An entry.
    public init(name: String, kind: Kind) {
        self.name = name
        self.kind = kind
        searchKey = Array(name.lowercased().utf8)
    }

    var isFolder: Bool { kind == .folder }
    var isHidden: Bool { name.hasPrefix(".") }
}
