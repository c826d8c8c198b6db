internal import Model
internal import Networking
internal import Storage
internal import Workbench

internal import struct Foundation.Date

/// Exchanges of the history that the workbench sends again.
struct ReplayEffects: Sendable {
    let history: HistoryEffects
    let mailbox: Mailbox
    let setup: ReplaySetup
    /// Sends a request as a call of this identity, unless that was cancelled, and returns when it has ended.
    let send: @Sendable (CallID, Request) async -> Void

    /// Finds out what sending an exchange again means.
    func plan(_ job: JobID, _ number: Int64) {
        do throws(Problem) {
            let past = try past(number)
            mailbox.post(.replayPlanned(job, ReplaySummary(past, plan(past))))
        } catch {
            mailbox.post(.replayRefused(job, error.message))
        }
    }

    /// The request of an exchange; nil where the history does not have it any more.
    func request(of number: Int64) throws(Problem) -> Request? { try find(number).map { past throws(Problem) in try request(of: past) } }

    private func request(of past: PastExchange) throws(Problem) -> Request {
        let plan = plan(past)
        if let refusal = plan.refusal { throw Problem(Self.place, "number \(past.item.number): \(refusal)") }
        return plan.request
    }

    private func plan(_ past: PastExchange) -> ReplayPlan {
        var plan = setup.plan(past)
        if let folder = past.item.workspace, folder != setup.workspace.folder {
            plan.missing.append("it belongs to the workspace \(folder); open that one, or use sortie history replay \(past.item.number)")
        }
        return plan
    }

    /// Sends exchanges again, in this order.
    func replay(_ ids: [CallID], _ numbers: [Int64], pace: ReplayPace) async {
        let pairs = Array(zip(ids, numbers))
        switch pace {
        case .inOrder:
            for (id, number) in pairs { await replay(id, number, first: nil) }
        case .original:
            let began = (ContinuousClock.now, firstDate(of: numbers))
            await withTaskGroup(of: Void.self) { group in
                for (id, number) in pairs { group.addTask { await replay(id, number, first: began) } }
            }
        }
    }

    private func replay(_ id: CallID, _ number: Int64, first: (began: ContinuousClock.Instant, then: Date?)?) async {
        do throws(Problem) {
            let past = try past(number)
            guard past.item.kind != .download else {
                throw Problem(Self.place, "number \(number) is a download; choose it alone to download it again")
            }
            if let first, let then = first.then {
                let moment = first.began.advanced(by: .seconds(max(0, past.exchange.startedAt.timeIntervalSince(then))))
                // Cut short only where the program ends; the request then ends as all others do.
                do { try await ContinuousClock().sleep(until: moment) } catch {}
            }
            await send(id, try request(of: past))
        } catch {
            mailbox.post(.callFailedToStart(id, error))
        }
    }

    private func firstDate(of numbers: [Int64]) -> Date? {
        numbers.compactMap { number in
            do throws(Problem) { return try past(number).exchange.startedAt } catch { return nil }
        }.min()
    }

    private func past(_ number: Int64) throws(Problem) -> PastExchange {
        guard let past = try find(number) else { throw Problem(Self.place, "the history has no number \(number) any more") }
        return past
    }

    private func find(_ number: Int64) throws(Problem) -> PastExchange? {
        guard let store = history.store else { throw Problem(Self.place, "the history is switched off by --no-history") }
        do throws(WorkspaceError) { return try store.past(number) } catch { throw Problem(Self.place, error.description) }
    }

    private static let place = SourceLocation(file: "history")
}

extension ReplaySummary {
    /// What a plan means to a person.
    fileprivate init(_ past: PastExchange, _ plan: ReplayPlan) {
        var download: QueuedTransfer?
        if past.item.kind == .download {
            let request = past.exchange.request
            var endpoint = request.origin?.endpoint ?? Endpoint(target: past.item.url, name: past.item.url, path: past.item.url)
            endpoint.kind = .download
            download = QueuedTransfer(endpoint, environment: past.item.environment, destination: past.file, replays: past.item.number)
        }
        self.init(
            number: past.item.number, title: "\(past.item.method) \(past.item.url)", fresh: plan.fresh, changed: plan.changed, missing: plan.missing,
            target: past.item.target, kind: past.item.kind, download: download)
    }
}
