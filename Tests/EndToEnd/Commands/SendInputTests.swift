import Support
import Testing

/// Tests bodies from standard input, which is read before the request is sent.
@Suite(.serialized)
struct SendInputTests {
    @Test(arguments: ["-d @-", "--json-body @-", "-X PUT -d @-"])
    func `a small pipe is sent with its length, and without a question to the server`(options: String) async throws {
        let server = try ScriptedServer(answering: .ok())
        let run = try await Sortie().shell("printf '{\"a\": 1}' | \"$SORTIE\" send \(server.url) \(options)")
        let request = try #require(server.requests.first, "\(run)")
        #expect(request.bodyText == "{\"a\": 1}" && request["Content-Length"] == "8")
        #expect(request["Transfer-Encoding"] == nil && request["Expect"] == nil)
    }

    @Test func `closed standard descriptors are no descriptors of the program`() async throws {
        let server = try ScriptedServer(answering: .ok("answer"))
        let run = try await Sortie().shell(
            """
            "$SORTIE" send \(server.url) -d @- <&- 2>&1; echo $?
            "$SORTIE" send \(server.url) -F a=@- <&- 2>&1; echo $?
            "$SORTIE" send \(server.url) --bearer @- <&- 2>&1; echo $?
            "$SORTIE" upload \(server.url)/x - <&- 2>&1; echo $?
            "$SORTIE" send \(server.url)/out 2>&1 >&-; echo $?
            "$SORTIE" send \(server.url)/none -o file <&- >&- 2>&-; echo $?; cat file
            """)
        let unreadable = "standard input cannot be read: bad file descriptor\n3\n"
        let expected =
            ["", "", "--bearer: ", ""].map { "sortie: fileUnreadable: \($0)\(unreadable)" }.joined()
            + "sortie: file: stdout cannot be written: bad file descriptor\n3\n0\nanswer"
        #expect(run.output == expected, "\(run)")
        #expect(server.requests.map(\.target) == ["/out", "/none"])
    }

    @Test func `a producer that is slow is waited for`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let run = try await Sortie().shell(
            """
            mkfifo in; "$SORTIE" send \(server.url) -d @- < in & exec 3> in
            printf a >&3; "$SORTIE" send \(server.url)/between > between; printf b >&3; exec 3>&-; wait $!
            """)
        #expect(server.requests.map(\.target) == ["/between", "/"], "\(run)")
        #expect(server.requests.last?.bodyText == "ab")
    }

    @Test func `a small pipe is sent again after a redirect`() async throws {
        let server = try ScriptedServer { $0.target == "/" ? .redirect(307, to: "/next") : .ok("done") }
        let run = try await Sortie().shell("printf abc | \"$SORTIE\" send \(server.url)/ -d @-")
        #expect(run.output == "done", "\(run)")
        #expect(server.requests.map(\.bodyText) == ["abc", "abc"])
    }

    @Test func `a part from a small pipe gives the body a length`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let run = try await Sortie().shell("printf abc | \"$SORTIE\" send \(server.url) -F name=@-")
        let request = try #require(server.requests.first, "\(run)")
        #expect(request["Content-Length"] == String(request.body.count) && request.bodyText.contains("\r\n\r\nabc\r\n"))
    }

    @Test func `a pipe of more than 1 MiB is sent while it is read, and each byte once`() async throws {
        let server = try ScriptedServer(answering: .ok())
        let run = try await Sortie().shell("seq 1000000 1300000 | \"$SORTIE\" send \(server.url) -d @-")
        let request = try #require(server.requests.first, "\(run)")
        #expect(request["Transfer-Encoding"] == "chunked")
        #expect(request.bodyText == (1_000_000...1_300_000).map { "\($0)\n" }.joined())
    }
}
