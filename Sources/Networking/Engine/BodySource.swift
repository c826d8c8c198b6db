internal import Glibc
internal import Model

/// Where the bytes of a request's body come from while they are sent.
final class BodySource {
    /// How many bytes there are.
    let count: Int64
    private let bytes: [UInt8]
    private let file: Int32
    private var offset: Int64 = 0

    /// Bytes in memory.
    init(bytes: [UInt8]) {
        self.bytes = bytes
        count = Int64(bytes.count)
        file = -1
    }

    /// A file, opened now, so that a missing one fails before anything is sent (S2.20).
    init(path: String) throws(NetworkError) {
        file = open(path, O_RDONLY | O_CLOEXEC)
        var status = stat()
        guard file >= 0, fstat(file, &status) == 0 else {
            let reason = String(cString: strerror(errno))
            if file >= 0 { close(file) }
            throw NetworkError(.fileUnreadable, "the file \(path) cannot be read: \(reason.lowercased())", underlying: reason)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            close(file)
            throw NetworkError(.fileUnreadable, "\(path) is not a file that can be sent")
        }
        bytes = []
        count = Int64(status.st_size)
    }

    deinit {
        if file >= 0 { close(file) }
    }

    /// Fills `buffer` with what follows; returns the number of bytes, 0 at the end, nil when the file cannot be read.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        guard offset < count, let base = buffer.baseAddress else { return 0 }
        let wanted = Int(min(Int64(buffer.count), count - offset))
        if file >= 0 {
            let got = pread(file, base, wanted, off_t(offset))
            guard got > 0 else { return nil }
            offset += Int64(got)
            return got
        }
        bytes.withUnsafeBytes {
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[Int(offset)..<Int(offset) + wanted]))
        }
        offset += Int64(wanted)
        return wanted
    }

    /// Begins again at `offset`.
    func seek(to offset: Int64) -> Bool {
        guard offset >= 0, offset <= count else { return false }
        self.offset = offset
        return true
    }
}
