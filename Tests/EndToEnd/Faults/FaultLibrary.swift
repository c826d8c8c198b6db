import Foundation
import Support

/// The C library that injects faults into the built program and records its file operations (`Tests/Fixtures/Faults/faults.c`).
struct FaultLibrary {
    /// The library, compiled once for all tests.
    static let shared = Shared {
        let folder = try TemporaryFolder()
        let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../Fixtures/Faults/faults.c").path
        try await CCompiler.compileLibrary(source, to: folder.path("faults.so"), options: ["-O1"])
        return FaultLibrary(folder: folder)
    }

    private let folder: TemporaryFolder

    /// The environment of a program that is observed in a folder.
    private func environment(_ root: String) -> [String: String] { ["LD_PRELOAD": folder.path("faults.so"), "FAULT_FOLDER": root] }

    /// The environment of a program in which the `number`-th call of a function fails; `log` gets the function and the path then.
    func environment(_ fault: Fault, number: Int, in root: String, log: String) -> [String: String] {
        environment(root).merging([
            "FAULT": "\(fault.function):\(fault.code):\(number)\(fault.isLasting ? "+" : "")", "FAULT_LIBRARY": fault.library, "FAULT_LOG": log,
        ]) { $1 }
    }

    /// The environment of a program whose file operations are recorded.
    func environment(recording root: String, to file: String) -> [String: String] { environment(root).merging(["FAULT_RECORD": file]) { $1 } }
}

/// A function that fails in the program.
struct Fault: CustomStringConvertible {
    /// The name of the function; see `faults.c`.
    let function: String
    /// The code of the error; 0 for a write of half of the bytes, and for the clock the seconds of its jump.
    let code: Int32
    /// Whether all later calls fail, too, as on a full disk.
    var isLasting = false
    /// A part of the name of the library whose allocations fail.
    var library = ""

    var description: String { "\(function) \(library) \(code == 0 ? "short" : String(cString: strerror(code)))\(isLasting ? " from then on" : "")" }

    /// The faults of files, of which each run of the tests injects the first ones.
    static let usual: [Fault] = [
        Fault(function: "write", code: ENOSPC), Fault(function: "fsync", code: EIO), Fault(function: "rename", code: EIO),
    ]

    /// All faults.
    static let all: [Fault] =
        usual + ["write", "pwrite", "fsync", "rename"].map { Fault(function: $0, code: ENOSPC, isLasting: true) } + [
            Fault(function: "write", code: 0), Fault(function: "write", code: EINTR), Fault(function: "pwrite", code: EIO),
            Fault(function: "pwrite", code: 0), Fault(function: "pwrite", code: EINTR),
            Fault(function: "open", code: EMFILE), Fault(function: "open", code: EINTR), Fault(function: "open", code: EMFILE, isLasting: true),
            Fault(function: "mmap", code: ENOMEM), Fault(function: "close", code: EIO), Fault(function: "ftruncate", code: EIO),
            Fault(function: "flock", code: EINTR), Fault(function: "flock", code: ENOLCK), Fault(function: "epoll_wait", code: EINTR),
            Fault(function: "connect", code: EINTR), Fault(function: "connect", code: ENETUNREACH), Fault(function: "clock", code: 100_000),
            Fault(function: "clock", code: -100_000), Fault(function: "malloc", code: ENOMEM, library: "libsqlite3"),
            Fault(function: "malloc", code: ENOMEM, library: "libcurl"),
        ]
}
