internal import Foundation
internal import HistoryModel
internal import Interchange
internal import SortieBase
internal import SortieHTTP
internal import SortieNetworking
internal import WorkspaceModel

/// Resolves endpoints, runs and exchanges for an export, for the command and the workbench; nothing is run or asked for.
struct WorkspaceExport {
    let workspace: Workspace
    let environment: String?
    /// The variables of the command line.
    private let overrides: [String: String]
    /// The names of ``overrides`` whose values are not written.
    private let hidden: Set<String>
    private let resolver: ExportResolver

    /// - Parameters:
    ///   - overrides: Variables of the command line.
    ///   - hidden: Their names whose values a program does not contain.
    ///   - isProgram: Whether the format is a program, which can have values that are known only when it runs.
    init(
        _ workspace: Workspace, environment: String?, overrides: [String: String] = [:], hiding hidden: Set<String> = [], isProgram: Bool = false
    ) {
        (self.workspace, self.environment, self.overrides, self.hidden) = (workspace, environment, overrides, hidden)
        resolver = ExportResolver(
            workspace: workspace, environment: environment, overrides: overrides, isProgram: isProgram, builtin: Self.builtin)
    }

    /// The requests of endpoints, without those that cannot be resolved, which are in ``ExportSource/failures``.
    ///
    /// - Throws: The reason where none of them can be exported.
    func source(_ name: String, _ all: [Endpoint]) throws(Diagnostic) -> ExportSource {
        var unread: [String] = []
        // Before the credentials are replaced, which the files can have as well.
        let exported = all.filter { Self.isExported($0) }.map { $0.withExampleFiles(in: workspace.folder, &unread) }
        if let other = all.first, exported.isEmpty { throw Self.notExported(other) }
        let values = RunOnlyValues(workspace, environment: environment, overrides: overrides)
        var resolver = resolver
        resolver.isOutside = { [workspace] name, user in values.ofChains[name] != nil || workspace.captures(name, for: user) }
        func item(_ endpoint: Endpoint, _ variables: [String]) throws(Diagnostic) -> ExportSource.Item {
            try resolver.item(for: endpoint, captured: variables, given: Array(values.ofSteps(endpoint).keys))
        }
        var (endpoints, items, failures): ([Endpoint], [ExportSource.Item], [Diagnostic]) = ([], [], [])
        for endpoint in exported {
            do throws(Diagnostic) {
                items.append(try item(endpoint, []))
                endpoints.append(endpoint)
            } catch {
                failures.append(error)
            }
        }
        if items.isEmpty, let first = failures.first { throw first }
        let variables = replaceable { (names) throws(Diagnostic) in
            for endpoint in endpoints { _ = try item(endpoint, names) }
        }
        if !variables.isEmpty { items = try endpoints.map { (endpoint) throws(Diagnostic) in try item(endpoint, variables) } }
        var source = source(name, items, variables)
        source.failures = failures
        source.notes += unread + all.filter { !Self.isExported($0) }.map { Self.notExported($0).message }
        for (endpoint, item) in zip(endpoints, source.items) {
            let used = Set(item.environmentVariables)
            var places = values.ofSteps(endpoint).filter { used.contains(ExportResolver.environmentVariable(of: $0.key)) }
                .mapValues { "has its value in the run \($0)" }
            for name in item.outside where places[name] == nil {
                let place = values.ofChains[name].map { "has its value in the run \($0)" }
                places[name] =
                    place ?? workspace.endpoint(ofEarlier: name, for: endpoint).map { "is a value of a response of \($0.target)" }
                    ?? "is a value of a response"
            }
            for (name, place) in places.sorted(by: { $0.key < $1.key }) {
                source.notes.append("\(endpoint.target): {{\(name)}} \(place); here it is a variable that you set")
            }
        }
        return source
    }

    /// Whether other formats have the request; they have no messages of gRPC and of WebSocket connections.
    private static func isExported(_ endpoint: Endpoint) -> Bool { endpoint.grpc == nil && !endpoint.opensWebSocket }

    /// The error for an endpoint that is not exported.
    private static func notExported(_ endpoint: Endpoint) -> Diagnostic {
        Diagnostic(
            endpoint.location ?? SourceLocation(file: endpoint.target),
            "\(endpoint.target) \(endpoint.grpc == nil ? "is a WebSocket connection" : "calls a method of gRPC"), whose messages cannot be exported; "
                + "it is omitted")
    }

