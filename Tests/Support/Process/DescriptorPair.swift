import Glibc

/// A pipe whose descriptors are closed with the last reference.
final class DescriptorPair: Sendable {
    private let ends: Watched<(read: Int32, write: Int32)>

    init() throws {
        var pair: [Int32] = [-1, -1]
        try checked(pipe(&pair), "pipe")
        for descriptor in pair { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        ends = Watched((pair[0], pair[1]))
    }

    deinit {
        closeReading()
        closeWriting()
    }

    var reading: Int32 { ends.current.read }
    var writing: Int32 { ends.current.write }

    func closeReading() {
        ends.change {
            if $0.read >= 0 { close($0.read) }
            $0.read = -1
        }
    }

    func closeWriting() {
        ends.change {
            if $0.write >= 0 { close($0.write) }
            $0.write = -1
        }
    }
}
