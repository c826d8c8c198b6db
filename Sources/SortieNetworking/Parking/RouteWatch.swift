internal import CLinux
internal import Glibc

/// Receives the kernel's messages about changes of interfaces, addresses and routes (`rtnetlink(7)`) on a thread that
/// blocks between them.
enum RouteWatch {
    private final class Listener {
        let descriptor: Int32
        let heard: @Sendable () -> Void

        init(descriptor: Int32, heard: @escaping @Sendable () -> Void) {
            self.descriptor = descriptor
            self.heard = heard
        }
    }

    /// The subscribed message groups: `RTMGRP_LINK`, and addresses and routes of both families.
    private static let groups: UInt32 = 0x1 | 0x10 | 0x40 | 0x100 | 0x400

    /// Calls `heard` after every change, on a separate thread, for the life of the process.
    ///
    /// - Returns: Whether the subscription succeeded; some sandboxes do not permit it.
    static func start(_ heard: @escaping @Sendable () -> Void) -> Bool {
        let descriptor = socket(AF_NETLINK, 3 /* SOCK_RAW, which CCurl hides */ | 0o2000000 /* SOCK_CLOEXEC */, 0 /* NETLINK_ROUTE */)
        guard descriptor >= 0 else { return false }
        // struct sockaddr_nl: family, padding, port (0: the kernel chooses), groups.
        var address = (UInt16(AF_NETLINK), UInt16(0), UInt32(0), groups)
        let bound = withUnsafeBytes(of: &address) { bytes in
            bytes.baseAddress.map { bind(descriptor, $0.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count)) } ?? -1
        }
        let context = Unmanaged.passRetained(Listener(descriptor: descriptor, heard: heard))
        guard bound == 0, clinux_start_thread(RouteWatch.main, context.toOpaque(), 256 << 10) == 0 else {
            context.release()
            close(descriptor)
            return false
        }
        return true
    }

    private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
        guard let context else { return nil }
        let listener = Unmanaged<Listener>.fromOpaque(context).takeRetainedValue()
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, nil)
        clinux_name_thread("sortie-routes")
        var message = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = recv(listener.descriptor, &message, message.count, 0)
            // ENOBUFS: messages were lost, so there was a change.
            guard count > 0 || errno == EINTR || errno == ENOBUFS else { break }
            // Changes come in groups; pending messages are read before the callback runs.
            while recv(listener.descriptor, &message, message.count, Int32(MSG_DONTWAIT)) > 0 {}
            listener.heard()
        }
        close(listener.descriptor)
        return nil
    }
}
