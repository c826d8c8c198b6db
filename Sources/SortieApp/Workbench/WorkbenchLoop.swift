internal import Glibc
internal import HistoryModel
internal import SortieTerminal
internal import SortieWorkbench
internal import WorkspaceModel

internal import struct Foundation.Date

/// The main loop of the workbench: waits for input and actions, applies them, and draws once.
struct WorkbenchLoop: ~Copyable {
    var state: AppState
    private var screen: Screen
    private var options: Screen.Options
    private let usesColour: Bool
    private let runner: EffectRunner
    private let drafts: LatestValueWriter<UnsavedEdits>
    private let transfers: LatestValueWriter<[QueuedTransfer]>?
    private let settingsFile: SettingsEffects
    private let history: HistoryEffects
    /// The settings that are applied: those of the history, those of the file, and those that are displayed.
    private var limits: HistoryRetention
    private var known: Settings
    private var displayed: Settings
    private let start = ContinuousClock.now
    private var lastTick: ContinuousClock.Instant
    private var pace = TickPace()

    init(
        _ screen: consuming Screen, _ options: Screen.Options, _ settings: Settings, usesColour: Bool, state: consuming AppState,
        runner: EffectRunner, drafts: LatestValueWriter<UnsavedEdits>, transfers: LatestValueWriter<[QueuedTransfer]>?,
        settingsFile: SettingsEffects, history: HistoryEffects
    ) {
        self.state = state
        (self.options, self.usesColour, self.runner) = (options, usesColour, runner)
        (self.drafts, self.transfers, self.settingsFile, self.history) = (drafts, transfers, settingsFile, history)
        (limits, known, displayed) = (HistoryRetention(settings), settings, settings)
        lastTick = start - .seconds(1)
        self.screen = screen
        self.state.startMoment = .start
    }

    /// Runs until the user quits, or opens another workspace.
    mutating func run() {
        var isPainted = false
        while !state.isQuitting {
            let canvas = state.draw()
            let drawn = ContinuousClock.now
            screen.draw(canvas)
            pace.drew(in: ContinuousClock.now - drawn)
            // After the first paint, because it reads the files again, and more files.
            if !isPainted { runner.watchFiles() }
            isPainted = true
            let actions = nextActions()
            for action in actions {
                for effect in state.update(action) { run(effect) }
            }
            applySettings()
            if actions.contains(where: \.mayEdit) { drafts.keep(state.unsavedEdits) }
            transfers?.keep(state.unfinishedTransfers)
            let isLeft = actions.contains { if case .input(.hangup) = $0 { true } else { false } }
            if state.isQuitting, !isLeft, !state.unsavedEdits.isEmpty, let failure = drafts.finish() { state.stay(because: failure) }
        }
    }

    /// Waits for input, for actions, and for the next tick while something is in flight.
    private mutating func nextActions() -> [Action] {
        var timeout: Int32 = -1
        if state.wantsTicks {
            let passed = Int32(min(60_000, (ContinuousClock.now - lastTick) / .milliseconds(1)))
            timeout = max(0, pace.interval - max(0, passed))
        }
        var waited = [
            pollfd(fd: screen.inputDescriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: runner.mailbox.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        poll(&waited, 2, timeout)

        var actions: [Action] = []
        while let event = screen.readEvent() { actions.append(.input(event)) }
        // Progress events do not wake the loop; they are taken on ticks.
        let isTick = state.wantsTicks && ContinuousClock.now - lastTick >= .milliseconds(Int(pace.interval))
        if waited[1].revents != 0 || isTick { actions += runner.mailbox.take() }
        if isTick {
            lastTick = ContinuousClock.now
            actions.append(.tick(now: (lastTick - start) / .seconds(1)))
        }
        return actions
    }

    /// Applies changed settings to their file's watcher, the screen and the history.
    private mutating func applySettings() {
        if state.settings != known {
            known = state.settings
            settingsFile.watchCreatedFile(known)
        }
        // The options have a theme, which is not built for every key.
        if state.displayedSettings != displayed {
            displayed = state.displayedSettings
            let wanted = Screen.Options(displayed, usesColour: usesColour)
            if wanted != options {
                options = wanted
                screen.use(options)
            }
        }
        if limits != HistoryRetention(state.settings) {
            limits = HistoryRetention(state.settings)
            history.apply(limits)
        }
    }

    /// Performs effects that need the terminal, and passes the others to the runner.
    private mutating func run(_ effect: Effect) {
        let settings = state.settings
        switch effect {
        case .redraw:
            screen.redraw()
        case .suspend:
            screen.suspend()
        case .edit(let job, let text, let suffix):
            screen.giveBack()
            let outcome = Editor.edit(text: text, suffix: suffix, command: settings.editor, in: runner.program)
            screen.takeBack()
            runner.mailbox.post(.edited(job, outcome))
        case .openFile(let job, let place):
            screen.giveBack()
            let outcome = Editor.open(place, in: runner.workspaceFolder, command: settings.editor, program: runner.program)
            screen.takeBack()
            runner.mailbox.post(.edited(job, outcome))
            runner.run(.reloadWorkspace)
        case .copyByTerminal(let job, let text):
            runner.mailbox.post(.copied(job, Clipboard.copy(text, to: screen, in: runner.program)))
        case .showInPager(let job, let path):
            screen.giveBack()
            let outcome = runner.opened.showInPager(path, command: settings.pager)
            screen.takeBack()
            runner.mailbox.post(.bodyOpened(job, outcome))
        case .openBody(let job, let view, let mediaType):
            runner.open(job, view, mediaType: mediaType, settings)
        case .editSettings(let job, let place):
            screen.giveBack()
            let outcome = settingsFile.edit(place, settings)
            screen.takeBack()
            runner.mailbox.post(.edited(job, outcome))
        default:
            runner.run(effect)
        }
    }
}

extension HistoryMoment {
    /// The current time with the present offset from UTC, which the C library finds faster than Foundation.
    fileprivate static var start: HistoryMoment {
        let now = Date()
        var (seconds, local) = (time_t(now.timeIntervalSince1970), tm())
        localtime_r(&seconds, &local)
        return HistoryMoment(now: now, offsets: [Offset(since: .distantPast, seconds: local.tm_gmtoff)])
    }
}
