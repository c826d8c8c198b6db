import Foundation
import SortieClassic
import Testing

/// Tests the errors, envelopes and parameters as the source documents have them.
struct ClassicFormatTests {
    @Test func `S0.17 S1.28 as an NSError, a failure has the domain and the number of the source, and the code of the server`() {
        var failure = NetworkError(.business, "你的登录信息已过期,请重新登录")
        failure.businessCode = "auth_failed"
        let error = failure as NSError
        #expect(error.domain == "SSRequest.Error.Domain")
        #expect(error.code == -1024)
        #expect(error.userInfo["SSRequestResultCode"] as? String == "auth_failed")
        #expect(error.localizedDescription == "你的登录信息已过期,请重新登录")
        let other = NetworkError(.timedOut, "no response") as NSError
        #expect(other.domain == "SSRequest.Error.Domain" && other.code == -1024)
        #expect(other.userInfo["SSRequestResultCode"] == nil)
    }

    @Test func `S1.27 a failure has the number and the text of the second source document`() {
        #expect(NetworkError(.timedOut, "no response").legacyCode == 101)
        #expect(NetworkError(.timedOut, "no response").legacyText == "请求超时了~")
        #expect(NetworkError(.timedOut, "no response").message(in: .english) == "the request timed out")
        #expect(NetworkError.emptyList(page: 2, in: .simplifiedChinese).legacyCode == 106)
    }

    @Test func `parameters are written as the pair builder of the first source document does`() throws {
        let members: [ParameterValue.Member] = [.init("b", [1, 2]), .init("appId", true), .init("Z", nil)]
        #expect(try ParameterEncoding.legacy.text(of: members, in: .query) == "Z&appId=1&b=1&b=2")
    }
}
