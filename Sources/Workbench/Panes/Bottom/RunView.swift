internal import Model
internal import Terminal

/// One run as the Runs pane shows it: under way, or as it was left.
struct RunView: Sendable {
    /// How many bytes of answers are kept to be looked at, and of how many steps; failed steps are kept before others.
    static let keptBytes = 32 << 20
    static let keptSteps = 200

    enum Phase: Hashable, Sendable {
        /// Only looked at.
        case idle
        case starting, running, cancelling, ended
        case notStarted(String)
    }

    /// Nil for one that an earlier program left.
    var id: RunID?
    let name: String
    var phase: Phase
    /// Its steps change in place; ``begin(_:)`` replaces it.
    var record: RunRecord?
    /// How wide the widest name of a step is; of many steps it is not measured for each drawing.
    private(set) var nameWidth = 0
    var environment: String?
    var progress: [Int: Progress] = [:]
    /// What steps sent and got, where it is still kept.
    private(set) var exchanges: [Int: Exchange] = [:]
    private var kept: [Int] = []
    private var bytes = 0
    var startedAt: Double?
    var elapsed = 0.0
    var selected = 0
    /// Whether the selection goes along with what runs, until the person moves it.
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

    /// Shows the steps of a run that begins.
    mutating func begin(_ record: RunRecord) {
        self.record = record
        nameWidth = Self.nameWidth(of: record)
    }

    private static func nameWidth(of record: RunRecord?) -> Int {
        record?.steps.reduce(0) { max($0, CellWidth.width(of: $1.name)) } ?? 0
    }

    var isUnderWay: Bool { phase == .starting || phase == .running || phase == .cancelling }

    /// How far the whole is, in words.
    var stateText: String {
        switch phase {
        case .idle: "not started"
        case .starting: "starting"
        case .running: "running"
        case .cancelling: "cancelling"
        case .ended: record?.state.rawValue ?? "ended"
        case .notStarted(let sentence): sentence
        }
    }

    /// Keeps what a step sent and got; the oldest goes where there is too much.
    mutating func keep(_ exchange: Exchange, of step: Int) {
        forget(step)
        exchanges[step] = exchange
        kept.append(step)
        bytes += exchange.response?.body.count ?? 0
        while kept.count > RunView.keptSteps || bytes > RunView.keptBytes, kept.count > 1 {
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
