internal import Glibc
internal import SortieBase
internal import SortieNetworking
internal import SortieStorage

internal import struct Foundation.Date

/// The file of `--cookies`, whose cookies are sent and in which received cookies are stored.
struct StoredCookies {
    /// The number of invalid lines that are reported one by one: a file that has no cookies would fill the screen.
    private static let shownProblems = 10

    private let file: CookieFile
    private let cacheFolder: String
    /// The cookies of the file when it was read.
    private let base: [Cookie]
    private let jar: CookieJar
    /// The jar of the file, for requests of the environment.
    let jars: CookieJars

    /// Reads the file; invalid lines are reported and preserved.
    init(path: String, environment: String?, in program: ProgramContext) throws {
        let absolute = program.path(path)
        // The option of curl takes both.
        if path.contains("="), access(absolute, F_OK) != 0 {
            throw CommandFailure(.usage, "--cookies takes a file, and there is no file \(path)", hint: "-H 'Cookie: NAME=VALUE' sends a cookie")
        }
        file = CookieFile(path: absolute)
        let content: NetscapeCookies
        do { content = try file.load(at: program.now()) } catch { throw StoredCookies.failure(error) }
        if file.isReadableByOthers {
            program.errors.line(
                "sortie: warning: other users of this machine could read the cookies in \(path); the file becomes private when it is saved")
        }
        for problem in content.problems.prefix(Self.shownProblems) {
            program.errors.line("sortie: cookies: \(path):\(problem.line): \(problem.message); the line is kept but not used")
        }
        let others = content.problems.count - Self.shownProblems
        if others > 0 { program.errors.line("sortie: cookies: \(path): also kept but not used: \(ItemCount.text(others, "further line"))") }
        cacheFolder = program.folders.cache
        base = content.cookies
        jar = CookieJar(content.cookies)
        jars = CookieJars([environment ?? "": jar])
    }

    /// Writes the changes of the jar to the file, which other programs may have changed meanwhile.
    func save(now: Date) throws {
        do throws(WorkspaceError) {
            try file.update(cacheFolder: cacheFolder, at: now) { jar.merge($0, since: base, sharesSessions: true) }
        } catch { throw StoredCookies.failure(error) }
    }

    private static func failure(_ error: WorkspaceError) -> CommandFailure {
        CommandFailure(.file, name: "cookies", error.description, hint: "--cookies FILE must be a readable and writable file")
    }
}
