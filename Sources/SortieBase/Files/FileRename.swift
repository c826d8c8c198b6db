internal import CLinux
internal import Glibc

/// Renames files, and syncs their names to the disk.
///
/// The name of a file is on the disk only after its folder was synced, also where the content is. The folder is synced where the file must be found after a
/// crash of the system: files of workspaces and of the program's state, bodies of the history, and downloads. Caches, and output that replaces
/// no file, can be made again and are not synced.
package enum FileRename {
    /// Renames a file or a folder, unless the new name exists.
    ///
    /// - Returns: 0, or the code of the error, which is `EEXIST` where the name exists; nothing was changed then.
    package static func withoutReplacing(_ old: String, _ new: String) -> Int32 {
        withoutReplacing(old, new, renaming: { clinux_rename_new($0, $1) }, linking: { link($0, $1) })
    }

    /// - Parameters:
    ///   - renaming: the rename that the kernel refuses where the name exists.
    ///   - linking: the creation of a hard link.
    static func withoutReplacing(
        _ old: String, _ new: String, renaming: (String, String) -> Int32, linking: (String, String) -> Int32
    ) -> Int32 {
        if renaming(old, new) == 0 { return 0 }
        // Not every file system has this rename; a hard link also fails when the name exists.
        guard errno == EINVAL || errno == ENOSYS else { return errno }
        if linking(old, new) == 0 {
            unlink(old)
            return 0
        }
        if errno == EEXIST { return EEXIST }
        // Without hard links, a file that another program creates after this check is replaced. Creating the name first would leave an empty file when the
        // program is killed.
        var status = stat()
        if lstat(new, &status) == 0 { return EEXIST }
        return rename(old, new) == 0 ? 0 : errno
    }

    /// Syncs the folder of a path.
    ///
    /// - Returns: 0, or the code of the error.
    package static func syncFolder(of path: String) -> Int32 {
        let descriptor = open(FilePath.folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        // Some file systems cannot sync a folder.
        guard fsync(descriptor) != 0, [EIO, ENOSPC, EDQUOT].contains(errno) else { return 0 }
        return errno
    }
}
