internal import SortieHTTP
internal import SortieTerminal
package import WorkspaceModel

/// Comparing the history, sending generated requests, and serving a mock, by the descriptions of services.
struct ContractReportFeature: Feature {
    /// Which methods generated requests have.
    private enum Methods {
        static let safe = "safe ones"
        static let all = "all, which change data of the server"
    }

    let stacks: [[Context]] = [[.contractLines, .reading]]

    var bindings: [Binding] {
        [
            Binding(
                .contractLines, [.enter], .choose, "Open", "Open the endpoint, the exchange or the request of the selected lines", hint: 1),
            Binding(
                .everywhere, [], .contractCheck, "Contract drift", "Show the exchanges of the history that are not as the descriptions say",
                unless: Self.noContract
            ).alsoKnownAs("Contract check", "OpenAPI", "contract:"),
            Binding(
                .everywhere, [], .contractTest, "Contract test", "Send requests that the description of the open endpoint's service generates",
                unless: Self.noTest
            ).alsoKnownAs("Generated requests", "Fuzzing", "OpenAPI"),
            Binding(
                .everywhere, [], .contractMock, "Mock", "Serve the open endpoint's service on this machine, and show what it receives",
                unless: \.noEndpointReason
            ).alsoKnownAs("Mock server", "Stub", "Fake server"),
            Binding(
                .everywhere, [], .contractStop, "Stop the mock or the contract test", "End the mock server and the generated requests",
                unless: { state in state.contractOutputs.values.contains(where: \.isRunning) ? nil : "Neither is running" }),
        ]
    }

    private static let noContract: @Sendable (AppState) -> String? = { state in
        state.workspace.services.contains { $0.contract.map { $0.mode != .off } ?? false } ? nil : "No service has a contract"
    }

    private static let noTest: @Sendable (AppState) -> String? = { state in
        if let reason = state.noEndpointReason { return reason }
        guard let endpoint = state.openEndpoint, state.workspace.contract(of: endpoint) == nil else { return nil }
        return "The endpoint has no contract"
    }

    func perform(_ command: Command, _ state: inout AppState) -> [Effect]? {
        switch command {
        case .contractCheck: return Self.start(ContractReportJob(report: .check, subject: state.workspace.name), &state)
        case .contractTest:
            guard !show(.test, &state), let endpoint = state.openEndpoint else { return [] }
            askForCount(endpoint, &state)
            return []
        case .contractMock:
            guard !show(.mock, &state), let endpoint = state.openEndpoint else { return [] }
            let contracts = state.workspace.services.compactMap(\.contract).filter { $0.mode != .off }
            // A description with a URL may not have been fetched.
            let isStrict = !contracts.isEmpty && contracts.allSatisfy { $0.file != nil }
            return Self.start(
                ContractReportJob(report: .mock, subject: endpoint.serviceName, isStrict: isStrict, environment: state.environment), &state)
        case .contractStop:
            state.stopJobs { ($0 as? ContractReportJob).map { $0.report != .check } ?? false }
            for report in state.contractOutputs.keys { state.contractOutputs[report]?.end() }
            state.notify("Stopped")
            return []
        default: return nil
        }
    }

    /// Shows the output of a command that runs; false where none does.
    private func show(_ report: ContractReport, _ state: inout AppState) -> Bool {
        guard state.contractOutputs[report]?.isRunning == true else { return false }
        state.popups.show(ContractReportPopup(report: report))
        return true
    }

    private func askForCount(_ endpoint: Endpoint, _ state: inout AppState) {
        let rows: [Form.Row] = [
            .init("Most requests", "20", placeholder: "a number"), .init("Methods", Methods.safe, of: [Methods.safe, Methods.all]),
        ]
        let hasChanges = state.drafts[endpoint.id]?.isEdited == true
        let title = "Generated requests for \(endpoint.target)" + (hasChanges ? " as it was saved" : "")
        let form = Form(title, rows, guide: "contracts#generated-requests") { form, state throws(FormProblem) in
            guard let limit = Int(form.text("Most requests")), (1...10_000).contains(limit) else {
                throw FormProblem("write a number from 1 to 10000", at: "Most requests")
            }
            let sendsUnsafe = form.text("Methods") == Methods.all
            guard sendsUnsafe || endpoint.method.isSafe else {
                throw FormProblem("\(endpoint.method) is not a safe method; choose all to send it", at: "Methods")
            }
            state.popups.pop()
            let job = ContractReportJob(
                report: .test, subject: endpoint.target, endpoint: endpoint, environment: state.environment, limit: limit, sendsUnsafe: sendsUnsafe)
            return Self.start(job, &state)
        }
        state.popups.push(form)
    }

