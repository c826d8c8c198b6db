internal import Dispatch
internal import Foundation
internal import SortieNetworking
internal import SortieStorage
internal import SortieWorkbench
internal import Synchronization

/// The cookie jars of the workbench: one for each environment, read on first use and written shortly after a change.
final class CookieWriter: Sendable {
    /// Writes a line to the log.
    typealias Report = @Sendable (LogEntry.Level, String) -> Void

    /// A jar and its store.
    private struct Kept {
        let jar: CookieJar
        let store: CookieStore
        /// Whether a write is scheduled.
        var isQueued = false
        /// The last reported failure, so that it is not reported again on each change.
        var complaint: String?
    }

    private let folder: String
    private let folders: UserFolders
    private let report: Report
    private let queue = DispatchQueue(label: "sortie.cookies")
    private let kept = Mutex<[String: Kept]>([:])

    /// The delay in milliseconds during which changes are collected before they are written.
    private static let collection = 100

    init(workspace folder: String, _ folders: UserFolders, report: @escaping Report) {
        (self.folder, self.folders) = (folder, folders)
        self.report = report
    }

    /// The jars for a client.
    var jars: CookieJars { CookieJars { [self] in jar(of: $0) } }

    private func jar(of environment: String) -> CookieJar {
        let (jar, isNew) = kept.withLock { kept in
            if let known = kept[environment] { return (known.jar, false) }
            let jar = CookieJar { [weak self] in self?.changed(environment) }
            kept[environment] = Kept(jar: jar, store: CookieStore(workspace: folder, environment: environment, cacheFolder: folders.cache))
            return (jar, true)
        }
        if isNew { sync(environment) }
        return jar
    }

    /// Merges changes of other programs before a request is sent.
    func refresh(environment: String?) {
        let name = environment ?? ""
        _ = jar(of: name)
        if kept.withLock({ $0[name] })?.store.isChanged == true { sync(name) }
    }

    private func changed(_ environment: String) {
        let mustQueue = kept.withLock { kept in
            guard kept[environment]?.isQueued == false else { return false }
            kept[environment]?.isQueued = true
            return true
        }
        guard mustQueue else { return }
        queue.asyncAfter(deadline: .now() + .milliseconds(Self.collection)) { self.write(environment) }
    }

    private func write(_ environment: String) {
        let isDue = kept.withLock { kept in
            defer { kept[environment]?.isQueued = false }
            return kept[environment]?.isQueued == true
        }
        if isDue { sync(environment) }
    }

    /// Writes pending changes, and waits for it.
    func finish() {
        queue.sync {
            for environment in kept.withLock({ $0.keys.sorted() }) { write(environment) }
        }
    }

    private func sync(_ environment: String) {
        guard let place = kept.withLock({ $0[environment] }) else { return }
        var complaint: String?
        do {
            if let notice = try place.store.sync({ place.jar.merge($0, since: $1) }) { report(.warning, notice) }
        } catch {
            complaint = "\(error)"
            if complaint != place.complaint { report(.error, "\(error)") }
        }
        kept.withLock { $0[environment]?.complaint = complaint }
    }

    // MARK: Requests of the cookies popup

    /// Performs a request and returns the resulting contents of the jar.
    func listing(for request: CookieRequest, environment: String?) -> CookieListing {
        refresh(environment: environment)
        let jar = jar(of: environment ?? "")
        var outcome: JobOutcome?
        switch request {
        case .list: break
        case .put(let cookies, let old):
            if let old { jar.removeAll { $0.identity == old.identity } }
            jar.insert(cookies)
        case .remove(let cookies):
            let gone = Set(cookies.map(\.identity))
            jar.removeAll { gone.contains($0.identity) }
        case .importFile(let path): outcome = importFile(path, into: jar)
        case .exportFile(let path, let overwrites): outcome = exportFile(path, of: jar, overwrites: overwrites)
        }
        let now = Date()
        return CookieListing(jar.cookies.filter { !$0.isExpired(at: now) }, readAt: now, outcome: outcome)
    }

    private func importFile(_ path: String, into jar: CookieJar) -> JobOutcome {
        let file = CookieFile(path: folders.absolute(path))
        if let protected = ProtectedLocation(path, .reading, folders) { return .failed(protected.message) }
        do {
            guard FileManager.default.fileExists(atPath: file.path) else { return .failed("There is no file \(path)") }
            let content = try file.load(at: Date())
            jar.insert(content.cookies)
            let taken = content.cookies.count == 1 ? "One cookie" : "\(content.cookies.count) cookies"
            guard let problem = content.problems.first else { return .done("\(taken) imported from \(path)") }
            let others = content.problems.count > 1 ? ", and \(content.problems.count - 1) more lines" : ""
            return .done("\(taken) imported from \(path), but line \(problem.line) is invalid: \(problem.message)\(others)")
        } catch {
            return .failed("\(error)")
        }
    }

    private func exportFile(_ path: String, of jar: CookieJar, overwrites: Bool) -> JobOutcome {
        let file = CookieFile(path: folders.absolute(path))
        if !overwrites, let protected = ProtectedLocation(path, .writing, folders) { return .protected(protected.shortMessage) }
        guard overwrites || !FileManager.default.fileExists(atPath: file.path) else { return .exists("\(path) already exists.") }
        let now = Date()
        let cookies = jar.cookies.filter { !$0.isExpired(at: now) }
        do {
            try file.save(NetscapeCookies(cookies))
            return .done("\(cookies.count == 1 ? "One cookie" : "\(cookies.count) cookies") written to \(path)")
        } catch {
            return .failed("\(error)")
        }
    }
}

extension CookiesJob: PerformedWork {
    func perform(in runner: EffectRunner, _ cancellation: Cancellation) async -> CookieListing? {
        runner.cookies.listing(for: request, environment: environment)
    }
}
