/// An owner of bytes that can release their memory and load them again, such as a mapped file.
package protocol ReleasesMemory: AnyObject {
    /// Releases the memory; views stay valid and load the bytes again when they are read.
    func releaseMemory()
}
