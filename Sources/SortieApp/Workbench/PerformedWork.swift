internal import HistoryModel
internal import SortieHTTP
internal import SortieNetworking
internal import SortieStorage
internal import SortieWorkbench
internal import WorkspaceModel

/// The implementation of a job of the workbench with one result.
///
/// `PerformedWorkTests` finds jobs without one.
protocol PerformedWork: Work {
    /// Does the work on the blocking executor.
    ///
    /// - Returns: The result; nil where the work ended without one because it was cancelled.
    func perform(in runner: EffectRunner, _ cancellation: Cancellation) async -> Outcome?
}

/// The implementation of a job of the workbench that reports results before the last one.
protocol ReportingWork: Work {
    /// Does the work on the blocking executor; without a last result where it was cancelled.
    func perform(in runner: EffectRunner, _ cancellation: Cancellation, report: (Outcome) -> Void)
}

extension DryRunJob: PerformedWork {
    func perform(in runner: EffectRunner, _ cancellation: Cancellation) async -> DryRunOutcome? {
        do throws(Diagnostic) {
            let prepared = try await runner.requests.request(for: endpoint, environment, cancellation, isPreview: true)
            return .done(await runner.client.dryRun(prepared.request))
        } catch { return .failed(error) }
    }
}

extension LoadMoreJob: PerformedWork {
    func perform(in runner: EffectRunner, _ cancellation: Cancellation) async -> Result<Exchange, Diagnostic>? {
        do throws(Diagnostic) {
            let prepared = try await runner.requests.request(for: endpoint, environment, cancellation)
            return .success(await runner.client.exchange(prepared.request, onEvent: CallLog.observer(of: endpoint.target, runner.mailbox)))
        } catch { return .failure(error) }
    }
}

extension DescribedRequestJob: PerformedWork {
    func perform(in runner: EffectRunner, _ cancellation: Cancellation) async -> DescribedRequest? {
        do throws(Diagnostic) { return try runner.requests.contract(of: endpoint)?.describedRequest(of: endpoint) ?? DescribedRequest() } catch {
            // The comparison of the next response reports why the description cannot be read.
            return DescribedRequest()
        }
    }
}

extension RevealJob: PerformedWork {
    func perform(in runner: EffectRunner, _ cancellation: Cancellation) async -> RevealOutcome? {
        await runner.requests.values(ofSecrets: names, cancellation)
    }
}

extension SendMessageJob: PerformedWork {
    func perform(in runner: EffectRunner, _ cancellation: Cancellation) async -> JobOutcome? {
        await runner.calls.sendMessage(call, endpoint, environment, cancellation)
    }
}

extension PlanReplayJob: PerformedWork {
    func perform(in runner: EffectRunner, _ cancellation: Cancellation) async -> Result<ReplaySummary, Diagnostic>? {
        await runner.calls.planReplay(item.number, cancellation)
    }
}

extension RecordRunJob: PerformedWork {
    func perform(in runner: EffectRunner, _ cancellation: Cancellation) async -> Result<RunRecording, Diagnostic>? {
        guard let store = runner.history.store else { return .failure(Diagnostic(.nowhere, "Sortie was started without the history")) }
        do throws(WorkspaceError) {
            var exchanges: [PastExchange] = []
            for number in numbers {
                guard let past = try store.past(number) else { return .failure(Diagnostic(.nowhere, "number \(number) is no longer in the history")) }
                exchanges.append(past)
            }
            return .success(recording(of: exchanges))
        } catch { return .failure(Diagnostic(.nowhere, error.description, remedy: error.remedy)) }
    }
}

extension OpenFolderJob: PerformedWork {
    func perform(in runner: EffectRunner, _ cancellation: Cancellation) async -> JobOutcome? {
        await Desktop.open(folder, advice: "y copies the path", in: runner.program)
    }
}

extension OpenPageJob: PerformedWork {
    func perform(in runner: EffectRunner, _ cancellation: Cancellation) async -> JobOutcome? {
        await Desktop.open(page, advice: "u copies the address", in: runner.program)
    }
}

extension CheckWorkspaceJob: PerformedWork {
    func perform(in runner: EffectRunner, _ cancellation: Cancellation) async -> JobOutcome? {
        do throws(WorkspaceError) {
            _ = try WorkspaceFolder(path: folder, runner.program.folders).load()
            return .done("")
        } catch { return .failed("\(error)") }
    }
}

extension ChangeSettingJob: PerformedWork {
    func perform(in runner: EffectRunner, _ cancellation: Cancellation) async -> Result<Settings, Diagnostic>? {
        do throws(Diagnostic) { return .success(try SettingsFile.change(keys, to: value, runner.program.folders)) } catch { return .failure(error) }
    }
}

extension MoveToProjectJob: PerformedWork {
    func perform(in runner: EffectRunner, _ cancellation: Cancellation) async -> JobOutcome? {
        do throws(WorkspaceError) {
            let project = WorkspaceFolder(path: folder, runner.program.folders)
            let workspace = try project.load()
            guard let home = workspace.services.first?.folder else { return .failed("the workspace has no service yet; create one there first") }
            let environment = workspace.initialEnvironment ?? workspace.environments.first?.name
            let placed = RequestBuilder(workspace: workspace, environment: environment).placed(endpoint, home: home) { target in
                workspace.endpoint(target) != nil || workspace.problem(of: .endpoint(EndpointID(target))) != nil
            }
            let folder = FilePath.folder(of: FilePath.joining(runner.workspaceFolder, original.path))
            return .done("\(try project.save(placed, movedFrom: folder, of: runner.workspaceFolder).target).yaml")
        } catch { return .failed("\(error)") }
    }
}

extension DetachedDownloadsJob: PerformedWork {
    func perform(in runner: EffectRunner, _ cancellation: Cancellation) async -> DetachedDownloadListing? {
        DetachedDownloads.listing(request, in: runner.program)
    }
}
