public import Model

extension Request {
    /// The path that stands for what the program was given to read: it is sent once, and its length shows at its end.
    public static var standardInput: String { SentFile.standardInput }

    /// The length in bytes of a file that is sent; nil for a pipe and other files that tell it only at their end.
    public static func length(ofFile path: String) -> Int64? { SentFile.count(of: path) }

    /// Looks whether every file that the request sends can be read; the engine does so, too, before it sends anything (S2.20).
    ///
    /// - Throws: `fileUnreadable`, with the name of the first one that cannot.
    public func checkFiles() throws(NetworkError) {
        switch body {
        case .file(let path, _): try SentFile.check(path)
        case .multipart(let parts):
            for part in parts {
                if case .file(let path) = part.content { try SentFile.check(path) }
            }
        case .none, .bytes: break
        }
    }
}
