import Support

@testable import SortieNetworking

extension Fault {
    // MARK: - HTTP/2

    /// The faults of HTTP/2 without TLS by name.
    static let ofHTTP2: [(String, Kind)] = [
        ("frames", frames), ("cut frames", cutFrames), ("reset stream", resetStream), ("GOAWAY", goAway), ("window 0", noWindow),
        ("invalid frame", invalidFrame),
        ("endless pings", endlessFrames(HTTP2Frame(.ping, [UInt8](repeating: 0, count: 8)))),
        ("endless settings", endlessFrames(.setting(4, 65_535))),
        (
            "endless continuation",
            endlessFrames(HTTP2Frame(.continuation, stream: 1, [0, 1, 97, 1, 98]), after: HTTP2Frame(.headers, stream: 1, [0x88]))
        ),
        ("endless resets", endlessFrames(HTTP2Frame(.reset, stream: 1, HTTP2Frame.bytes(of: 8)))),
        ("endless empty data", endlessFrames(HTTP2Frame(.data, stream: 1), after: .response(length: nil))),
        ("HTTP/1 for HTTP/2", { _ in overHTTP2(failing(anyBreak, [], [.readHTTP2Request, .send(HTTPAnswer.ok("old"))])) }),
    ]

    private static func overHTTP2(_ fault: Fault) -> Fault { fault.with { $0.options.version = .http2 } }

    private static func steps(_ frames: [HTTP2Frame], _ random: inout SeededGenerator) -> [Step] {
        [.readHTTP2Request, .sendBytes(HTTP2Frame(.settings).bytes)] + FaultSample.deliver(frames.bytes, &random)
    }

    /// The frames of a complete response and its body.
    private static func response(_ random: inout SeededGenerator) -> (frames: [HTTP2Frame], body: [UInt8]) {
        let body = ServedFile(Int.random(in: 1...50_000, using: &random), seed: random.next()).bytes
        let size = Int.random(in: max(1, body.count / 20)...16_384, using: &random)
        let data = stride(from: 0, to: body.count, by: size).map { HTTP2Frame(.data, stream: 1, Array(body[$0..<min($0 + size, body.count)])) }
        let end = HTTP2Frame(.data, flags: 1, stream: 1)
        return ([.response(length: Bool.random(using: &random) ? body.count : nil)] + data + [end], body)
    }

    private static let frames: Kind = { random in
        let (frames, body) = response(&random)
        return overHTTP2(harmless(body, steps(frames, &random)))
    }

    private static let cutFrames: Kind = { random in
        let (frames, body) = response(&random)
        let sent = Array(frames.bytes.prefix(Int.random(in: 0..<frames.bytes.count, using: &random)))
        let end: Step = [.closeGracefully, .reset, .holdOpen].randomElement(using: &random) ?? .reset
        let steps = [.readHTTP2Request, .sendBytes(HTTP2Frame(.settings).bytes)] + FaultSample.deliver(sent, &random) + [end]
        return overHTTP2(failing(anyBreak, body, steps).impatient)
    }

    private static let resetStream: Kind = { random in
        let (frames, body) = response(&random)
        let code = UInt32.random(in: 0...13, using: &random)
        let reset = HTTP2Frame(.reset, stream: 1, HTTP2Frame.bytes(of: code))
        let count = Int.random(in: 0..<frames.count, using: &random)
        let steps = steps(frames.prefix(count) + [reset], &random) + [.expectClose]
        // A request that is refused (7), or is to be sent by HTTP/1.1 (13), is sent again where nothing of its response was passed on, which depends on how
        // many frames libcurl has read at once (DeliveryTests has the other case).
        if code == 7 || code == 13 { return overHTTP2(either(anyBreak, nil, steps).impatient) }
        // All bytes of an announced length are a complete body.
        return overHTTP2((count == frames.count - 1 ? either(anyBreak, body, steps) : failing(anyBreak, body, steps)).impatient)
    }

    /// A GOAWAY before the response, which serves the request or does not, with or without the response after it.
    private static let goAway: Kind = { random in
        var (frames, body) = response(&random)
        let isServed = Bool.random(using: &random)
        frames.insert(.goAway(last: isServed ? 1 : 0), at: isServed ? Int.random(in: 0..<frames.count, using: &random) : 0)
        let steps = steps(frames, &random) + [.expectClose]
        return overHTTP2(isServed ? harmless(body, steps) : failing(anyBreak, body, steps).impatient)
    }

