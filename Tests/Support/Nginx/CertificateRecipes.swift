/// The configuration and the commands of openssl that create ``Certificates``.
///
/// They use `openssl ca`, because only that command can set a validity in the past with every OpenSSL since 1.1.
enum CertificateRecipes {
    static var files: [(name: String, text: String)] {
        [("openssl.cnf", configuration), ("make.sh", commands)]
    }

    private static let configuration = """
        [ca]
        default_ca = test_ca
        [test_ca]
        dir = .
        new_certs_dir = .
        database = ./index.txt
        rand_serial = yes
        default_md = sha256
        policy = any
        unique_subject = no
        email_in_dn = no
        [any]
        commonName = supplied
        [req]
        distinguished_name = name
        prompt = no
        [name]
        commonName = Test
        [authority]
        basicConstraints = critical, CA:true
        keyUsage = critical, keyCertSign, cRLSign
        subjectKeyIdentifier = hash
        [server]
        basicConstraints = CA:false
        extendedKeyUsage = serverAuth
        subjectAltName = DNS:localhost, DNS:example.test, DNS:*.example.test, IP:127.0.0.1, IP:127.0.0.2, IP:127.0.0.3, IP:::1
        [wrong]
        basicConstraints = CA:false
        extendedKeyUsage = serverAuth
        subjectAltName = DNS:wrong.test
        [client]
        basicConstraints = CA:false
        extendedKeyUsage = clientAuth

        """

    private static let commands = """
        export OPENSSL_CONF=./openssl.cnf
        : > index.txt
        key() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1.key"; }
        # NAME SUBJECT SECTION: signed by itself
        root() {
            key "$1"
            openssl req -new -x509 -config openssl.cnf -key "$1.key" -subj "/CN=$2" -days 3650 -extensions "$3" -out "$1.pem"
        }
        # NAME SUBJECT SECTION AUTHORITY START END
        signed() {
            key "$1"
            openssl req -new -config openssl.cnf -key "$1.key" -subj "/CN=$2" -out "$1.csr"
            openssl ca -batch -notext -config openssl.cnf -keyfile "$4.key" -cert "$4.pem" -extensions "$3" \\
                -startdate "$5" -enddate "$6" -in "$1.csr" -out "$1.pem"
        }
        root ca "Test authority" authority
        root other-ca "Other authority" authority
        root self-signed localhost server
        signed localhost localhost server ca 20200101000000Z 20991231000000Z
        signed wrong-host wrong.test wrong ca 20200101000000Z 20991231000000Z
        signed expired localhost server ca 20200101000000Z 20200201000000Z
        signed not-yet-valid localhost server ca 20900101000000Z 20991231000000Z
        signed client "a client" client ca 20200101000000Z 20991231000000Z
        signed intermediate "Test intermediate" authority ca 20200101000000Z 20991231000000Z
        signed chain-leaf localhost server intermediate 20200101000000Z 20991231000000Z
        signed old-intermediate "Old intermediate" authority ca 20200101000000Z 20200201000000Z
        signed old-leaf localhost server old-intermediate 20200101000000Z 20991231000000Z
        cat old-leaf.pem old-intermediate.pem > old-chain.pem
        mv old-leaf.key old-chain.key
        mv chain-leaf.key chain.key
        cat chain-leaf.pem intermediate.pem > chain.pem
        # The client's key, encrypted as PKCS #8 and in the older form of SEC 1; and both files in one.
        openssl pkcs8 -topk8 -v2 aes-256-cbc -in client.key -passout pass:open-sesame -out client-pkcs8.key
        openssl ec -aes256 -in client.key -passout pass:open-sesame -out client-sec1.key
        cat client.pem client-pkcs8.key > client-both.pem
        # An RSA key as PKCS #1, plain and encrypted.
        key() { openssl genrsa -traditional -out "$1.key" 2048; }
        signed rsa-client "an rsa client" client ca 20200101000000Z 20991231000000Z
        openssl rsa -traditional -aes256 -in rsa-client.key -passout pass:open-sesame -out rsa-client-pkcs1.key

        """
}
