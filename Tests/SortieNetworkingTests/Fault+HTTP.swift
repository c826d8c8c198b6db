import Support

@testable import SortieNetworking

extension Fault {
    /// The faults of HTTP/1.1 by name.
    static let ofHTTP: [(String, Kind)] = [
        ("slow", slow), ("cut", cut), ("reset", reset), ("silent", silent), ("late bytes", lateBytes),
        ("corrupt body", corruptBody), ("corrupt header", corruptHeader), ("noise", noise), ("informational", informational),
        ("endless informational", endless("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", then: "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")),
        ("endless header", endless("HTTP/1.1 200 OK\r\n", then: "X-Filler: \(String(repeating: "f", count: 900))\r\n")),
        ("endless header line", endless("HTTP/1.1 200 OK\r\nX: ", then: String(repeating: "a", count: 4096))),
        ("endless blank lines", endless("HTTP/1.1 200 OK\r\n\r\n\r\n", then: "\r\n")),
        ("endless chunk extension", endless("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;", then: String(repeating: "a", count: 4096))),
        ("endless chunk size", endless("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", then: String(repeating: "0", count: 4096))),
        (
            "endless trailer",
            endless("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", then: "X-Filler: \(String(repeating: "f", count: 900))\r\n")
        ),
        ("slow header", slowHeader), ("endless body", endlessBody), ("bomb", bomb), ("wrong length", wrongLength), ("invalid length", invalidLength),
        ("invalid chunks", invalidChunks), ("early response", earlyResponse), ("unread upload", unreadUpload), ("redirects", redirects),
        ("retried", retried), ("closed after the response", closed),
    ]

    private static let slow: Kind = { random in
        let sample = FaultSample(&random, untilClose: true)
        return harmless(sample.body, [.readRequest] + FaultSample.deliver(sample.answer.bytes, &random))
    }

    /// The bytes of a response up to a random place, and the beginning of its body that they contain.
    private static func beginning(_ random: inout SeededGenerator, untilClose: Bool) -> (sample: FaultSample, sent: [UInt8], isInHead: Bool) {
        let sample = FaultSample(&random, from: 1, untilClose: untilClose)
        let wire = sample.answer.bytes
        let isInHead = Int.random(in: 0..<3, using: &random) == 0
        let head = sample.answer.headBytes.count
        let count = isInHead ? Int.random(in: 0..<head, using: &random) : Int.random(in: head..<wire.count, using: &random)
        return (sample, Array(wire.prefix(count)), isInHead)
    }

    private static let cut: Kind = { random in
        let (sample, sent, isInHead) = beginning(&random, untilClose: true)
        let steps = [.readRequest] + FaultSample.deliver(sent, &random)
        if isInHead { return failing([.emptyResponse, .badResponse], [], steps) }
        // The end of the connection is the end of the body, so that a cut is invisible.
        if case .untilClose = sample.answer.framing, !sample.isCoded {
            return harmless(Array(sample.body.prefix(sent.count - sample.answer.headBytes.count)), steps)
        }
        return failing(sample.isCoded ? [.truncatedBody, .badEncoding] : [.truncatedBody], sample.body, steps)
    }

    private static let reset: Kind = { random in
        let (sample, sent, isInHead) = beginning(&random, untilClose: true)
        return failing([.connectionLost, .emptyResponse], sample.body, [.readRequest] + FaultSample.deliver(sent, &random) + [.reset])
    }

    private static let silent: Kind = { random in
        let (sample, sent, _) = beginning(&random, untilClose: true)
        return failing([.timedOut], sample.body, [.readRequest] + FaultSample.deliver(sent, &random) + [.holdOpen]).impatient
    }

