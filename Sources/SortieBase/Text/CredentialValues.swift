/// The values that are credentials by their shape, whatever their names are: tokens that begin with the mark of their service, and JSON Web Tokens.
///
/// Import.md lists the services.
package enum CredentialValues {
    /// A credential in a text.
    package struct Finding: Equatable, Sendable {
        /// The bytes of the text.
        package var range: Range<Int>
        /// What it is, as the name of a variable.
        package var name: String
    }

    /// A beginning that only tokens of one service have.
    private struct Mark {
        var text: [UInt8]
        var name: String
    }

    /// The length of the shortest credential that is found.
    private static let shortest = 20

    private static let marks = Dictionary(
        grouping: [
            "awsAccessKey": ["AKIA", "ASIA"],
            "anthropicKey": ["sk-ant-"],
            "databricksToken": ["dapi"],
            "digitalOceanToken": ["dop_v1_", "doo_v1_", "dor_v1_"],
            "dockerToken": ["dckr_pat_", "dckr_oat_"],
            "figmaToken": ["figd_"],
            "githubToken": ["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"],
            "gitlabToken": ["glpat-", "gldt-", "glrt-"],
            "googleKey": ["AIza"],
            "googleToken": ["ya29."],
            "grafanaToken": ["glsa_", "glc_"],
            "huggingFaceToken": ["hf_"],
            "linearKey": ["lin_api_"],
            "newRelicKey": ["NRAK-"],
            "notionToken": ["ntn_"],
            "npmToken": ["npm_"],
            "openAIKey": ["sk-proj-", "sk-svcacct-"],
            "postmanKey": ["PMAK-"],
            "pypiToken": ["pypi-"],
            "sendGridKey": ["SG."],
            "shopifyToken": ["shpat_", "shpca_", "shppa_", "shpss_"],
            "slackToken": ["xoxa-", "xoxb-", "xoxe-", "xoxe.", "xoxp-", "xoxr-", "xoxs-", "xapp-"],
            "squareToken": ["sq0atp-", "sq0csp-"],
            "stripeKey": ["sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"],
            "vaultToken": ["hvs.", "hvb."],
        ].flatMap { name, texts in texts.map { Mark(text: Array($0.utf8), name: name) } }, by: \.text[0])

    /// The credentials in a text, in order.
    package static func findings(in text: String) -> [Finding] {
        guard text.utf8.count >= shortest else { return [] }
        let bytes = Array(text.utf8)
        var findings: [Finding] = []
        var start = 0
        while start < bytes.count {
            guard isTokenByte(bytes[start]) else {
                start += 1
                continue
            }
            var next = start
            while next < bytes.count, isTokenByte(bytes[next]) { next += 1 }
            var end = next
            // The end of a sentence.
            while end > start, bytes[end - 1] == UInt8(ascii: ".") { end -= 1 }
            if let name = name(of: bytes[start..<end]) { findings.append(Finding(range: start..<end, name: name)) }
            start = next
        }
        return findings
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool { ASCII.isLetter(byte) || ASCII.isDigit(byte) || "-_.".utf8.contains(byte) }

    private static func name(of token: ArraySlice<UInt8>) -> String? {
        guard token.count >= shortest, let first = token.first else { return nil }
        if token.starts(with: "eyJ".utf8) {
            // Three parts are signed, five encrypted (RFC 7515, RFC 7516).
            let parts = token.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            return parts.count == 3 && parts.allSatisfy { !$0.isEmpty } || parts.count == 5 ? "jwt" : nil
        }
        guard let mark = marks[first]?.first(where: { token.starts(with: $0.text) }) else { return nil }
        let rest = token.dropFirst(mark.text.count)
        switch mark.name {
        case "awsAccessKey": return token.count == shortest && !rest.contains { !ASCII.isDigit($0) && !(0x41...0x5a).contains($0) } ? mark.name : nil
        case "googleKey": return token.count == 39 ? mark.name : nil
        case "sendGridKey": return rest.count >= 40 && rest.contains(UInt8(ascii: ".")) ? mark.name : nil
        // A digit distinguishes a token from a name such as npm_config_registry.
        default: return rest.count >= 16 && rest.contains(where: ASCII.isDigit) ? mark.name : nil
        }
    }
}
