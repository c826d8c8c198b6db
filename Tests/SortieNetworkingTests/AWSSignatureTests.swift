import Testing

@testable import SortieHTTP
@testable import SortieNetworking

/// Compares signatures with the published vectors of Signature Version 4 (github.com/awslabs/aws-c-auth, tests/aws-signing-test-suite/v4).
struct AWSSignatureTests {
    /// The time of the vectors, 2015-08-30T12:36:00Z.
    private static let time: Int64 = 1_440_938_160

    private static func credential(token: String = "") -> AWSCredential {
        AWSCredential(
            region: "us-east-1", service: "service", accessKey: "AKIDEXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
            sessionToken: token)
    }

    private static func sign(_ target: String, _ fields: [HeaderField] = [], with credential: AWSCredential = credential()) -> AWSSignature {
        let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
        let input = AWSSignature.Input(
            method: .get, path: parts[0], query: parts.count == 2 ? parts[1] : nil, fields: [HeaderField("Host", "example.amazonaws.com")] + fields,
            payload: .digest(SigningInput.digest(of: [])))
        return AWSSignature(input, with: credential, time: time)
    }

    @Test(arguments: [
        ("/example1/example2/../..", "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
        ("/./example", "ef75d96142cf21edca26f06005da7988e4f8dc83a165a80865db7089db637ec5"),
        ("/ሴ", "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85"),
        (
            "/-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
            "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f"
        ),
        ("/?ሴ=bar", "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04"),
        ("/?Param2=value2&Param1=value1", "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"),
        ("/?Param1=value1", "a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb"),
    ])
    func `paths and queries are signed as published`(target: String, signature: String) {
        let signed = Self.sign(target)
        #expect(signed.signature == signature, "\(signed.canonicalRequest)")
    }

    @Test(arguments: [
        (["value2", "value2", "value1"], "c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea"),
        (["value4", "value1", "value3", "value2"], "08c7e5a9acfcfeb3ab6b2185e75ce8b1deb5e634ec47601a50643f830c755c01"),
    ])
    func `repeated fields are joined in their order`(values: [String], signature: String) {
        #expect(Self.sign("/", values.map { HeaderField("My-Header1", $0) }).signature == signature)
    }

    @Test func `spaces of values are removed at the ends and reduced within`() {
        let signed = Self.sign("/", [HeaderField("My-Header1", " value1"), HeaderField("My-Header2", " \"a   b   c\"")])
        #expect(signed.signature == "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736")
    }

    @Test func `a session token is sent and signed`() {
        let token = "6e86291e8372ff2a2260956d9b8aae1d763fbf315fa00fa31553b73ebf194267"
        let signed = Self.sign("/", with: Self.credential(token: token))
        #expect(signed.signature == "07ec1639c89043aa0e3e2de82b96708f198cceab042d4a97044c66dd9f74e7f8")
        #expect(signed.fields.map(\.name) == ["X-Amz-Date", "X-Amz-Security-Token", "Authorization"])
        #expect(signed.fields[0].value == "20150830T123600Z" && signed.fields[1].value == token)
    }

    @Test func `fields that change on the way are not signed`() {
        let names = ["Connection", "Content-Length", "Expect", "TE", "Trailer", "Transfer-Encoding", "Upgrade", "User-Agent", "X-Amzn-Trace-Id"]
        #expect(Self.sign("/", names.map { HeaderField($0, "v") }).signature == Self.sign("/").signature)
    }

    @Test func `a date of the caller is replaced`() {
        #expect(Self.sign("/", [HeaderField("x-amz-date", "19700101T000000Z")]).signature == Self.sign("/").signature)
    }

    @Test func `the path of Amazon S3 is neither normalised nor encoded twice`() {
        var credential = Self.credential()
        credential.service = "s3"
        let signed = Self.sign("/a//./b%20c!", with: credential)
        #expect(signed.canonicalRequest.split(separator: "\n")[1] == "/a//./b%20c%21")
        #expect(signed.fields.contains { $0.isNamed("x-amz-content-sha256") })
        #expect(Self.sign("/a//./b%20c!").canonicalRequest.split(separator: "\n")[1] == "/a/b%2520c%21")
        #expect(!Self.sign("/").fields.contains { $0.isNamed("x-amz-content-sha256") })
    }

    @Test(arguments: [
        (AWSCredential(region: "", service: "s", accessKey: "a", secretKey: "k"), "region is missing"),
        (AWSCredential(region: "r", service: "s", accessKey: "a", secretKey: ""), "secretKey is missing"),
        (
            AWSCredential(region: "r/x", service: "s", accessKey: "a", secretKey: "k"),
            "region contains a character that a signature cannot have; use visible ASCII without “/” and “,”"
        ),
        (
            AWSCredential(region: "r", service: "s", accessKey: "a", secretKey: "k", sessionToken: "t\r\nX: y"),
            "sessionToken contains a character that a signature cannot have; use visible ASCII"
        ),
    ])
    func `an invalid credential is described`(credential: AWSCredential, problem: String) {
        #expect(credential.problem == problem)
    }
}