    /// A second response to one request, which must not become that of the next request, and what servers send on idle connections, in one piece with the
    /// response: bytes that arrive after the next request was sent are its response.
    ///
    /// A reset can discard a part of the response before it.
    private static let lateBytes: Kind = { random in
        let sample = FaultSample(&random)
        let late = [HTTPAnswer.ok("stale"), HTTPAnswer(status: 408, reason: "Request Timeout").with("Connection", "close")]
        let isReset = Bool.random(using: &random)
        // libcurl drops what it reads after the last chunk, and uses the connection again.
        let next = Step.repeat([.readRequest, .respond { HTTPAnswer.ok($0.target).bytes(for: $0) }])
        return either(
            isReset ? [.connectionLost] : [], sample.body,
            [
                .readRequest, .sendBytes(sample.answer.bytes + (late.randomElement(using: &random) ?? .ok()).bytes), isReset ? .reset : next,
            ])
    }

    private static let corruptBody: Kind = { random in
        let sample = FaultSample(&random, from: 1, isCoded: Bool.random(using: &random))
        var answer = sample.answer
        var body = sample.body
        let place = Int.random(in: 0..<min(body.count, 65_535), using: &random)
        let bit = UInt8(1) << UInt8.random(in: 0..<8, using: &random)
        body[place] ^= bit
        // The header of gzip has 10 bytes, and that of a stored block 5.
        answer.body[place + (sample.isCoded ? 15 : 0)] ^= bit
        let steps = [.readRequest] + FaultSample.deliver(answer.bytes, &random)
        return sample.isCoded ? failing([.badEncoding], body, steps) : harmless(body, steps)
    }

