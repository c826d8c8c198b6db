import SortieHTTP
import Testing

@Suite struct CredentialNameTests {
    @Test(arguments: [
        "Authorization", "private-token", "X-GitHub-Token", "X-Amz-Security-Token", "X-Amz-Signature", "X-Goog-Api-Key", "Ocp-Apim-Subscription-Key",
        "DPoP", "sig", "jwt", "session", "private_key", "privateKey", "otp", "X-Vault-Token", "client-secret", "API_KEY", "connect.sid",
    ])
    func `a credential is recognised by its name in fields, parameters and JSON`(name: String) {
        #expect(HeaderField(name, "v").isSecret)
        #expect(Redaction.standard.masked(HeaderField(name, "v")).value == HeaderField.mask)
        #expect(Redaction.standard.maskedURL("https://a.example/?x=1&\(name)=geheim") == "https://a.example/?x=1&\(name)=••••")
        #expect(Redaction.standard.maskedForm("\(name)=geheim&x=1") == "\(name)=••••&x=1")
        #expect(Redaction.standard.maskedJSON("{\"\(name)\": \"geheim\"}") == "{\"\(name)\": \"••••\"}")
    }

    @Test func `an authorization code is masked in a query and a form, and a status code in JSON is not`() {
        #expect(Redaction.standard.maskedURL("https://a.example/cb?code=abc&page=2") == "https://a.example/cb?code=••••&page=2")
        #expect(Redaction.standard.maskedForm("grant_type=authorization_code&code=abc") == "grant_type=authorization_code&code=••••")
        #expect(Redaction.standard.maskedJSON(#"{"code": 200}"#) == #"{"code": 200}"#)
    }

    @Test(arguments: ["Accept", "Content-Type", "page", "tokens_used", "design", "signal", "authors", "passed", "keyboard", "description"])
    func `similar names are not masked`(name: String) {
        #expect(!HeaderField(name, "v").isSecret)
        #expect(Redaction.standard.maskedForm("\(name)=v") == "\(name)=v")
    }
}
