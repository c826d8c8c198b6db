internal import HistoryModel
internal import SortieHTTP
internal import SortieTerminal
internal import WorkspaceModel

/// A run in one environment, as shown on the runs tab.
struct RunView: Sendable {
    /// The limits of kept response bodies in bytes and of kept steps.
    ///
    /// Failed steps are kept longer than others.
    static let keptBytes = 32 << 20
    static let keptSteps = 200

    enum Phase: Hashable, Sendable {
        /// The run is shown without having been started.
        case idle
        /// The run waits for its end in the environments before it.
        case queued
        case starting, running, cancelling, ended
        case notStarted(String)
    }

    /// Nil for a run that an earlier session left unfinished.
    var id: RunID?
    let name: String
    var phase: Phase
    /// Whether no further step is sent.
    private(set) var isPaused = false
    /// Its steps change in place; ``begin(_:)`` replaces it.
    var record: RunRecord?
    /// The width of the widest step name, cached because a run can have many steps.
    private(set) var nameWidth = 0
    var environment: String?
    var progress: [Int: CallProgress] = [:]
    /// The exchanges of steps, as far as they are kept.
    private(set) var exchanges: [Int: Exchange] = [:]
    /// The exchanges that this start of the run sent, by the name of the step, because indices change.
    private(set) var sent: [String: RequestID] = [:]
    /// How the responses differ from those of the previous run, by the name of the step; empty until they are compared.
    private(set) var differences: [String: RunComparison.Result] = [:]
    private var kept: [Int] = []
    private var bytes = 0
    /// The limit of kept response bodies; a run in several environments divides it.
    var bytesLimit = RunView.keptBytes
    private var startedAt: Double?
    private(set) var elapsed = 0.0
    var selected = 0
    /// Whether the selection follows the running step, until the user moves it.
    var follows = true

    init(id: RunID?, name: String, phase: Phase, record: RunRecord? = nil, environment: String? = nil) {
        self.id = id
        self.name = name
        self.phase = phase
        self.record = record
        self.environment = environment
        nameWidth = Self.nameWidth(of: record)
        if let failed = record?.failedStep { selected = failed }
    }

    /// Whether it was cancelled while it waited for the run in another environment.
    private(set) var isCancelledBeforeStart = false

    /// Shows the steps of a run that starts.
    mutating func begin(_ record: RunRecord) {
        self.record = record
        nameWidth = Self.nameWidth(of: record)
    }

    /// Shows the steps that the run has since its file was changed; a step of the same name and endpoint keeps its result.
    mutating func take(_ new: RunRecord) {
        guard let old = record, !isUnderWay, zip(old.steps, new.steps).contains(where: { !$0.isSame(as: $1) }) || old.steps.count != new.steps.count
        else { return }
        let places = Dictionary(old.steps.enumerated().map { ($1.name, $0) }) { first, _ in first }
        let selectedName = old.steps.indices.contains(selected) ? old.steps[selected].name : nil
        var record = new
        (record.state, record.duration, record.environment) = (old.state, old.duration, old.environment)
        var moved: [Int: Int] = [:]
        for (index, step) in new.steps.enumerated() {
            guard let place = places[step.name], old.steps[place].isSame(as: step) else { continue }
            record.steps[index] = old.steps[place]
            moved[place] = index
        }
        record.failedStep = record.steps.firstIndex { $0.state == .failed }
        (exchanges, kept) = (exchanges.moved(by: moved), kept.compactMap { moved[$0] })
        bytes = exchanges.values.reduce(0) { $0 + ($1.response?.body.count ?? 0) }
        begin(record)
        selected = selectedName.flatMap { name in record.steps.firstIndex { $0.name == name } } ?? min(selected, max(0, record.steps.count - 1))
        follows = false
    }