    private static let corruptHeader: Kind = { random in
        let sample = FaultSample(&random)
        var wire = sample.answer.bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            wire[Int.random(in: 0..<sample.answer.headBytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        return either(anyBreak.union([.bodyTooLarge]), nil, [.readRequest] + FaultSample.deliver(wire, &random)).impatient
    }

    private static let noise: Kind = { random in
        let bytes = ServedFile(Int.random(in: 1...3000, using: &random), seed: random.next()).bytes
        return failing([.badResponse, .emptyResponse], [], [.readRequest] + FaultSample.deliver(bytes, &random))
    }

    private static let informational: Kind = { random in
        let sample = FaultSample(&random)
        let first = ["HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", "HTTP/1.1 102 Processing\r\n\r\n"]
        let count = Int.random(in: 1...5, using: &random)
        let before = Array((0..<count).map { _ in first.randomElement(using: &random) ?? "" }.joined().utf8)
        return harmless(sample.body, [.readRequest] + FaultSample.deliver(before + sample.answer.bytes, &random))
    }

    private static func endless(_ start: String, then rest: String) -> Kind {
        { _ in
            // ReadWatchdog closes the connection where a busy machine reads for a second what is no part of a response, such as the extension of a chunk.
            either([.timedOut, .badResponse, .bodyTooLarge, .connectionLost], nil, [.readRequest, .send(start), .sendForever(Array(rest.utf8))])
                .hurried
                .with { $0.options.maximumBodyBytes = 1 << 20 }
        }
    }

    private static let slowHeader: Kind = { _ in
        failing([.timedOut], [], [.readRequest, .send("HTTP/1.1 200 OK\r\nX: "), .repeat([.send("a"), .pause(.milliseconds(5))])]).hurried
    }

    private static let endlessBody: Kind = { random in
        let piece = ServedFile(Int.random(in: 500...9000, using: &random), seed: random.next()).bytes
        let limit = Int.random(in: 0...100_000, using: &random)
        let isChunked = Bool.random(using: &random)
        let sent = isChunked ? Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + [13, 10] : piece
        let body = (0...limit / piece.count).flatMap { _ in piece }
        return failing(
            [.bodyTooLarge], body,
            [.readRequest, .send("HTTP/1.1 200 OK\r\n\(isChunked ? "Transfer-Encoding: chunked\r\n" : "")\r\n"), .sendForever(sent)]
        ).with { $0.options.maximumBodyBytes = Int64(limit) }
    }

    private static let bomb: Kind = { random in
        let steps = FaultSample.deliver(HTTPAnswer.ok(bytes: BoundedDecodingTests.brotli, headers: [("Content-Encoding", "br")]).bytes, &random)
        let limit = Int.random(in: 1000...200_000, using: &random)
        return failing([.bodyTooLarge], [UInt8](repeating: 0, count: limit), [.readRequest] + steps).with {
            $0.options.maximumBodyBytes = Int64(limit)
        }
    }

    private static let wrongLength: Kind = { random in
        var sample = FaultSample(&random, from: 1, isCoded: false)
        let isLonger = Bool.random(using: &random)
        let length =
            isLonger
            ? sample.body.count + Int.random(in: 1...1000, using: &random) : max(0, sample.body.count - Int.random(in: 1...100, using: &random))
        sample.answer.framing = .claimedLength(length)
        let steps: [Step] = [.readRequest, .sendBytes(sample.answer.bytes)]
        return isLonger ? failing([.truncatedBody], sample.body, steps) : harmless(Array(sample.body.prefix(length)), steps)
    }

    private static let invalidLength: Kind = { random in
        let lengths = [
            "-5", "abc", "", "5, 6", "5 6", "0x5", "5;", "+5", "99999999999999999999999", "5\r\nContent-Length: 4", "5\r\nContent-Length: x",
            "5\r\n 6",
        ]
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(lengths.randomElement(using: &random) ?? "")\r\n\r\n"
        return either([.badResponse, .bodyTooLarge, .truncatedBody], Array("abcde".utf8), [.readRequest, .send(head + "abcde")])
    }

    private static let invalidChunks: Kind = { random in
        let faults = [
            "ZZ\r\n", "-1\r\n", "5abc\r\n", "3\r\nabcdef\r\n", "ffffffffffffffffff\r\n", "\r\n\r\n", "3\r\nab", "3", "5\r\nabc\r\n0\r\n\r\n",
            "0\r\nX",
        ]
        let fault = faults.randomElement(using: &random) ?? ""
        let wire = Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n\(fault)".utf8)
        return failing([.badResponse, .truncatedBody], nil, [.readRequest] + FaultSample.deliver(wire, &random))
    }

    private static func upload(_ fault: Fault, _ count: Int) -> Fault {
        fault.with {
            $0.method = .post
            $0.body = .bytes([UInt8](repeating: 1, count: count), contentType: nil)
        }
    }

    /// A response to a large request before its body is read.
    private static let earlyResponse: Kind = { random in
        let sample = FaultSample(&random)
        let steps = [.readHead] + FaultSample.deliver(sample.answer.with("Connection", "close").bytes, &random)
        let isReset = Bool.random(using: &random)
        let fault = isReset ? either([.connectionLost, .ambiguousDelivery], sample.body, steps + [.reset]) : harmless(sample.body, steps)
        return upload(fault, Int.random(in: 1...400_000, using: &random))
    }

    private static let unreadUpload: Kind = { random in
        let end: Step = [.holdOpen, .reset].randomElement(using: &random) ?? .reset
        let fault = failing([.timedOut, .connectionLost, .ambiguousDelivery, .emptyResponse], [], [.readHead, end])
        return upload(fault.impatient, Int.random(in: 1...4 << 20, using: &random))
    }

    private static let redirects: Kind = { random in
        let isLoop = Bool.random(using: &random)
        let script = Script.answering { request in
            guard !request.target.hasPrefix("/next") else { return .ok(request.target) }
            return .redirect(to: isLoop ? request.target : request.target + "x")
        }
        return Fault(script: script, body: nil, codes: [.tooManyRedirects], mayComplete: false)
    }

    /// A connection that fails before the response, for a request that is sent again.
    private static let retried: Kind = { random in
        let sample = FaultSample(&random)
        let count = Int.random(in: 0..<12, using: &random)
        let end: Step = [.closeGracefully, .reset].randomElement(using: &random) ?? .reset
        return harmless(Array("/first".utf8), [.readRequest] + FaultSample.deliver(Array(sample.answer.bytes.prefix(count)), &random) + [end]).with {
            $0.options.retry = RetryPolicy(limit: 2)
            $0.options.retry?.base = .milliseconds(1)
        }
    }

    /// The end of the connection after a response that does not announce it.
    private static let closed: Kind = { random in
        let sample = FaultSample(&random)
        return harmless(sample.body, [.readRequest] + FaultSample.deliver(sample.answer.bytes, &random))
    }
}
