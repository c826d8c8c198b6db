import Testing

@testable import SortieNetworking

/// Tests where the certificate authorities of a system are found.
@Suite struct SystemTrustTests {
    private func bundle(variable: String? = nil, library: String? = nil, readable: Set<String>) -> String? {
        SystemTrust.bundle(variable: variable, ofLibrary: library) { readable.contains($0) }
    }

    @Test(arguments: [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
        "/etc/ssl/ca-bundle.pem", "/var/lib/ca-certificates/ca-bundle.pem", "/etc/ssl/cert.pem", "/etc/ssl/certs/ca-bundle.crt",
    ])
    func `the places of Debian, Fedora, SUSE, Alpine and NixOS are searched`(place: String) {
        #expect(bundle(library: "/usr/local/ssl/cert.pem", readable: [place]) == place)
    }

    @Test func `SSL_CERT_FILE comes first, and is named also where it cannot be read`() {
        let system: Set = ["/etc/ssl/certs/ca-certificates.crt", "/home/ann/ca.pem"]
        #expect(bundle(variable: "/home/ann/ca.pem", readable: system) == "/home/ann/ca.pem")
        #expect(bundle(variable: "/home/ann/missing.pem", readable: system) == "/home/ann/missing.pem")
        #expect(bundle(variable: "", readable: system) == "/etc/ssl/certs/ca-certificates.crt")
    }

    @Test func `the file of libcurl comes before those of systems`() {
        #expect(bundle(library: "/opt/ca.pem", readable: ["/opt/ca.pem", "/etc/ssl/cert.pem"]) == "/opt/ca.pem")
    }

    @Test func `a system without authorities has no file`() {
        #expect(bundle(library: "/opt/ca.pem", readable: []) == nil)
    }
}
