package import SortieHTTP

extension Request {
    /// The path that stands for the program's standard input, which is sent once and whose length is known only at its end.
    package static var standardInput: String { SentFile.standardInput }

    /// The length in bytes of a file to send; nil for a pipe, for other files whose length is known only at their end, and for a missing file.
    package static func length(ofFile path: String) -> Int64? { SentFile.count(of: path) }

    /// Checks that every file of the request can be read; the engine repeats the check before it sends anything.
    ///
    /// - Throws: `fileUnreadable` with the name of the first file that cannot be read.
    package func checkFiles() throws(NetworkError) {
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
