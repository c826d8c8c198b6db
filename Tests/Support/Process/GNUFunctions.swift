import Glibc

/// Functions of glibc that Swift's module map does not import because it does not define `_GNU_SOURCE`.
///
/// They are looked up by name at run time.
enum GNUFunctions {
    private typealias CloseFrom = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
    private typealias ChangeDirectory =
        @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, UnsafePointer<CChar>) -> Int32
    private typealias Width = @convention(c) (wchar_t) -> Int32

    /// Closes all descriptors from `first` on in the child (glibc 2.34 and later).
    static func addCloseFrom(_ actions: inout posix_spawn_file_actions_t, first: Int32) throws {
        let function = try find("posix_spawn_file_actions_addclosefrom_np", as: CloseFrom.self)
        let code = function(&actions, first)
        if code != 0 { throw SystemCallFailure("posix_spawn_file_actions_addclosefrom_np", code) }
    }

    /// Starts the child in `directory` (glibc 2.29 and later).
    static func addChangeDirectory(_ actions: inout posix_spawn_file_actions_t, _ directory: String) throws {
        let function = try find("posix_spawn_file_actions_addchdir_np", as: ChangeDirectory.self)
        let code = function(&actions, directory)
        if code != 0 { throw SystemCallFailure("posix_spawn_file_actions_addchdir_np", code) }
    }

    /// `wcwidth` of the calling thread's locale.
    static let width: @Sendable (wchar_t) -> Int32 = {
        guard let function = try? find("wcwidth", as: Width.self) else { return { _ in 1 } }
        return { function($0) }
    }()

    private static func find<Function>(_ name: String, as type: Function.Type) throws -> Function {
        guard let symbol = dlsym(nil, name) else { throw SystemCallFailure("dlsym(\(name))", ENOSYS) }
        return unsafeBitCast(symbol, to: type)
    }
}