    private static func start(_ job: ContractReportJob, _ state: inout AppState) -> [Effect] {
        state.stopJobs { ($0 as? ContractReportJob)?.report == job.report }
        state.contractOutputs[job.report] = ContractOutput(subject: job.subject)
        state.popups.show(ContractReportPopup(report: job.report))
        return state.start(job)
    }
}

extension Command {
    static let contractCheck = Command.named("contractCheck")
    static let contractTest = Command.named("contractTest")
    static let contractMock = Command.named("contractMock")
    static let contractStop = Command.named("contractStop")
}

/// Running a command about descriptions, whose lines are shown.
package struct ContractReportJob: WorkJob {
    package let report: ContractReport
    /// What is tested or served.
    package let subject: String
    /// The endpoint that is tested.
    package var endpoint: Endpoint?
    /// Whether a mock refuses what the descriptions of services do not permit.
    package var isStrict = false
    package var environment: String?
    /// The most generated requests.
    package var limit = 0
    /// Whether methods are sent that change data of the server.
    package var sendsUnsafe = false

    package static let mayRunHooks = true

    static func isLast(_ outcome: ContractOutput) -> Bool { !outcome.isRunning }

    var sent: [SentByEffect] { endpoint.map { [.endpoint($0, environment: environment)] } ?? [.descriptions] }

    func refused(_ problem: Diagnostic) -> ContractOutput? {
        var output = ContractOutput(subject: subject)
        output.end((report == .test ? "Not sent: " : "") + problem.workbenchSentence)
        return output
    }

    func finish(_ outcome: ContractOutput, _ state: inout AppState) -> [Effect] {
        // The question for permission took the place of the popup.
        let isHidden = state.contractOutputs[report]?.lines.isEmpty == true && state.popups.isEmpty
        state.contractOutputs[report] = outcome
        if isHidden { state.popups.show(ContractReportPopup(report: report)) }
        return []
    }
}

/// The output of a command about descriptions, in a popup that can be closed while the command runs.
struct ContractReportPopup: ReadingPopup {
    var report: ContractReport
    var position = ReadingPosition()

    var name: String { "the lines" }
    var contexts: [Context] { position.entry == nil ? [.contractLines, .reading] : Context.typingSearch }
    var guideAddress: String? { report == .mock ? "mock" : "contracts#in-commands" }

    func text(width: Int, _ state: AppState) -> ReadingText {
        let output = state.contractOutputs[report]
        let lines = output?.lines ?? []
        let wait = output?.isRunning == true ? lines.isEmpty ? "…" : " · running; \(state.key(.palette)) “stop” ends it" : ""
        let subtitle = (output?.subject ?? "") + (report == .check && !lines.isEmpty ? "" : wait)
        var text = ReadingText(title: report.title, subtitle: subtitle, lines: [])
        text.add(lines, width: width, state) { line in
            line.hasPrefix("✗") ? .error : line.hasPrefix(" ") ? .muted : .text
        } about: { line, further in
            subject(of: line, further)
        }
        return text
    }

    /// What a line with the indented ones after it is about; nil for nothing.
    private func subject(of line: String, _ further: [String]) -> ContractSubject? {
        let words = line.split(separator: " ").map(String.init)
        switch report {
        case .check: return further.isEmpty ? nil : words.first.flatMap { Int64($0) }.map { .exchange($0) }
        case .test where line.hasPrefix("✗"):
            let commands = further.map { $0.trimmingPrefix("    ") }.filter { !$0.hasPrefix("#") }
            return commands.isEmpty ? nil : .commands(commands.joined(separator: "\n"))
        case .test:
            return words.count == 4 && words[3].hasPrefix("request") ? .endpoint(target: "", method: words[0], path: words[1]) : nil
        // A request of a path without an endpoint has a line without its name.
        case .mock: return words.count > 5 && words[3] != "-" ? .endpoint(target: words[3], method: words[3], path: words[4]) : nil
        }
    }

    func plainText(_ state: AppState) -> String { state.redaction.masked((state.contractOutputs[report]?.lines ?? []).joined(separator: "\n")) }
}
