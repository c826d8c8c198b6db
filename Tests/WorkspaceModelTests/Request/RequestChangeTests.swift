import SortieHTTP
import Testing
import WorkspaceModel

/// Tests which changes of an endpoint make an earlier response that of another request.
@Suite struct RequestChangeTests {
    private func change(from former: Endpoint, to endpoint: Endpoint) -> RequestChange {
        var request = Request(url: HTTPURL(scheme: .http, host: "127.0.0.1", path: "/"))
        request.origin = RequestOrigin(endpoint: former)
        return RequestChange(since: request, to: endpoint)
    }

    private func endpoint(_ method: HTTPMethod = .get, _ path: String, body: BodyTemplate = .none) -> Endpoint {
        var endpoint = Endpoint(target: "api/x", name: "x", method: method, path: path)
        endpoint.body = body
        return endpoint
    }

    @Test func `another method or path is another request, which is named`() {
        let former = endpoint(.get, "/dup")
        let (path, method) = (change(from: former, to: endpoint(.get, "/bigint")), change(from: former, to: endpoint(.delete, "/dup")))
        #expect(path.isOtherRequest && method.isOtherRequest)
        #expect(path.note == "It was sent as GET /dup, before the change." && method.note == path.note)
    }

    @Test func `another query or body is the same request with other values`() {
        var former = endpoint(.post, "/x?a=1", body: .json(#"{"a": 1}"#))
        former.query = [Parameter("b", "1"), Parameter("off", "1", isEnabled: false)]
        var same = endpoint(.post, "/x?a=1", body: .json("{\n  \"a\": 1\n}\n"))
        same.query = [Parameter("b", "1")]
        #expect(change(from: former, to: same).note == nil, "neither whitespace nor rows that are off are sent")
        var other = same
        other.query[0].value = "2"
        #expect(change(from: former, to: other).note == "It was sent with another query.")
        other.body = .json(#"{"a": 2}"#)
        #expect(change(from: former, to: other).note == "It was sent with another query and body.")
        #expect(!change(from: former, to: other).isOtherRequest)
    }

    @Test func `other values of variables in the URL or the body are the same request with other values`() {
        let endpoint = endpoint(.post, "/{{user}}?page={{page}}", body: .json(#"{"size": {{size}}, "token": "{{token}}"}"#))
        var request = Request(url: HTTPURL(scheme: .http, host: "127.0.0.1", path: "/"))
        request.origin = RequestOrigin(endpoint: endpoint, variables: ["user": "a", "page": "1", "size": "2", "trace": "1"])
        func note(_ values: [String: String]) -> String? { RequestChange(since: request, to: endpoint) { values[$0] }.note }
        #expect(
            note(["user": "a", "page": "1", "size": "2", "token": "secret", "trace": "9"]) == nil, "neither secrets nor variables elsewhere count")
        #expect(note(["user": "a", "page": "2"]) == "It was sent with another value of {{page}}.")
        #expect(note(["user": "b", "page": "2", "size": "3"]) == "It was sent with other values of {{page}}, {{size}}, {{user}}.")
        #expect(!RequestChange(since: request, to: endpoint) { _ in "other" }.isOtherRequest)
        var edited = endpoint
        edited.body = .none
        #expect(RequestChange(since: request, to: edited) { _ in "1" }.note == "It was sent with another body, and with another value of {{user}}.")
    }

    @Test func `the edited text of the body's file is another body`() {
        let former = endpoint(.post, "/x", body: .file(path: "/x", contentType: nil))
        var edited = former
        edited.setBodyFileText(to: "new", original: "old")
        #expect(change(from: former, to: edited).note == "It was sent with another body.")
        #expect(change(from: edited, to: edited).note == nil)
    }

    @Test func `masked parts of the stored request are no change`() {
        let mask = HeaderField.mask
        var former = endpoint(.post, "/\(mask)/x", body: .json(#"{"password": "\#(mask)", "a": 1}"#))
        former.query = [Parameter("token", mask)]
        var now = endpoint(.post, "/secret/x", body: .json(#"{"password": "p w", "a": 1}"#))
        now.query = [Parameter("token", "t")]
        #expect(change(from: former, to: now).note == nil)
        now.path = "/secret/y"
        #expect(change(from: former, to: now).isOtherRequest)
    }

    @Test func `without the endpoint of the earlier request nothing is known to have changed`() {
        let request = Request(url: HTTPURL(scheme: .http, host: "127.0.0.1", path: "/dup"))
        #expect(!RequestChange(since: request, to: endpoint(.get, "/x")).isOtherRequest)
    }
}
