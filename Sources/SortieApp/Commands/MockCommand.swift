internal import ArgumentParser
internal import Foundation
internal import SortieBase
internal import SortieDemoServer

/// `sortie mock`: serves the endpoints of a workspace on the loopback interface, without their servers.
struct MockCommand: AsyncProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "mock", abstract: "Serve the endpoints of a workspace or of an OpenAPI file locally, without their servers.",
        discussion: """
            A response is the first of the examples: of the endpoint whose request part matches, else the newest one in the history, else one that meets \
            expect:, else an empty JSON object with status 200. Variables in a path match one segment. A request with "Prefer: code=404" gets a response \
            of this status, one with "Prefer: example=NAME" the example of that name, in a type that Accept permits.

            An OpenAPI file has its examples, or values that its schemas describe. With --strict, a request that the file does not permit, or the \
            description of the endpoint's service (contract:), gets the status 400 and a list of what differs. Changed files are read again. With --verify, the calls that came are listed at the end: those of \
            examples with times:, and one of every other endpoint; the exit code is 1 where one is missing.

            With --state, POST to a collection such as /orders creates an item, which GET, PUT, PATCH and DELETE of /orders/ID return, change and remove, \
            and lists contain. A collection begins with the items of the example of its list. DELETE \(MockState.path) and changed files reset it.

            It listens on 127.0.0.1 and sends nothing; the workspace's commands, secrets and files are not used, except that descriptions outside of it are read with permission. Pages of this \
            machine (localhost) can read the responses; --allow-origin permits other origins, --no-cors permits none. Each request is one line. Ctrl-C ends it.
            """)

    @Argument(
        help: ArgumentHelp(
            "The folder of the workspace, by default the nearest one upward, or an OpenAPI file or another one that import reads.",
            valueName: "workspace|file"), completion: .file())
    var folder: String?

    @OptionGroup var source: WorkspaceFolderOption

    @Option(help: "The port; 0 takes a free one.")
    var port: UInt16 = 0

    @Option(help: ArgumentHelp("The time before each response, such as 200ms, or its distribution: p50=20ms,p99=2s.", valueName: "time"))
    var delay: String?

    @Option(help: ArgumentHelp("The share of requests that fail, such as 10%.", valueName: "share"))
    var fail: String?

    @Option(
        help: ArgumentHelp(
            "How they fail: status:N, reset (no response) or slow (ten times the delay, at least 5 s); by default status:503.", valueName: "fault"))
    var fault: String?

    @Option(
        help: ArgumentHelp(
            "The start of random failures and delays, and of random values of schemas in place of the simplest ones.", valueName: "number"))
    var seed: UInt64?

    @Option(
        name: .customLong("allow-origin"),
        help: ArgumentHelp("An origin whose pages may read the responses, beside those of this machine (repeat).", valueName: "origin"))
    var allowedOrigins: [String] = []

    @Flag(name: .customLong("no-cors"), help: "Do not permit pages of other origins to read the responses.")
    var noCORS = false

    @Flag(name: .customLong("no-history"), help: "Do not use recorded responses.")
    var noHistory = false

    @Flag(help: "Refuse requests that differ from the OpenAPI file or contract:, with the status 400 and the violations.")
    var strict = false

    @Flag(help: "Keep what requests create, change and delete, in memory; recorded responses are not used.")
    var state = false

    @Flag(help: "List the expected calls at the end, and exit with 1 where one is missing.")
    var verify = false

    @Flag(help: "Print one JSON object for each request.")
    var json = false

    @Flag(
        name: .customLong("trust"), help: "Permit the descriptions of contract: to be read outside of the workspace, for this command.")
    var isTrusted = false

    @Option(
        name: [.short, .customLong("environment")], help: "The environment whose servers give the paths' beginnings.", completion: .environment)
    var environment: String?

    func run(in program: ProgramContext) async throws {
        let delay = try self.delay.map { text in
            guard let delay = MockDelay(text) else { throw CommandFailure(.usage, "--delay \(text) is not a time", hint: MockDelay.form) }
            return delay
        }
        guard let share = MockFaults.share(fail ?? "0") else {
            throw CommandFailure(.usage, "--fail \(fail ?? "") is not a share of the requests", hint: "write a percentage from 0% to 100%, as in 10%")
        }
        let fault = fault ?? "status:503"
        guard let kind = MockFaults.Kind(fault) else {
            throw CommandFailure(.usage, "--fault \(fault) is not a fault", hint: "there are status:N with N from 200 to 599, reset and slow")
        }
        if self.fault != nil, fail == nil {
            throw CommandFailure(
                .usage, "--fault \(fault) is given without --fail", hint: "write the share of the requests that fail, as in --fail 10%")
        }
        let more = try allowedOrigins.map { text in
            guard let origin = MockOrigins.serialized(text) else {
                throw CommandFailure(
                    .usage, "--allow-origin \(text) is not an origin", hint: "write the scheme, the host and the port, as in https://app.example")
            }
            return origin
        }
        let (calls, origins) = (MockCalls(), MockOrigins(permitsOthers: !noCORS, more: Set(more)))
        let served = MockSource(
            path: try source.folder(or: folder), environment: environment, usesHistory: !noHistory && !state, isStrict: strict, keepsState: state,
            seed: seed, isTrusted: isTrusted)
        let current = MockResponders(try served.responder(calls, origins, in: program))
        let watch = served.watch(current.responder.folder, in: program) {
            do { current.responder = try served.responder(calls, origins, in: program) } catch let failure as CommandFailure {
                // The file that is invalid now may be corrected by the next change.
                failure.report(to: program.errors)
            } catch { program.errors.line("sortie: warning: \(error)") }
        }
        let faults = MockFaults(kind, share: share, delay: delay ?? .constant(.zero), seed: seed ?? 1)
        let json = json
        let server = DemoServer(port: port) { request in
            let start = ContinuousClock.now
            let fault = faults.next()
            let body = await request.body().map { Array($0) } ?? []
            var choice = current.responder.choice(request, body: body, in: program)
            var wait = choice.delay ?? faults.nextDelay()
            switch fault {
            case .status(let status)?:
                choice.reply.status = status
                choice.reply.headers.removeAll { !$0.0.lowercased().hasPrefix("access-control-") }
                choice.reply.headers.append(("Content-Type", "application/json"))
                choice.reply.body = Data("{\"error\":\"a fault of sortie mock --fail\"}\n".utf8)
            case .reset?: choice.reply.closesWithoutResponse = true
            case .slow?: wait = max(wait * 10, .seconds(5))
            case nil: break
            }
            // A cancelled wait is the end of the server, which closes the connection.
            if wait > .zero { do { try await Task.sleep(for: wait) } catch { choice.reply.closesWithoutResponse = true } }
            let line = MockLine(request: request, choice: choice, hasFault: fault != nil, duration: ContinuousClock.now - start)
            program.output.write((json ? line.record.text : line.text) + "\n", isEndless: !verify)
            return choice.reply
        }
        let listening: UInt16
        do { listening = try await server.start() } catch {
            throw CommandFailure(.network, name: "cannotListen", "\(error)", hint: "choose another port with --port N")
        }
        await Interruption.wait(in: program) { program.output.write("listening on http://127.0.0.1:\(listening)\n", isEndless: !verify) }
        await server.stop()
        withExtendedLifetime(watch) {}
        if verify { try report(calls.expected(by: current.responder.routes.routes), to: program) }
    }

    private func report(_ expected: [MockCalls.Expected], to program: ProgramContext) throws {
        for call in expected {
            let record: JSONValue = [
                "endpoint": .string(call.target), "example": .optional(call.example), "count": .integer(call.count),
                "expected": .integer(call.wanted),
            ]
            program.output.write((json ? record.text : VisibleLine.of(call.text)) + "\n")
        }
        let missing = expected.count(where: \.isMissing)
        guard missing > 0 else { return }
        throw CommandFailure(.response, name: "verify", "\(missing) of \(expected.count) expected calls did not come")
    }
}
