import SortieBase
import Testing

@testable import SortieNetworking

struct AESGCMEncryptorTests {
    private static let key = "feffe9928665731c6d6a8f9467308308"
    private static let nonce = "cafebabefacedbaddecaf888"
    private static let plain =
        "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255"

    /// Test cases 3, 9 and 15 of the GCM specification (McGrew and Viega): keys of 128, 192 and 256 bits.
    @Test(arguments: [
        ("feffe9928665731c6d6a8f9467308308", "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e", "4d5c2af327cd64a62cf35abd2ba6fab4"),
        (
            "feffe9928665731c6d6a8f9467308308feffe9928665731c", "3980ca0b3c00e841eb06fac4872a2757859e1ceaa6efd984628593b40ca1e19c",
            "9924a7c8587336bfb118024db8674a14"
        ),
        (
            "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308", "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa",
            "b094dac5d93471bdec1a502270e3cc6c"
        ),
    ])
    func `S4_9 the known answers of the GCM specification, in both directions`(key: String, start: String, tag: String) throws {
        let encryptor = try AESGCMEncryptor(key: key)
        let plain = try #require(HexDigits.bytes(Self.plain))
        let nonce = try #require(HexDigits.bytes(Self.nonce))
        let sealed = try encryptor.encrypt(plain, contentType: "text/plain", nonce: nonce)
        let text = HexDigits.text(sealed.bytes)
        #expect(text.hasPrefix(Self.nonce + start) && text.hasSuffix(tag) && sealed.bytes.count == 12 + 64 + 16)
        let opened = try encryptor.decrypt(sealed.bytes, contentType: sealed.contentType)
        #expect(opened.bytes == plain && opened.contentType == "text/plain")
    }

    @Test(arguments: [nil, "application/json", #"application/json; charset="utf-8""#, #"text/x; a="q\"; type=b\\""#])
    func `S4_9 a body is decrypted with its declared type`(type: String?) throws {
        let encryptor = try AESGCMEncryptor(key: Self.key)
        for body in [[], Array("{\"code\":500}".utf8), [UInt8](repeating: 0xff, count: 100_000)] {
            let sealed = try encryptor.encrypt(body, contentType: type)
            #expect(encryptor.isEncrypted(sealed.contentType))
            let opened = try encryptor.decrypt(sealed.bytes, contentType: sealed.contentType)
            #expect(opened.bytes == body && opened.contentType == type)
        }
    }

    @Test func `the type of an encrypted body is written as a parameter`() throws {
        let sealed = try AESGCMEncryptor(key: Self.key).encrypt([1], contentType: "text/plain; charset=utf-8")
        #expect(sealed.contentType == #"application/vnd.sortie.aes-gcm; type="text/plain; charset=utf-8""#)
        #expect(EncryptedType.inner(of: "Application/Vnd.Sortie.AES-GCM ;x=1; Type=text/plain") == "text/plain")
    }

    @Test func `two encryptions of one body differ`() throws {
        let encryptor = try AESGCMEncryptor(key: Self.key)
        #expect(try encryptor.encrypt([1, 2, 3], contentType: nil).bytes != encryptor.encrypt([1, 2, 3], contentType: nil).bytes)
    }

    @Test func `S4_9 a change of any byte is detected`() throws {
        let encryptor = try AESGCMEncryptor(key: Self.key)
        let sealed = try encryptor.encrypt(Array("top secret".utf8), contentType: "text/plain")
        for index in sealed.bytes.indices {
            var changed = sealed.bytes
            changed[index] ^= 1
            let error = #expect(throws: NetworkError.self) { try encryptor.decrypt(changed, contentType: sealed.contentType) }
            #expect(error?.code == .badEncoding)
        }
    }

    @Test func `S4_9 another key, a truncated body and an unencrypted body have separate messages`() throws {
        let encryptor = try AESGCMEncryptor(key: Self.key)
        let sealed = try encryptor.encrypt(Array("top secret".utf8), contentType: nil)
        let other = try AESGCMEncryptor(key: "00000000000000000000000000000000")
        let wrong = #expect(throws: NetworkError.self) { try other.decrypt(sealed.bytes, contentType: sealed.contentType) }
        #expect(wrong?.message == "the encrypted body cannot be decrypted: the server used another key, or the body was changed in transit")
        let cut = #expect(throws: NetworkError.self) { try encryptor.decrypt([1, 2, 3], contentType: EncryptedType.essence) }
        #expect(cut?.message == "the encrypted body has 3 bytes, but the nonce and the tag alone have 28: it is incomplete")
        let html = #expect(throws: NetworkError.self) { try encryptor.decrypt(sealed.bytes, contentType: "text/html; charset=x") }
        #expect(html?.message == "the body is text/html, not application/vnd.sortie.aes-gcm: the server did not encrypt it")
        #expect(throws: NetworkError.self) { try encryptor.decrypt(sealed.bytes, contentType: nil) }
        for error in [wrong, cut, html] {
            let text = "\(String(reflecting: error))"
            #expect(!text.contains("secret") && !text.contains(Self.key))
        }
    }

    @Test(arguments: ["/v/pkoZlcxxtao+UZzCDCA==", "base64:/v/pkoZlcxxtao+UZzCDCA==", "hex:FEFFE9928665731C6D6A8F9467308308"])
    func `a key is parsed as base64 or as hexadecimal digits`(key: String) throws {
        let sealed = try AESGCMEncryptor(key: Self.key).encrypt([7], contentType: nil)
        #expect(try AESGCMEncryptor(key: key).decrypt(sealed.bytes, contentType: sealed.contentType).bytes == [7])
    }

    @Test func `32 digits are a hexadecimal key unless base64 is named`() throws {
        #expect("\(try AESGCMEncryptor(key: Self.key))" == "AES-128-GCM (••••)")
        #expect("\(try AESGCMEncryptor(key: "base64:" + Self.key))" == "AES-192-GCM (••••)")
    }

    @Test(arguments: [
        ("s3cret!", "the encryption key is neither base64 nor hexadecimal digits"),
        ("", "the encryption key has 0 bytes; AES requires 16, 24 or 32"),
        ("abcdef", "the encryption key has 3 bytes; AES requires 16, 24 or 32"),
        ("hex:zz", "the encryption key is neither base64 nor hexadecimal digits"),
    ])
    func `an invalid key is rejected without being printed`(key: String, message: String) {
        let error = #expect(throws: NetworkError.self) { try AESGCMEncryptor(key: key) }
        #expect(error?.code == .invalidOption && error?.message == message)
    }

    @Test func `the key is in no description`() throws {
        var text = ""
        dump(try AESGCMEncryptor(key: Self.key), to: &text)
        text += String(reflecting: try AESGCMEncryptor(key: Self.key))
        #expect(!text.contains(Self.key) && text.contains("••••"))
    }
}
