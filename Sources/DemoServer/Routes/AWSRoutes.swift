/// A route for requests that are signed by AWS Signature Version 4.
enum AWSRoutes {
    static func all(_ demo: Demo) -> [Route] {
        [
            Route(
                ["GET", "POST", "PUT"], "/aws",
                "Requires AWS Signature Version 4 with access key demo and secret key sortie; a refusal contains the canonical request of the server."
            ) { try await answer($0, demo) }
        ]
    }

    private static func answer(_ call: Call, _ demo: Demo) async throws -> Reply {
        guard let signature = AWSRequestSignature(call.header("Authorization") ?? "") else {
            return .json(["message": "Missing Authentication Token"], status: 403)
        }
        guard signature.accessKey == demo.options.username else {
            return .json(["message": "The security token included in the request is invalid."], status: 403)
        }
        let canonical = signature.canonicalRequest(of: call, body: try await call.body.collect())
        guard signature.isValid(canonical, date: call.header("X-Amz-Date") ?? "", secretKey: demo.options.password) else {
            let message = "The request signature we calculated does not match the signature you provided."
            return .json(["message": .string(message), "canonicalRequest": .string(canonical)], status: 403)
        }
        return .envelope([
            "accessKey": .string(signature.accessKey), "scope": .string(signature.scope), "signedHeaders": .string(signature.names),
        ])
    }
}
