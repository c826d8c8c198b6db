internal import Foundation
internal import SortieHTTP
internal import SortieNetworking

/// A request whose body, or a part of it, was read from standard input before it is sent, as by `curl -d @-`.
///
/// Its length is known then, and it can be sent again, for example after a redirect or with credentials. A longer input is sent while it is read.
struct InputBody {
    /// The number of bytes from which on the input is sent while it is read.
    static let limit = 1 << 20

    private(set) var request: Request
    /// The first bytes of a longer input, which are sent before the rest.
    private(set) var head: [UInt8] = []

    /// Reads standard input, where it is a part of the request and no regular file, whose length is known.
    ///
    /// - Parameter mayRead: Waits for input; false ends the reading.
    init(_ request: Request, from input: ProgramInput, while mayRead: () -> Bool) {
        self.request = request
        guard request.sendsInput, !input.isRegularFile else { return }
        let (bytes, isWhole) = input.head(Self.limit, while: mayRead)
        if isWhole { self.request.replaceInput(by: bytes) } else { head = bytes }
    }
}

extension Request {
    /// Whether the body, or a part of it, is standard input.
    fileprivate var sendsInput: Bool {
        switch body {
        case .none, .bytes: false
        case .file(let path, _): path == Request.standardInput
        case .multipart(let parts): parts.contains { $0.content.isInput }
        }
    }

    fileprivate mutating func replaceInput(by bytes: [UInt8]) {
        switch body {
        case .file(Request.standardInput, let type): body = .bytes(bytes, contentType: type)
        case .multipart(var parts):
            for index in parts.indices where parts[index].content.isInput { parts[index].content = .bytes(bytes) }
            body = .multipart(parts)
        case .none, .bytes, .file: break
        }
    }
}

extension RequestBody.Part.Content {
    fileprivate var isInput: Bool {
        if case .file(Request.standardInput) = self { true } else { false }
    }
}

extension ProgramInput {
    fileprivate var isRegularFile: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}
