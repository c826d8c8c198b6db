package import SortieHTTP

/// The contents of a folder, or the reason why it cannot be read.
package enum FolderListing: Hashable, Sendable {
    /// The folder's absolute path and its entries, folders first, then by name; `isCut` when the folder has more entries than were
    /// read.
    case entries([FolderEntry], of: String, isCut: Bool)
    /// The folder cannot be read. The text is the reason.
    case failed(String)
}

/// An entry of a folder.
package struct FolderEntry: Hashable, Sendable {
    /// The kind of an entry.
    package enum Kind: Hashable, Sendable {
        /// A folder, or a link to one.
        case folder
        /// A regular file and its size, or a link to one.
        case file(bytes: Int64)
        /// Anything that cannot be sent: a device, a pipe, a dangling link.
        case other
    }

    /// The name in the file system, with bytes that are not UTF-8 replaced.
    package let name: String
    /// The kind of the entry.
    package let kind: Kind
    /// The lowercase name as UTF-8, for filtering.
    let searchKey: [UInt8]

    /// Creates an entry.
    package init(name: String, kind: Kind) {
        self.name = name
        self.kind = kind
        searchKey = Array(name.lowercased().utf8)
    }

    var isFolder: Bool { kind == .folder }
    var isHidden: Bool { name.hasPrefix(".") }
}

/// The content of a downloaded file that the response pane shows.
package enum DownloadContent: Hashable, Sendable {
    /// The bytes of the file.
    case bytes(BodyBytes)
    /// Why the file cannot be read.
    case unreadable(String)

    /// The size of the largest file that is shown, in bytes.
    package static let limit: Int64 = 16 << 20
}

/// The result of inspecting a file that a request names.
package enum FileFact: Hashable, Sendable {
    /// The file can be sent. Where the text was asked for, it is there, or the reason in a few words why it is not edited in place.
    case file(bytes: Int64, text: String? = nil, notEdited: String? = nil)
    /// The file cannot be sent. The text is the reason, in a few words.
    case unusable(String)
}
