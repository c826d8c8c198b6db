internal import CLinux
internal import Glibc
internal import SortieHTTP

/// A lookup with the system's resolver, which may block for any time and therefore runs on a separate thread.
enum NameLookup {
    /// The result of a lookup.
    enum Answer: Sendable {
        /// The addresses and, where the resolver gives one, their lifetime. The system's resolver never gives one.
        case addresses([IPAddress], lifetime: Duration? = nil)
        /// The resolver reports that the name has no address.
        case failed(String)
        /// The resolver did not respond; another one may.
        case unavailable(String)
        /// The lookup did not start, which says nothing about the name.
        case notStarted(String)
    }

    private final class Question {
        let host: String
        let answer: @Sendable (Answer) -> Void

        init(host: String, answer: @escaping @Sendable (Answer) -> Void) {
            self.host = host
            self.answer = answer
        }
    }

    /// Looks up the addresses of `host`.
    ///
    /// `answer` is called once, on another thread.
    static func start(_ host: String, answer: @escaping @Sendable (Answer) -> Void) {
        let context = Unmanaged.passRetained(Question(host: host, answer: answer))
        let result = clinux_start_thread(NameLookup.main, context.toOpaque(), 512 << 10)
        if result != 0 {
            context.takeRetainedValue().answer(
                .notStarted("no thread: \(String(cString: strerror(result)).lowercased())"))
        }
    }

    private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
        guard let context else { return nil }
        let question = Unmanaged<Question>.fromOpaque(context).takeRetainedValue()
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, nil)
        question.answer(NameLookup.ask(question.host))
        return nil
    }

    private static func ask(_ host: String) -> Answer {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = 1  // SOCK_STREAM, which the Glibc module imports as an enumeration
        var list: UnsafeMutablePointer<addrinfo>?
        let result = getaddrinfo(host, nil, &hints, &list)
        defer { if let list { freeaddrinfo(list) } }
        guard result == 0 else { return .failed(String(cString: gai_strerror(result))) }

        var addresses: [IPAddress] = []
        var entry = list
        while let info = entry {
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            if getnameinfo(info.pointee.ai_addr, info.pointee.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
                == 0,
                let address = IPAddress(String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)),
                !addresses.contains(address)
            {
                addresses.append(address)
            }
            entry = info.pointee.ai_next
        }
        return addresses.isEmpty ? .failed("the name has no address") : .addresses(addresses)
    }
}
