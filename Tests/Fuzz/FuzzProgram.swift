import Glibc
import SortieBase

/// The entry points of libFuzzer (https://llvm.org/docs/LibFuzzer.html), which `make fuzz` links.
///
/// The variable `FUZZ_TARGET` names the target; without it the program lists the targets, for `.ci/fuzz`.
private let target: FuzzTarget = {
    let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
    if let found = FuzzTarget.all.first(where: { $0.name == name }) { return found }
    for target in FuzzTarget.all {
        let words = target.words.map { word in "\"" + word.utf8.map { "\\x" + HexDigits.text([$0]) }.joined() + "\"" }
        print(target.name, target.longest, target.corpora.joined(separator: ","), words.joined(separator: " "), separator: "\t")
    }
    exit(name.isEmpty ? 0 : 2)
}()

@_cdecl("LLVMFuzzerInitialize")
func initialize(_ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutableRawPointer) -> CInt {
    _ = target
    return 0
}

@_cdecl("LLVMFuzzerTestOneInput")
func test(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do { try target.check(FuzzInput(bytes: [UInt8](UnsafeBufferPointer(start: bytes, count: count)))) } catch {
        fatalError("\(target.name): \(error)")
    }
    return 0
}
