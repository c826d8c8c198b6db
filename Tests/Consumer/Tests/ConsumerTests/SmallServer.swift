import Dispatch
import Glibc
import Synchronization

/// A server on the loopback interface that answers each connection once.
final class SmallServer: Sendable {
    struct Answer: Sendable {
        var status = "200 OK"
        var fields = ["Content-Type: application/json"]
        var body = ""
    }

    let url: String
    private let socket: Int32
    private let received = Mutex<[String]>([])

    /// The heads and bodies of the requests.
    var requests: [String] { received.withLock { $0 } }

    init(answer: @escaping @Sendable (String) -> Answer) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let socket = socket
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) == 0 && listen(socket, 16) == 0 && getsockname(socket, $0, &length) == 0
            }
        }
        guard isBound else { throw ServerError.noPort }
        url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
        DispatchQueue(label: "server").async { [self] in
            while true {
                let connection = accept(socket, nil, nil)
                guard connection >= 0 else { return }
                let request = Self.readRequest(connection)
                received.withLock { $0.append(request) }
                let answer = answer(request)
                let fields = answer.fields.map { $0 + "\r\n" }.joined()
                let text =
                    "HTTP/1.1 \(answer.status)\r\n\(fields)Content-Length: \(answer.body.utf8.count)\r\nConnection: close\r\n\r\n\(answer.body)"
                _ = Array(text.utf8).withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                close(connection)
            }
        }
    }

    enum ServerError: Error { case noPort }

    /// Ends the thread of the server.
    func stop() {
        shutdown(socket, Int32(SHUT_RDWR))
        close(socket)
    }

    private static func readRequest(_ connection: Int32) -> String {
        var text = ""
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            if let end = text.firstRange(of: "\r\n\r\n") {
                let length = text.lowercased().firstMatch(of: /content-length: (\d+)/).flatMap { Int($0.output.1) } ?? 0
                if text[end.upperBound...].utf8.count >= length { return text }
            }
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return text }
            text += String(decoding: buffer[..<count], as: UTF8.self)
        }
    }
}
