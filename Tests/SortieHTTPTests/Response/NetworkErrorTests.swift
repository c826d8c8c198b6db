import SortieHTTP
import Testing

@Suite struct NetworkErrorTests {
    @Test(arguments: NetworkError.Code.allCases)
    func `the class follows from the code (S3.17)`(code: NetworkError.Code) {
        #expect(NetworkError(code, "").errorClass == code.errorClass)
    }

    @Test func `codes belong to the responsible class (X4)`() {
        let classes = Dictionary(grouping: NetworkError.Code.allCases, by: \.errorClass).mapValues { Set($0) }
        #expect(classes[.http] == [.status, .tooManyRedirects, .badRedirect])
        #expect(classes[.business] == [.business, .badBody, .digestMismatch, .closed, .noData, .noMoreData])
        #expect(
            classes[.transport]?.isSuperset(of: [.hostNotFound, .timedOut, .pinMismatch, .truncatedBody, .ambiguousDelivery])
                == true)
        #expect(classes[.client]?.isSuperset(of: [.cancelled, .invalidURL, .fileUnreadable, .internalFailure]) == true)
    }

    @Test(arguments: [
        (NetworkError.Code.timedOut, 101), (.hostNotFound, 102), (.connectionRefused, 102), (.cannotConnect, 102),
        (.offline, 102), (.cancelled, 103),
        (.superseded, 103), (.tlsFailed, 104), (.business, 104), (.status, 104),
    ])
    func `each failure has the number of the second source document (S1.27–S1.29)`(code: NetworkError.Code, number: Int) {
        #expect(NetworkError(code, "").documentNumber == number)
    }

    @Test func `the record has the keys of the contract`() {
        let error = NetworkError(.timedOut, "no answer within 5 s", hint: "try --timeout", underlying: "curl 28")
        #expect(
            error.record.text
                == #"{"class": "transport", "code": "timedOut", "legacyCode": 101, "message": "no answer within 5 s", "underlying": "curl 28"}"#
        )
        #expect(error.description == "timedOut: no answer within 5 s")
    }
}
