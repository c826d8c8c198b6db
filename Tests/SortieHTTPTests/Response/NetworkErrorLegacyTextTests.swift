import SortieHTTP
import Testing

struct NetworkErrorLegacyTextTests {
    @Test(arguments: [
        (NetworkError.Code.timedOut, 101, "请求超时了~"), (.hostNotFound, 102, "当前网络差, 请检查网络设置~"), (.connectionRefused, 102, "当前网络差, 请检查网络设置~"),
        (.offline, 102, "当前网络差, 请检查网络设置~"), (.cancelled, 103, "请求已取消~"), (.superseded, 103, "请求已取消~"), (.connectionLost, 104, "请求失败了~"),
        (.status, 104, "请求失败了~"), (.noData, 105, "这里什么也没有~"), (.noMoreData, 106, "没有更多了~"),
    ])
    func `each code has a separate text and number (S1.27, S1.28, S1.29)`(code: NetworkError.Code, number: Int, text: String) {
        let error = NetworkError(code, "words")
        #expect(error.text(in: .simplifiedChinese) == text && error.documentNumber == number)
    }

    @Test func `a business failure has its own message`() {
        #expect(NetworkError(.business, "库存不足").text(in: .english) == "库存不足")
    }

    @Test func `an empty first page means no data, an empty later page no more data (S1.32)`() {
        let (first, later) = (NetworkError.emptyPage(1, in: .simplifiedChinese), NetworkError.emptyPage(2, in: .simplifiedChinese))
        #expect(first.documentNumber == 105 && first.message == "这里什么也没有~")
        #expect(later.documentNumber == 106 && later.message == "没有更多了~" && later.errorClass == .business)
    }

    @Test func `the error filter rewords a transport error and preserves the original message (S0.27)`() {
        let error = NetworkError(.hostNotFound, "no such host", underlying: "NXDOMAIN").filtered(in: .simplifiedChinese)
        #expect(error.message == "网络错误" && error.code == .hostNotFound && error.underlying == "no such host: NXDOMAIN")
    }

    @Test func `the error filter does not change the server's reason and a cancellation (S0.27)`() {
        for error in [NetworkError(.business, "库存不足"), .emptyPage(1), NetworkError(.cancelled, "cancelled")] {
            #expect(error.filtered(in: .simplifiedChinese) == error)
        }
    }

    @Test func `the texts of the default are English, and both languages have the same codes`() {
        let texts = UserTexts.english
        let all = [
            texts.transport, texts.timedOut, texts.noConnection, texts.cancelled, texts.failed, texts.noData, texts.noMoreData, texts.wrongFormat,
            texts.unnamedFile,
        ]
        #expect((all + texts.codes.values).allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { $0 < 0x80 } })
        #expect(RequestOptions().texts == texts)
        #expect(Set(texts.codes.keys) == Set(UserTexts.simplifiedChinese.codes.keys))
    }
}
