import Foundation

/// A route that accepts a body of any length and reports its size and digest without storing it.
enum UploadRoutes {
    static func all(_ demo: Demo) -> [Route] {
        [
            Route(
                ["POST", "PUT"], "/upload", "Counts and hashes a body of any length; ?rate=1MB reads that many bytes a second.",
                handle: upload)
        ]
    }

    private static func upload(_ call: Call) async throws -> Reply {
        let rate = try call.byteSize("rate", default: 0, upTo: FileRoutes.largest)
        let start = ContinuousClock.now
        var pace = Pace(rate: rate > 0 ? rate : nil)
        var digest = ContentDigest()
        var multipart = MultipartReader(contentType: call.header("Content-Type"))
        try await call.body.read { chunk in
            digest.add(chunk)
            multipart?.add(chunk)
            try await pace.pass(chunk.count)
        }
        if let announced = call.body.announcedBytes, announced != digest.bytes {
            throw Problem(400, "The body ended after \(digest.bytes) of \(announced) bytes.")
        }
        multipart?.finish()
        var members: [(String, JSON)] = [
            ("bytes", .integer(digest.bytes)), ("sha256", .string(digest.hex)),
            ("contentType", .optional(call.header("Content-Type"))),
            ("seconds", .seconds(ContinuousClock.now - start)),
        ]
        if let multipart {
            if let problem = multipart.problem { throw Problem(400, problem) }
            members.append(("parts", multipart.json))
        }
        return .json(.object(members))
    }
}
