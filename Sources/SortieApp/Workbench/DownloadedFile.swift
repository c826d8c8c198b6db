internal import Foundation
internal import SortieHTTP
internal import SortieStorage
internal import SortieWorkbench

/// A downloaded file that is read into memory.
///
/// It is not mapped, because another program may truncate it while it is shown.
struct DownloadedFile {
    let path: String

    /// The content; blocks.
    var content: DownloadContent {
        do {
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            defer { try? file.close() }
            // The file may have grown since the download.
            let data = try file.read(upToCount: Int(DownloadContent.limit) + 1) ?? Data()
            guard data.count <= DownloadContent.limit else {
                return .unreadable("\(path) is larger than \(ByteCount(DownloadContent.limit).text)")
            }
            return .bytes(BodyBytes(Array(data)))
        } catch {
            return .unreadable("\(path) cannot be read: \(error.systemReason)")
        }
    }
}
