internal import HistoryModel
internal import SortieHTTP
internal import SortieStorage
internal import SortieWorkbench
internal import WorkspaceModel

internal import struct Foundation.Date

/// Replays exchanges of the history in the workbench.
struct ReplayEffects: Sendable {
    let history: HistoryEffects
    let setup: ReplaySetup
    /// The cancellation for resolving the request of a call that has not started; nil when the call was cancelled.
    let cancellation: @Sendable (CallID) -> Cancellation?
    /// Ends a call that has not started, unless it was cancelled.
    let refuse: @Sendable (CallID, Diagnostic) -> Void
    /// Sends a request as this call, unless it was cancelled, and returns when it has ended.
    let send: @Sendable (CallID, PreparedRequest) async -> Void

    /// Determines what a replay of an exchange would do.
    ///
    /// - Parameter promptValues: What the user entered for its prompts, by label.
    /// - Returns: Nil when it is cancelled.
    func summary(
        of number: Int64, promptValues: [String: String], _ cancellation: Cancellation
    ) async -> Result<ReplaySummary, Diagnostic>? {
        do throws(Diagnostic) {
            let past = try past(number)
            let plan = await plan(past, promptValues: promptValues, cancelledBy: cancellation)
            guard !cancellation.isCancelled else { return nil }
            var summary = ReplaySummary(past, plan)
            if !plan.missing.isEmpty { summary.prompts = setup.secretPrompts(of: past).filter { promptValues[$0.label] == nil } }
            return .success(summary)
        } catch { return .failure(error) }
    }

    /// The request of an exchange; nil when the history does not have it any more.
    ///
    /// - Parameter promptValues: What the user entered for its prompts, by label.
    func request(
        of number: Int64, promptValues: [String: String], cancelledBy cancellation: Cancellation
    ) async throws(Diagnostic) -> PreparedRequest? {
        guard let past = try find(number) else { return nil }
        return try await request(of: past, promptValues: promptValues, cancelledBy: cancellation)
    }

    private func request(
        of past: PastExchange, promptValues: [String: String], cancelledBy cancellation: Cancellation
    ) async throws(Diagnostic) -> PreparedRequest {
        let plan = await plan(past, promptValues: promptValues, cancelledBy: cancellation)
        if plan.refusal != nil, promptValues.isEmpty, let question = setup.secretPrompts(of: past).first {
            let number = past.item.number
            throw Diagnostic(Self.place, "number \(number) needs “\(question.label)”, which is not stored; replay it alone to enter it")
        }
        if let refusal = plan.refusal { throw Diagnostic(Self.place, "number \(past.item.number): \(refusal)") }
        var opened = plan
        if past.item.kind == .webSocket { opened.request.kind = .webSocket }
        return try setup.request(of: opened, for: past)
    }

    private func plan(
        _ past: PastExchange, promptValues: [String: String], cancelledBy cancellation: Cancellation
    ) async -> ReplayPlan {
        var plan = await setup.plan(past, promptValues: promptValues, cancelledBy: cancellation)
        if let folder = past.item.workspace, folder != setup.workspace.folder {
            plan.missing.append("it belongs to the workspace \(folder); Open workspace in the palette opens that one")
        }
        return plan
    }

    /// Replays exchanges in this order.
    ///
    /// - Parameter promptValues: What the user entered for the prompts of each exchange, by number and label.
    func replay(_ ids: [CallID], _ numbers: [Int64], promptValues: [Int64: [String: String]], pace: ReplayPace) async {
        let pairs = Array(zip(ids, numbers))
        switch pace {
        case .inOrder:
            for (id, number) in pairs { await replay(id, number, promptValues[number] ?? [:], isAlone: pairs.count == 1) }
        case .original:
            let began = ContinuousClock.now
            let dates = numbers.map { date(of: $0) }
            let first = dates.compactMap { $0 }.min()
            await withTaskGroup(of: Void.self) { group in
                for ((id, number), date) in zip(pairs, dates) {
                    let delay = first.flatMap { date?.timeIntervalSince($0) } ?? 0
                    group.addTask {
                        // Interrupted only when the program ends; the request then ends like all others.
                        do { try await ContinuousClock().sleep(until: began.advanced(by: .seconds(delay))) } catch {}
                        await replay(id, number, promptValues[number] ?? [:], isAlone: pairs.count == 1)
                    }
                }
            }
        }
    }

    private func replay(_ id: CallID, _ number: Int64, _ promptValues: [String: String], isAlone: Bool) async {
        guard let cancellation = cancellation(id) else { return }
        do throws(Diagnostic) {
            let past = try past(number)
            guard past.item.kind != .download else {
                throw Diagnostic(Self.place, "number \(number) is a download; choose it alone to download it again")
            }
            guard past.item.kind != .webSocket || isAlone else {
                throw Diagnostic(Self.place, "number \(number) is a WebSocket connection; choose it alone to open it again")
            }
            await send(id, try await request(of: past, promptValues: promptValues, cancelledBy: cancellation))
        } catch {
            refuse(id, error)
        }
    }

    /// The start of an exchange; nil when it cannot be read, which is reported when it is its turn.
    private func date(of number: Int64) -> Date? {
        do throws(Diagnostic) { return try past(number).exchange.startedAt } catch { return nil }
    }

    private func past(_ number: Int64) throws(Diagnostic) -> PastExchange {
        guard let past = try find(number) else { throw Diagnostic(Self.place, "number \(number) is no longer in the history") }
        return past
    }

    private func find(_ number: Int64) throws(Diagnostic) -> PastExchange? {
        guard let store = history.store else { throw Diagnostic(Self.place, "Sortie was started without the history") }
        do throws(WorkspaceError) { return try store.past(number) } catch { throw Diagnostic(Self.place, error.description, remedy: error.remedy) }
    }

    private static let place = SourceLocation(file: "history")
}

extension ReplaySummary {
    /// The summary of a plan for the user.
    fileprivate init(_ past: PastExchange, _ plan: ReplayPlan) {
        var download: QueuedTransfer?
        if past.item.kind == .download {
            let request = past.exchange.request
            var endpoint = request.origin?.endpoint ?? Endpoint(target: past.item.url, name: past.item.url, path: past.item.url)
            endpoint.kind = .download
            let masked = request.origin == nil ? past.masks.request : past.masks.endpoint
            download = QueuedTransfer(
                endpoint, environment: past.item.environment, destination: past.file, replays: past.item.number,
                isMasked: masked.contains(where: \.isSent))
        }
        self.init(
            number: past.item.number, title: "\(past.item.shownMethod) \(past.item.url)", fresh: plan.fresh, changed: plan.changed,
            missing: plan.missing,
            target: past.item.target, kind: past.item.kind, download: download)
    }
}
