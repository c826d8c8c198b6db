internal import CLinux

/// Threads for work that blocks for a long time, or for the life of the process.
enum SystemThread {
    private final class Work {
        let run: () -> Void

        init(_ run: @escaping () -> Void) { self.run = run }
    }

    /// Starts a thread.
    ///
    /// - Parameters:
    ///   - name: The name for debuggers, of at most 15 bytes.
    ///   - stackSize: The size of the stack in bytes.
    /// - Returns: 0, or the code of the error; the work is not carried out then.
    static func start(_ name: String, stackSize: Int, _ work: sending @escaping () -> Void) -> Int32 {
        let context = Unmanaged.passRetained(
            Work {
                clinux_name_thread(name)
                work()
            })
        let code = clinux_start_thread(main, context.toOpaque(), stackSize)
        if code != 0 { context.release() }
        return code
    }

    private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
        if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run() }
        return nil
    }
}