    /// Applies an event of the run.
    mutating func receive(_ update: RunUpdate) {
        switch update {
        case .began(let record):
            begin(record)
            if phase == .starting || phase == .queued { phase = .running }
            selected = record.steps.firstIndex { !$0.isComplete } ?? 0
        case .step(let index, let step): change(index, step)
        case .expanded(let expansion): add(expansion)
        case .progressed(let index, let progress): self.progress[index] = progress
        case .exchanged(let index, let exchange):
            keep(exchange, of: index)
            if let record, record.steps.indices.contains(index) { sent[record.steps[index].name] = exchange.id }
        case .paused(let isPaused): self.isPaused = isPaused
        case .finished(let record):
            self.record = record
            phase = .ended
            isPaused = false
            progress = [:]
            if let failed = record.failedStep, follows { selected = failed }
        case .failedToStart(let sentence): phase = .notStarted(sentence)
        case .cancelledBeforeStart:
            phase = .notStarted("cancelled before its start")
            isCancelledBeforeStart = true
        }
    }

    /// Adds steps; what is kept of later steps gets their new indices.
    private mutating func add(_ expansion: RunExpansion) {
        guard record?.apply(expansion) == true else { return }
        for step in expansion.steps { nameWidth = max(nameWidth, CellWidth.width(of: step.name)) }
        selected = expansion.newIndex(of: selected)
        progress = Dictionary(uniqueKeysWithValues: progress.map { (expansion.newIndex(of: $0), $1) })
        exchanges = Dictionary(uniqueKeysWithValues: exchanges.map { (expansion.newIndex(of: $0), $1) })
        kept = kept.map(expansion.newIndex)
    }

    private mutating func change(_ index: Int, _ step: StepRecord) {
        guard record?.steps.indices.contains(index) == true else { return }
        record?.steps[index] = step
        if step.state == .failed, record?.failedStep == nil { record?.failedStep = index }
        if step.state.isEnd { progress[index] = nil }
        if follows, step.state == .sending { selected = index }
    }

    /// Updates the elapsed time.
    mutating func tick(_ now: Double) {
        guard isUnderWay else { return }
        let start = startedAt ?? now
        startedAt = start
        elapsed = max(0, now - start)
    }

    private static func nameWidth(of record: RunRecord?) -> Int {
        record?.steps.reduce(0) { max($0, CellWidth.width(of: $1.name)) } ?? 0
    }

    private func hasSteps(in isIncluded: (StepRecord.State) -> Bool) -> Bool { record?.steps.contains { isIncluded($0.state) } ?? false }

    var isUnderWay: Bool { phase == .starting || phase == .running || phase == .cancelling }

    /// The state of the whole run as text.
    var stateText: String {
        switch phase {
        case .idle: "not started"
        case .queued: "queued"
        case .starting: "starting"
        case .running where isPaused: hasSteps(in: { !$0.isEnd && $0 != .waiting }) ? "pausing" : "paused"
        case .running: "running"
        case .cancelling: "cancelling"
        case .ended: record?.state.rawValue ?? "ended"
        case .notStarted(let sentence): sentence
        }
    }

    /// Marks the steps whose responses differ from those of the previous run.
    mutating func compared(_ comparison: RunComparison) {
        differences = Dictionary(comparison.steps.map { ($0.name, $0.result) }) { $1 }
    }

    /// Keeps the exchange of a step, and drops the oldest ones beyond the limits.
    mutating func keep(_ exchange: Exchange, of step: Int) {
        forget(step)
        exchanges[step] = exchange
        kept.append(step)
        bytes += exchange.response?.body.count ?? 0
        while kept.count > RunView.keptSteps || bytes > bytesLimit, kept.count > 1 {
            let isFailed = { [record] (step: Int) in record?.steps[step].state == .failed }
            forget(kept.dropLast().first { !isFailed($0) } ?? kept[0])
        }
    }

    private mutating func forget(_ step: Int) {
        guard let exchange = exchanges.removeValue(forKey: step) else { return }
        bytes -= exchange.response?.body.count ?? 0
        kept.removeAll { $0 == step }
    }
}

extension StepRecord {
    /// Whether both stand for the same step of a run's file.
    fileprivate func isSame(as other: StepRecord) -> Bool { name == other.name && target == other.target }
}

extension [Int: Exchange] {
    /// The exchanges with the new indices of their steps, without those of steps that no longer exist.
    fileprivate func moved(by indices: [Int: Int]) -> Self {
        Dictionary(uniqueKeysWithValues: compactMap { index, exchange in indices[index].map { ($0, exchange) } })
    }
}