    /// The requests of a run's steps.
    ///
    /// - Parameters:
    ///   - rows: The rows of its data for a program.
    ///   - start: The step up to which the steps of a chain run once for each user of a load test.
    func source(of run: RunDefinition, rows: [[String: String]]? = nil, start: String? = nil) throws(Diagnostic) -> ExportSource {
        let columns = (run.dataColumns ?? []) + (rows.map { Array(Set($0.flatMap(\.keys)).sorted()) } ?? [])
        var unread: [String] = []
        var endpoints: [String: Endpoint] = [:]
        for step in run.steps where endpoints[step.target] == nil {
            endpoints[step.target] = workspace.endpoint(step.target)?.withExampleFiles(in: workspace.folder, &unread)
        }
        let variables = replaceable { (names) throws(Diagnostic) in _ = try steps(of: run, endpoints, columns: columns + names) }
        var source = source(run.name, try steps(of: run, endpoints, columns: columns + variables), variables)
        source.notes += unread
        source.run = .init(run, rows: rows, start: start)
        for step in run.steps {
            if let note = note(about: step) { source.notes.append("\(step.name): \(note)") }
        }
        for number in Set(run.steps.compactMap(\.group?.number)).sorted() {
            let names = run.steps.filter { $0.group?.number == number }.map(\.name)
            source.notes.append("\(names.joined(separator: ", ")): parallel is not exported; the requests are sent one after the other")
        }
        return source
    }

    /// What an export does not have of the conditions and the loop of a step; nil for nothing.
    private func note(about step: RunDefinition.Step) -> String? {
        // A program sends the request for each item.
        let isLoop = resolver.isProgram && step.exportedLoop != nil
        var keys = step.conditions.isEmpty ? [] : ["if"]
        var value = ""
        switch step.loop {
        case .repeats: keys.append("while")
        case .forEach(let variable, _) where !isLoop:
            keys.append("forEach")
            let hasItems = step.exportedLoop != nil
            value = hasItems ? " with the first item" : " with the value of \(ExportResolver.environmentVariable(of: variable))"
        case nil, .forEach: break
        }
        if keys.isEmpty { return nil }
        return "\(keys.joined(separator: " and ")) is not exported; the request is sent \(isLoop ? "in any case" : "once")\(value)"
    }

    /// - Parameter endpoints: The endpoints of the steps, by their targets, with the files of their examples.
    private func steps(of run: RunDefinition, _ endpoints: [String: Endpoint], columns: [String]) throws(Diagnostic) -> [ExportSource.Item] {
        var captured = columns
        var items: [ExportSource.Item] = []
        for step in run.steps {
            guard let endpoint = endpoints[step.target] else {
                throw Diagnostic(
                    step.location ?? SourceLocation(file: "runs/\(run.name)"), "there is no endpoint “\(step.target)”", remedy: .listedTargets)
            }
            if !Self.isExported(endpoint) { throw Self.notExported(endpoint) }
            // `with: {number: "{{number}}"}` is the value of the row.
            var variables = step.variables.filter { $0.value != "{{\($0.key)}}" }
            var (used, given): ([String], [String]) = (captured, [])
            if let variable = step.loop?.variable, variables[variable] == nil {
                used.removeAll { $0 == variable }
                switch step.exportedLoop {
                // The loop of a program sets the value.
                case .some where resolver.isProgram: used.append(variable)
                case (_, let items)? where !items.isEmpty: variables[variable] = Template.quoting(items[0])
                case .some, nil: given = [variable]
                }
            }
            used.removeAll { variables[$0] != nil }
            var item = try resolver.item(for: endpoint, variables: variables, captured: used, given: given, expectation: step.expectation)
            item.name = step.name
            let own = Set(step.captures.map(\.name))
            item.captures = endpoint.captures.filter { !own.contains($0.name) } + step.captures
            if run.kind == .chain { captured += item.captures.map { "\(step.name).\($0.name)" } }
            items.append(item)
        }
        return items
    }

