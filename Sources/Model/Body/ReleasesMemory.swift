/// An owner of bytes that can drop them from memory and get them again, such as a mapped file.
public protocol ReleasesMemory: AnyObject {
    /// Drops what is in memory; views stay valid and get the bytes again when they are looked at.
    func releaseMemory()
}
