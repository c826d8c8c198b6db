import Foundation
import SortieHTTP
import SortieStorage
import Support
import Testing

/// Tests that the addresses of names are stored across programs (S3.12).
@Suite struct AddressStoreTests {
    private let folder: TemporaryFolder
    private var store: AddressStore { AddressStore(cacheFolder: folder.path) }
    private var path: String { "\(folder.path)/sortie/addresses/names.json" }

    init() throws { folder = try TemporaryFolder() }

    @Test func `stored addresses are read back from a private file`() throws {
        #expect(try store.load() == [])
        let name = ResolvedName(
            host: "shop.test", server: nil, addresses: ["127.0.0.2", "::1"], found: Date(timeIntervalSince1970: 1_700_000_000), lifetime: 60)
        try store.keep([name])
        #expect(try store.load() == [name])
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        try store.keep([])
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test(arguments: ["", "{", "[{}]", "[{\"host\": 1}]"])
    func `an unreadable file is an error with its name, and is replaced`(_ text: String) throws {
        try folder.write("sortie/addresses/names.json", Array(text.utf8))
        #expect { try store.load() } throws: { "\($0)".contains(path) && "\($0)".contains("resolved again") }
        try store.keep([ResolvedName(host: "a", server: nil, addresses: ["::1"], found: Date(timeIntervalSince1970: 1), lifetime: 1)])
        #expect(try store.load().map(\.host) == ["a"])
    }
}
