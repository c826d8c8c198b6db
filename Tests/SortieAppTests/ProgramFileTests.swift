import Testing

@testable import SortieApp

/// Tests which file starts this program again.
@Suite struct ProgramFileTests {
    @Test func `the file of the process is started again through its link, which also works after the file was replaced`() {
        #expect(ProgramFile.own(executable: "/usr/bin/sortie", firstArgument: "sortie") == "/proc/self/exe")
        #expect(ProgramFile.own(executable: "/usr/bin/sortie", firstArgument: "/tmp/other") == "/proc/self/exe")
    }

    @Test func `a program with a loader of its own is started again by its launcher`() {
        for loader in ["/opt/sortie/lib/sortie/ld-linux-x86-64.so.2", "/opt/sortie/lib/sortie/ld-linux-aarch64.so.1", "/usr/bin/ld.so"] {
            #expect(ProgramFile.own(executable: loader, firstArgument: "/opt/sortie/bin/sortie") == "/opt/sortie/bin/sortie")
        }
    }

    @Test func `a name that is no path is not started in place of the loader`() {
        #expect(ProgramFile.own(executable: "/lib64/ld-linux-x86-64.so.2", firstArgument: "sortie") == "/proc/self/exe")
        #expect(ProgramFile.own(executable: "/lib64/ld-linux-x86-64.so.2", firstArgument: nil) == "/proc/self/exe")
    }
}
