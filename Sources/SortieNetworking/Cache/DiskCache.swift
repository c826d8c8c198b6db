internal import FoundationEssentials
internal import Glibc
internal import SortieBase
internal import SortieHTTP

/// The cached responses on disk, which later runs of the program and other programs use.
///
/// Each entry is a file `FOLDER/URL/REQUEST`, named by the hashes of the key, with mode 0600. A file is replaced atomically; a damaged one is removed
/// and reported. The time of the last use is the modification time of the file. All methods block.
final class DiskCache: Sendable {
    /// The result of reading an entry.
    enum Loaded {
        case none
        case entry(StoredResponse, body: [UInt8])
        /// The file was removed. The text names it with the reason.
        case damaged(String)
    }

    /// A file of the cache.
    private struct Item {
        var path: String
        var size: Int
        var lastUse: timespec
    }

    let folder: String
    /// The maximum size of all files in bytes.
    let limit: Int
    /// The largest file that is read: the largest body with its head.
    private static let largestFile = ResponseCache.largestBody + 1 << 20
    /// The age in seconds at which a temporary file counts as left by a crash.
    private static let temporaryLifetime = 3600

    init(folder: String, limit: Int) {
        (self.folder, self.limit) = (folder, limit)
    }

    // MARK: Single entries

    private func directory(of target: Fingerprint) -> String { "\(folder)/\(target.hex.prefix(32))" }

    private func path(of key: CacheKey) -> String { "\(directory(of: key.target))/\(key.question.hex.prefix(32))" }

    /// Reads an entry; a damaged one is removed.
    func load(_ key: CacheKey) -> Loaded {
        guard problem(creating: false) == nil else { return .none }
        let loaded = load(path(of: key))
        if case .entry(let head, _) = loaded, head.target != key.target.hex || head.question != key.question.hex {
            return discard(path(of: key), "it belongs to another request")
        }
        // The file systems need not record when a file was read.
        if case .entry = loaded { utimensat(AT_FDCWD, path(of: key), nil, AT_SYMLINK_NOFOLLOW) }
        return loaded
    }

    /// Stores an entry, and removes the least recently used ones above the limit.
    ///
    /// - Returns: The number of removed entries.
    func store(_ entry: CachedResponse) throws(NetworkError) -> Int {
        if let problem = problem(creating: true) { throw problem }
        let bytes: [UInt8]
        do { bytes = try StoredResponse(entry).bytes(body: entry.response.body) } catch {
            throw NetworkError(.internalFailure, "the response cannot be written: \(error)")
        }
        guard bytes.count <= limit else { throw NetworkError(.storage, "it is larger than the whole cache") }
        let directory = directory(of: entry.key.target)
        mkdir(directory, 0o700)
        let path = path(of: entry.key)
        do throws(AtomicFile.Failure) {
            try AtomicFile.replace(BodyBytes(bytes), at: path, mode: 0o600, followsLinks: false, isSynchronized: false)
        } catch {
            throw .disk(error.code, path, "cannot be written")
        }
        return makeRoom(keeping: path)
    }

    /// Removes an entry; has no effect where there is none.
    func remove(_ key: CacheKey) {
        unlink(path(of: key))
        rmdir(directory(of: key.target))
    }

    /// Removes the entries of a URL; returns their ``CacheEntry/id``.
    func removeAll(of target: Fingerprint) -> Set<String> {
        let directory = directory(of: target)
        var removed: Set<String> = []
        for name in Self.names(in: directory) {
            if case .entry(let head, _) = load("\(directory)/\(name)") { removed.insert(id(of: head)) }
            unlink("\(directory)/\(name)")
        }
        rmdir(directory)
        return removed
    }

    // MARK: All entries

    /// All entries, the most recently stored one first, and the damaged files that were removed.
    func entries() -> (entries: [CacheEntry], problems: [String]) {
        var (entries, problems): ([CacheEntry], [String]) = ([], [])
        forEachEntry({ entry, _ in entries.append(entry) }, onDamage: { problems.append($0) })
        return (entries.sorted { $0.storedAt > $1.storedAt }, problems)
    }

    /// Removes the entries that fulfil a condition; returns their identities.
    func remove(where condition: (CacheEntry) -> Bool) -> Set<String> {
        var removed: Set<String> = []
        forEachEntry(
            { entry, path in
                guard condition(entry) else { return }
                removed.insert(entry.id)
                unlink(path)
                rmdir(FilePath.folder(of: path))
            }, onDamage: { _ in })
        return removed
    }