    /// A window that stays at 0, so that the body of the request is never sent, or is opened later.
    private static let noWindow: Kind = { random in
        let (frames, body) = response(&random)
        let count = Int.random(in: 1...60_000, using: &random)
        let before = [Step.readHTTP2Request, .sendBytes([HTTP2Frame.setting(4, 0)].bytes), .pause(.milliseconds(5))]
        let opening = HTTP2Frame(.windowUpdate, stream: 1, HTTP2Frame.bytes(of: 70_000))
        let isOpened = Bool.random(using: &random)
        let fault =
            isOpened
            ? harmless(body, before + [.sendBytes(opening.bytes), .readBytes(count)] + FaultSample.deliver(frames.bytes, &random))
            : failing([.timedOut], [], before + [.expectClose]).impatient
        return overHTTP2(
            fault.with {
                $0.method = .post
                $0.body = .bytes([UInt8](repeating: 1, count: count), contentType: nil)
            })
    }

    private static let invalidFrame: Kind = { random in
        let faults = [
            HTTP2Frame(.data, stream: 0, [1]), HTTP2Frame(.headers, flags: 4, stream: 1, [0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
            HTTP2Frame(.headers, flags: 4, stream: 2, [0x88]), HTTP2Frame(.settings, [1]), HTTP2Frame(.windowUpdate, HTTP2Frame.bytes(of: 0)),
            HTTP2Frame(.data, stream: 1, [UInt8](repeating: 0, count: 20_000)), HTTP2Frame(.pushPromise, flags: 4, stream: 1, [0, 0, 0, 2, 0x82]),
            HTTP2Frame(.goAway, [0]), HTTP2Frame(.headers, flags: 5, stream: 1, [0x00, 1, 65, 1, 98]), HTTP2Frame(.continuation, stream: 1, [0x88]),
        ]
        let steps = steps([faults.randomElement(using: &random) ?? faults[0]], &random) + [.expectClose]
        return overHTTP2(failing(anyBreak, nil, steps).impatient)
    }

    private static func endlessFrames(_ frame: HTTP2Frame, after first: HTTP2Frame? = nil) -> Kind {
        { _ in
            let many = [HTTP2Frame](repeating: frame, count: 100).bytes
            let steps = [Step.readHTTP2Request, .sendBytes(([HTTP2Frame(.settings)] + (first.map { [$0] } ?? [])).bytes), .sendForever(many)]
            return overHTTP2(failing(anyBreak, [], steps).hurried)
        }
    }

    // MARK: - TLS

    /// The faults of a server that should speak TLS, by name.
    static let ofTLS: [(String, Kind)] = [("noise for TLS", tlsNoise)]

    private static let tlsNoise: Kind = { random in
        let begins: [[UInt8]] = [
            [], [0x15, 3, 3, 0, 2, 2, 40], [0x16, 3, 3, 0x3f, 0xff, 2, 0, 0x3f, 0xfb], Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8),
            ServedFile(Int.random(in: 1...500, using: &random), seed: random.next()).bytes, [0x16, 3, 3, 0, 4, 2, 0xff, 0xff, 0xff],
        ]
        let ends: [Step] = [.closeGracefully, .reset, .holdOpen, .sendForever([0x16, 3, 3, 0, 4, 0, 0, 0, 0])]
        var fault = failing(
            [.tlsFailed, .connectionLost, .timedOut, .emptyResponse], [],
            [.readBytes(1), .sendBytes(begins.randomElement(using: &random) ?? []), ends.randomElement(using: &random) ?? .reset])
        fault.isSecure = true
        return fault.with { $0.options.timeouts.connect = .milliseconds(100) }
    }

    /// The fault of a proxy that ends, resets, stalls or disturbs a TLS connection to nginx at a random place.
    static func inTLS(of nginx: Nginx, _ body: [UInt8]) -> Kind {
        let (port, authority) = (nginx.httpsPort, nginx.certificateAuthority)
        return { random in
            let most = Bool.random(using: &random) ? 6000 : body.count + 8000
            let noise = ServedFile(Int.random(in: 1...50, using: &random), seed: random.next()).bytes
            let ends: [[Step]] = [[.closeGracefully], [.reset], [.holdOpen], [.sendBytes(noise), .expectClose]]
            let steps = [Step.relay(to: port, limit: Int.random(in: 0...most, using: &random))] + (ends.randomElement(using: &random) ?? [])
            var fault = either(anyBreak.union([.tlsFailed, .untrustedCertificate]), body, steps).impatient
            fault.isSecure = true
            let version: RequestOptions.Version = Bool.random(using: &random) ? .http1 : .automatic
            return fault.with {
                $0.options.timeouts.connect = .milliseconds(200)
                $0.options.trust.certificateAuthorityFile = authority
                $0.options.version = version
            }
        }
    }
}
