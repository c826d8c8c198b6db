public import SortieHTTP

/// Returns the path of a finished file.
///
/// It is called once when all bytes have arrived, before the file gets its name. The partial file stays beside `location` until then.
///
/// - Parameters:
///   - location: The path that the file has without this function.
///   - response: The head of the last response; nil where an earlier run of the program received all bytes.
/// - Returns: An absolute path, or one relative to the folder of `location`. Its folder must exist on the same file system.
/// - Throws: An error that ends the download; the bytes are kept.
public typealias DownloadDestination = @Sendable (_ location: String, _ response: Response?) throws -> String
