import SortieHTTP
import Testing
import WorkspaceModel

@Suite struct ProgramHintTests {
    @Test func `a remedy names properties for users of the library, and options and workspace keys for users of the program`() {
        let error = NetworkError(.untrustedCertificate, "it is self-signed", remedy: .trustedIssuer)
        #expect(error.hint == "give the issuer's certificate in trust.certificateAuthorityFile of the options")
        #expect(error.programHint == "give the issuer's certificate with --cacert FILE or trust.ca; --insecure disables verification")
    }

    @Test func `a hint of the workbench names no option of commands, and no key of a file that a pane has`() {
        let remedies: [NetworkError.Remedy] = [
            .pinFile, .redirectLimit, .redirectLoop, .proxySetting, .httpProxySetting, .runningProxy, .connectMethod, .encryptableBody,
            .certificateOfKey, .httpsURL, .totalTimeout, .downloadTimeout, .connectTimeout, .handshakeTimeout, .idleTimeout, .bodyLimit, .spoolSpace,
            .signingSecret, .otherAuthentication, .refreshWithoutAuthentication, .simulatedConditions, .trustedIssuer, .certificateHost,
            .clientCertificate, .olderTLS, .certificateFormat, .keyOfCertificate, .keyFormat, .passphrase, .otherPassphrase, .busyPart, .damagedPart,
            .signIn, .removedPart, .sharedPart, .unknownPart, .otherFolder, .otherFile, .existingFile, .lateFile, .diskSpace, .writableFolder,
            .encodedBody, .excludedNetwork, .otherType, .environmentProxy("a"), .unusedEnvironmentProxy("a"),
            .resolverOrAddress(host: "a"), .spellingOrAddress(host: "a"),
            .secretHosts(secret: "a", host: "b"), .ofProgram(.permission(workspace: "/w")), .ofProgram(.unlistedUse),
            .stored(program: "--x", workbench: "press x"),
        ]
        for remedy in remedies {
            let hint = NetworkError(.cannotConnect, "no", remedy: remedy).workbenchHint
            #expect(hint?.isEmpty == false && hint?.contains(/(^|[ (“])-{1,2}[a-z]/) == false, "\(hint ?? "")")
            #expect(hint?.contains(/trust\.|proxy:|addresses:|timeout:/) == false, "\(hint ?? "")")
        }
        #expect(NetworkError(.cannotConnect, "no", hint: "try again").workbenchHint == "try again")
    }

    @Test func `a remedy contains the values of the error, and they are masked`() {
        let error = NetworkError(.secretNotPermitted, "no", remedy: .secretHosts(secret: "pw", host: "s3cret.test"))
        #expect(error.hint == "to permit it, add s3cret.test to the hosts of the secret pw")
        #expect(error.programHint == "to permit it, add s3cret.test to hosts under secrets: pw in workspace.yaml")
        let masked = Redaction(adding: [], values: ["s3cret"]).masked(error)
        #expect(masked.programHint == "to permit it, add ••••.test to hosts under secrets: pw in workspace.yaml")
    }

    @Test func `a hint that a program sets is displayed unchanged`() {
        var error = NetworkError(.timedOut, "no response", hint: "try again", timeLimit: .total)
        #expect(error.hint == "try again" && error.programHint == "try again")
        error.hint = nil
        #expect(error.programHint == nil)
    }
}