    /// The variables of the command line that a program can replace; others are part of a host, whose text a placeholder cannot be.
    private func replaceable(_ attempt: ([String]) throws(Diagnostic) -> Void) -> [String] {
        guard resolver.isProgram else { return [] }
        return overrides.filter { Template($0.value).isPlain }.keys.sorted().filter { name in
            do throws(Diagnostic) { try attempt([name]) } catch { return false }
            return true
        }
    }

    private func source(_ name: String, _ items: [ExportSource.Item], _ variables: [String]) -> ExportSource {
        var source = Self.source(name, workspace, environment, items)
        for name in variables { source.variables[name] = overrides[name] ?? "" }
        source.hiddenVariables = hidden
        return source
    }

    /// The requests of exchanges of the history, with their responses.
    ///
    /// - Parameter redaction: The additional masking of the recorded exchanges.
    static func source(of exchanges: [PastExchange], redaction: Redaction) throws -> ExportSource {
        let items = try exchanges.map { past in
            if let missing = past.missingRequestBody {
                throw CommandFailure(.file, name: "missingBody", "the body of the request \(past.item.number) is missing: \(missing)")
            }
            return (name: "history/\(past.item.number)", exchange: past.exchange)
        }
        return try source(of: items, redaction: redaction)
    }

    /// The requests of exchanges, in which secrets are masked, with their responses.
    static func source(of exchanges: [(name: String, exchange: Exchange)], redaction: Redaction) throws -> ExportSource {
        let workspace = Workspace(name: "history", folder: ".")
        let resolver = ExportResolver(workspace: workspace, environment: nil, builtin: builtin)
        let items = try exchanges.map { name, exchange in
            var item = try resolver.item(recorded: exchange.request, named: name)
            item.exchange = exchange
            return item
        }
        let name = exchanges.count == 1 ? items[0].name : "history"
        var source = source(name, workspace, nil, items)
        source.redaction = redaction
        return source
    }

    private static func source(_ name: String, _ workspace: Workspace, _ environment: String?, _ items: [ExportSource.Item]) -> ExportSource {
        var source = ExportSource(name: name, workspace: workspace, environment: environment, items: items)
        source.version = NetworkingVersion.current
        return source
    }

    /// The built-in values that an export contains; the resolver makes placeholders of the others.
    @Sendable private static func builtin(_ name: String, _ argument: String) throws(TemplateError) -> String? {
        switch name {
        case "uuid": UUID().uuidString.lowercased()
        case "timestamp": String(Int(Date().timeIntervalSince1970))
        case "date": DateTemplate.text(Date(), format: argument)
        case "random": String(Int.random(in: 0..<max(1, Int(argument) ?? 1_000_000)))
        case "file":
            throw TemplateError("{{$file \(argument)}} is not read for an export; use a variable in its place, or a body of the kind file")
        default: nil
        }
    }
}

/// The names of the values that endpoints have only in runs, each with the name of a run.
private struct RunOnlyValues {
    /// The captured values of chains.
    private(set) var ofChains: [String: String] = [:]
    /// The variables of the steps that send an endpoint, and the columns of the data, by target.
    private var ofTargets: [String: [String: String]] = [:]
    /// The names that have a value outside of runs.
    private var known: Set<String>

    init(_ workspace: Workspace, environment: String?, overrides: [String: String]) {
        known = Set(overrides.keys).union(workspace.variables(of: environment).keys).union(workspace.variables.keys)
        known.formUnion(workspace.secrets.keys)
        known.formUnion(workspace.publicParameters.map(\.name))
        for run in workspace.runs {
            for step in run.steps {
                for name in Array(step.variables.keys) + (run.dataColumns ?? []) where ofTargets[step.target]?[name] == nil {
                    ofTargets[step.target, default: [:]][name] = run.name
                }
                guard run.kind == .chain else { continue }
                for capture in (workspace.endpoint(step.target)?.captures ?? []) + step.captures where ofChains["\(step.name).\(capture.name)"] == nil
                {
                    ofChains["\(step.name).\(capture.name)"] = run.name
                }
            }
        }
    }

    /// The values that an endpoint has as a step, and not from its own variables or those of the workspace.
    func ofSteps(_ endpoint: Endpoint) -> [String: String] {
        (ofTargets[endpoint.target] ?? [:]).filter { !known.contains($0.key) && endpoint.variables[$0.key] == nil }
    }
}
