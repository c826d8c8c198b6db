internal import CEmbedded
internal import SortieStorage

/// The demo workspace inside the program.
enum EmbeddedDemo {
    /// Its files, in the order of their paths.
    static let files: [DemoCopy.File] = sequence(state: 0) { index -> DemoCopy.File? in
        defer { index += 1 }
        return demo_file_at(index).map { file in
            DemoCopy.File(
                path: String(cString: file.pointee.name), bytes: Array(UnsafeBufferPointer(start: file.pointee.bytes, count: file.pointee.size)))
        }
    }.map(\.self)

    /// The user's copy, created or updated where necessary, with what the user should know about that.
    static func copy(in program: ProgramContext) throws -> (folder: WorkspaceFolder, notice: String?) {
        let path = DemoCopy.path(program.folders)
        let outcome: DemoCopy.Outcome
        do { outcome = try DemoCopy.update(with: files, at: path) } catch { throw CommandFailure(error) }
        let notice: String? =
            switch outcome {
            case .current: nil
            case .created: "The demo was copied to \(path); change it as you like"
            case .updated(kept: []): "The demo in \(path) is that of this version now"
            case .updated(let kept):
                "The demo in \(path) is that of this version now, without \(kept.joined(separator: ", ")): you changed "
                    + "\(kept.count == 1 ? "it" : "them"); without the folder, the next start copies the original"
            }
        return (WorkspaceFolder(path: path, program.folders), notice)
    }
}
