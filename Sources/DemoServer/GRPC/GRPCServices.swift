import Foundation
internal import SortieBase
internal import SortieHTTP

/// The services of the demo: selects the method of a request and reads its messages.
struct GRPCServices: Sendable {
    /// The largest number of messages of a request.
    private static let messageLimit = 100

    private let methods: [String: GRPCMethod]
    private let bodyLimit: Int

    init(interval: Duration, bodyLimit: Int = HTTP2Session.Limits().bodyBytes) throws {
        self.bodyLimit = bodyLimit
        let all = ReflectionService(files: [OrdersService.file]).methods + (try OrdersService(interval: interval).methods)
        methods = Dictionary(all.map { ($0.path, $0) }) { first, _ in first }
    }

    /// Runs the method of a request.
    ///
    /// - Returns: The trailer.
    func call(_ request: HTTP2Request, _ send: @escaping GRPCMethod.Sending) async throws(CancellationError) -> [HTTP2Session.Field] {
        do {
            guard !request.isTooLarge else {
                throw GRPCFailure(code: .resourceExhausted, message: "the request has more than \(ByteCount(bodyLimit).text)")
            }
            let path = request.header[":path"] ?? ""
            guard let method = methods[path] else { throw GRPCFailure(code: .unimplemented, message: "the demo has no method \(path)") }
            try await method.handle(try messages(request), send)
            return [("grpc-status", "0")]
        } catch let failure as GRPCFailure {
            return Self.trailer(failure)
        } catch let error as ProtobufError {
            return Self.trailer(GRPCFailure(code: .invalidArgument, message: "\(error)"))
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            return Self.trailer(GRPCFailure(code: .internal, message: "\(error)"))
        }
    }

    private func messages(_ request: HTTP2Request) throws -> [ArraySlice<UInt8>] {
        if request.header["grpc-encoding"].map({ $0 != "identity" }) == true {
            throw GRPCFailure(code: .unimplemented, message: "the demo reads messages without compression only")
        }
        var frames = GRPCFrames(limit: bodyLimit)
        let messages: [ArraySlice<UInt8>]
        do throws(ProtobufError) { messages = try frames.append(request.body) } catch {
            throw GRPCFailure(code: .invalidArgument, message: "a message has an invalid prefix")
        }
        if frames.hasRest { throw GRPCFailure(code: .invalidArgument, message: "the request ends in the middle of a message") }
        if messages.count > Self.messageLimit {
            throw GRPCFailure(code: .resourceExhausted, message: "the request has more than \(Self.messageLimit) messages")
        }
        return messages
    }

    private static func trailer(_ failure: GRPCFailure) -> [HTTP2Session.Field] {
        var fields: [HTTP2Session.Field] = [("grpc-status", String(failure.code.rawValue)), ("grpc-message", encode(failure.message))]
        if let detail = failure.detail {
            // A google.rpc.Status with one google.protobuf.Any.
            var (any, status) = (ProtobufWriter(), ProtobufWriter())
            any.write(1, bytes: "type.googleapis.com/\(detail.type)".utf8)
            any.write(2, bytes: detail.bytes)
            status.write(1, varint: UInt64(failure.code.rawValue))
            status.write(2, bytes: failure.message.utf8)
            status.write(3, bytes: any.bytes)
            fields.append(("grpc-status-details-bin", Data(status.bytes).base64EncodedString()))
        }
        return fields
    }

    /// A message as the value of a field: all but printable ASCII as `%XX` (gRPC over HTTP/2, “Responses”).
    private static func encode(_ message: String) -> String {
        let isPlain = message.utf8.allSatisfy { (0x20...0x7e).contains($0) && $0 != UInt8(ascii: "%") }
        return isPlain ? message : PercentEncoding.encode(message, allowed: .unreserved)
    }
}
