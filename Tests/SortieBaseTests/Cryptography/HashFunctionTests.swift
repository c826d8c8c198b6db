import SortieBase
import Testing

/// Tests digests and authentication codes with published vectors.
struct HashFunctionTests {
    /// FIPS 180-4 examples of NIST for “abc”; RFC 1321 for MD5.
    @Test(arguments: [
        (HashFunction.md5, "900150983cd24fb0d6963f7d28e17f72"),
        (.sha1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            .sha384,
            "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"
        ),
        (
            .sha512,
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        ),
    ])
    func `the digest of abc is the published one`(function: HashFunction, digest: String) {
        #expect(HexDigits.text(function.digest(of: "abc")) == digest)
    }

    @Test func `the digest of no bytes and that of two blocks are the published ones`() {
        #expect(HexDigits.text(HashFunction.sha256.digest(of: [])) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        let text = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
        #expect(HexDigits.text(HashFunction.sha256.digest(of: text)) == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    }

    /// RFC 4231, test cases 1, 2, 3, 6 and 7: the last two have keys that are longer than a block.
    @Test(arguments: [
        (
            [UInt8](repeating: 0x0b, count: 20), Array("Hi There".utf8),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            [UInt8](repeating: 0xaa, count: 20), [UInt8](repeating: 0xdd, count: 50),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        ),
        (
            [UInt8](repeating: 0xaa, count: 131), Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        (
            [UInt8](repeating: 0xaa, count: 131),
            Array(
                "This is a test using a larger than block-size key and a larger than block-size data. The key needs to be hashed before being used by the HMAC algorithm."
                    .utf8),
            "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
        ),
    ])
    func `authentication codes are those of RFC 4231`(key: [UInt8], bytes: [UInt8], code: String) {
        #expect(HexDigits.text(HashFunction.sha256.authenticationCode(of: bytes, key: key)) == code)
    }

    @Test func `an empty key and no bytes have an authentication code`() {
        let code = "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"
        #expect(HexDigits.text(HashFunction.sha256.authenticationCode(of: [], key: [])) == code)
    }

    @Test func `the digest of a message in pieces is that of the whole, and a copy goes its own way`() {
        var message = MessageDigest(.sha256)
        message.update("ab".utf8)
        var other = message
        message.update([UInt8(ascii: "c")])
        other.update("".utf8)
        #expect(message.digest == HashFunction.sha256.digest(of: "abc"))
        #expect(other.digest == HashFunction.sha256.digest(of: "ab"))
        message.update("d".utf8)
        #expect(message.digest == HashFunction.sha256.digest(of: "abcd"))
    }
}
