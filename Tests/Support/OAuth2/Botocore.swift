internal import Foundation

/// botocore from PyPI, the reference of AWS Signature Version 4.
///
/// `.ci/setup test` installs it below `.build`.
public enum Botocore {
    /// Whether this machine has botocore; for `@Test(.enabled(if:))`.
    public static var isAvailable: Bool { python != nil }

    private struct Input: Encodable {
        let method: String
        let url: String
        let fields: [[String]]
        let body: String
        let service: String
        let authorization: String
        let date: String
    }

    /// The signature of botocore for a received request, at the time and with the signed fields that the request names.
    ///
    /// The credential is `AKID`, `SECRET` and the region `eu-central-1`.
    public static func signature(of request: ReceivedRequest, url: String, service: String) async throws -> String {
        guard let python else { throw CocoaError(.fileNoSuchFile) }
        let input = Input(
            method: request.method, url: url, fields: request.headers.map { [$0.name, $0.value] }, body: Data(request.body).base64EncodedString(),
            service: service, authorization: request["Authorization"] ?? "", date: request["X-Amz-Date"] ?? "")
        let run = try await ProcessRun.run(python, ["-c", program, String(decoding: try JSONEncoder().encode(input), as: UTF8.self)])
        guard run.succeeded else { throw Failure(words: run.errorOutput) }
        return String(decoding: run.outputBytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// An error of botocore.
    public struct Failure: Error {
        /// The error output.
        public let words: String
    }

    private static let python = OthersPython.path(with: "botocore")

    private static let program = """
        import base64, json, re, sys
        from botocore.auth import SigV4Auth, S3SigV4Auth
        from botocore.awsrequest import AWSRequest
        from botocore.credentials import Credentials
        given = json.loads(sys.argv[1])
        names = re.search("SignedHeaders=([^,]+)", given["authorization"]).group(1).split(";")
        request = AWSRequest(method=given["method"], url=given["url"], data=base64.b64decode(given["body"]))
        for name, value in given["fields"]:
            if name.lower() in names: request.headers.add_header(name, value)
        request.context["timestamp"] = given["date"]
        kind = S3SigV4Auth if given["service"] == "s3" else SigV4Auth
        auth = kind(Credentials("AKID", "SECRET"), given["service"], "eu-central-1")
        canonical = auth.canonical_request(request)
        print(auth.signature(auth.string_to_sign(request, canonical), request))
        """
}