    /// Reads each entry with the path of its file; a damaged file is removed and reported.
    private func forEachEntry(_ body: (CacheEntry, String) -> Void, onDamage: (String) -> Void) {
        guard problem(creating: false) == nil else { return }
        for item in items() {
            switch load(item.path) {
            case .none: break
            case .damaged(let problem): onDamage(problem)
            case .entry(let head, let bytes):
                guard let method = HTTPMethod(head.method), let url = HTTPURL(ifValid: head.url) else {
                    if case .damaged(let problem) = discard(item.path, "its request cannot be read") { onDamage(problem) }
                    continue
                }
                let entry = CacheEntry(
                    id: id(of: head), method: method, url: url, service: head.service, response: head.response(body: bytes), storedAt: head.date,
                    lifetime: .milliseconds(head.lifetime), isOnDisk: true, size: item.size)
                body(entry, item.path)
            }
        }
    }

    // MARK: Files

    private func id(of head: StoredResponse) -> String { CacheKey.id(target: head.target, question: head.question, credentials: nil) }

    /// Why the folder must not be used: other users can change it, or it cannot be created; nil where it is private, or missing and not needed.
    private func problem(creating: Bool) -> NetworkError? {
        if creating { CacheFolder.make(folder) }
        var information = stat()
        guard lstat(folder, &information) == 0 else {
            return creating || errno != ENOENT ? .disk(errno, folder, "cannot be used") : nil
        }
        let isFolder = information.st_mode & S_IFMT == S_IFDIR
        guard isFolder, information.st_uid == geteuid(), information.st_mode & 0o022 == 0 else {
            return NetworkError(.storage, "\(folder) is not a folder that only this user can change", hint: "remove it, or run: chmod 700 \(folder)")
        }
        return nil
    }

    private func load(_ path: String) -> Loaded {
        let bytes: [UInt8]
        do throws(WholeFile.Failure) { bytes = try WholeFile.bytes(at: path, limit: Self.largestFile, followsLinks: false, isOwn: true) } catch {
            switch error {
            case .notRegularFile, .notOwned, .tooLarge, .system(ELOOP): return discard(path, error.reason)
            // Also where the process has no free descriptor.
            case .system: return .none
            }
        }
        do throws(StoredResponse.Damage) {
            let (head, body) = try StoredResponse.reading(bytes)
            return .entry(head, body: body)
        } catch {
            return discard(path, error.reason)
        }
    }

    private func discard(_ path: String, _ reason: String) -> Loaded {
        unlink(path)
        rmdir(FilePath.folder(of: path))
        return .damaged("a damaged cache entry was removed, \(path): \(reason)")
    }

    /// Removes the least recently used files until the rest is within the limit.
    private func makeRoom(keeping kept: String) -> Int {
        let items = items()
        var total = items.reduce(0) { $0 + $1.size }
        guard total > limit else { return 0 }
        var removed = 0
        for item in items.sorted(by: { ($0.lastUse.tv_sec, $0.lastUse.tv_nsec) < ($1.lastUse.tv_sec, $1.lastUse.tv_nsec) }) {
            guard total > limit else { break }
            guard item.path != kept else { continue }
            unlink(item.path)
            rmdir(FilePath.folder(of: item.path))
            total -= item.size
            removed += 1
        }
        return removed
    }

    /// The files of all entries; removes temporary files that a crash left.
    private func items() -> [Item] {
        Self.names(in: folder).flatMap { directory in
            Self.names(in: "\(folder)/\(directory)").compactMap { name -> Item? in
                let path = "\(folder)/\(directory)/\(name)"
                var information = stat()
                guard lstat(path, &information) == 0 else { return nil }
                guard !FilePath.isTemporary(name) else {
                    if time(nil) - information.st_mtim.tv_sec > Self.temporaryLifetime { unlink(path) }
                    return nil
                }
                return Item(path: path, size: Int(information.st_size), lastUse: information.st_mtim)
            }
        }
    }

    /// The names in a folder; empty where it is missing or cannot be read.
    private static func names(in folder: String) -> [String] {
        do { return try FolderNames.of(folder).sorted() } catch { return [] }
    }
}
