/// What the manual has in addition to the help: examples, and which pages refer to each other.
enum ManualExamples {
    /// A command line and what it does.
    typealias Example = (line: String, meaning: String)

    /// The text of sortie(1) about the program.
    static let introduction = [
        """
        sortie shows the services and endpoints of a workspace, which is a folder of YAML files, and sends their requests. Without a command it opens the \
        workbench, a program for the terminal in which ? shows the keys and F1 the guide. The commands do the same for scripts.
        """
    ]

    /// The text before the list of files.
    static let files = [
        """
        Where they are not set, $XDG_STATE_HOME is ~/.local/state, $XDG_DATA_HOME ~/.local/share, $XDG_CACHE_HOME ~/.cache and $XDG_CONFIG_HOME \
        ~/.config. The settings are in $XDG_CONFIG_HOME/sortie/config.yaml; sortie config edits them. The files of workspaces are in their folders.
        """
    ]

    /// The headings of the tables of files in the guide, with the folder of the files.
    static let folders = [
        ("State", "$XDG_STATE_HOME/sortie"), ("Data", "$XDG_DATA_HOME/sortie"), ("Cache", "$XDG_CACHE_HOME/sortie"),
    ]

    /// The examples of a command.
    static func examples(of command: String) -> [Example] { all[command] ?? [] }

    /// The commands that the page of a command refers to.
    static func related(to command: String) -> [String] {
        groups.first { $0.contains(command) }?.filter { $0 != command } ?? []
    }

    /// All examples by command; the tests parse them.
    static let all: [String: [Example]] = [
        "sortie": [
            ("sortie demo", "Open the demo, which has its own server:"),
            ("sortie init api && sortie api", "Create a workspace and open it:"),
            ("sortie https://example.org/", "Open the workbench with a request to a URL:"),
            ("sortie send shop/orders/list -q page=2", "Send an endpoint of the workspace here or above:"),
        ],
        "open": [
            ("sortie open api -e test", "Open the workspace in the folder api with its environment test:")
        ],
        "init": [("sortie init api", "Create a workspace in the folder api:")],
        "demo": [("sortie demo", "Open the demo:")],
        "serve": [("sortie serve --port 0", "Run the demo's server on a free port, which the first line names:")],
        "list": [("sortie list --json", "List services, endpoints and runs as JSON:")],
        "check": [("sortie check api", "Print the problems of the files in the folder api; the exit status is 3 if there are any:")],
        "send": [
            ("sortie send shop/orders/list -q page=2", "Send an endpoint with another query parameter:"),
            ("sortie send https://example.org/orders --json-body @order.json --fail", "Send a file as JSON, and fail on a status of 400 or above:"),
            ("sortie send shop/me --bearer @token.txt --json | jq .timing", "Send a token from a file, and print the times:"),
        ],
        "download": [
            ("sortie download https://example.org/image.iso -o image.iso --connections 4", "Download a file; the same command resumes it later:"),
            (
                "sortie download https://example.org/image.iso -o image.iso --detach",
                "Download a file in a process of its own, and display its progress:"
            ),
            ("sortie download attach image.iso", "Display the progress of a detached download until it ends:"),
        ],
        "upload": [
            ("sortie upload https://example.org/files/ report.pdf notes.txt --keep-going", "Upload two files, each with a request of its name:")
        ],
        "run": [
            ("sortie run checkout --junit report.xml", "Run a chain and write a report for CI:"),
            ("sortie run checkout --from pay", "Continue the last failed run at a step:"),
        ],
        "listen": [
            ("sortie listen wss://example.org/chat --json", "Print the messages of a WebSocket connection:"),
            ("sortie listen https://example.org/events --for 30s", "Print the events of a stream for half a minute:"),
        ],
        "bench": [
            ("sortie bench shop/orders/list -n 1000 -c 20", "Measure an endpoint with 1000 calls, 20 at a time:"),
            ("sortie bench https://example.org/ --for 30s --rate 100", "Call a URL 100 times a second, corrected for coordinated omission:"),
        ],
        "mock": [
            ("sortie mock api --port 8080", "Serve the endpoints of the workspace in the folder api, without their servers:"),
            ("sortie mock api --delay 200ms --fail 10% --fault status:503", "The same, slower, and with faults:"),
        ],
        "history": [
            ("sortie history status:5xx since:1d", "List the exchanges of the last day that ended with a status of 500 or above:"),
            ("sortie history show last", "Show the newest exchange:"),
            ("sortie history diff last-1 last --ignore $.timestamp", "Compare the two newest responses:"),
            ("sortie history export --har shop.har service:shop", "Export the exchanges of a service:"),
        ],
        "import": [("sortie import commands.txt -o api", "Import the curl command lines of a file into the workspace api:")],
        "bundle": [
            ("sortie bundle api -o api.tar", "Pack the workspace in the folder api, without credentials:"),
            ("sortie bundle --unpack api.tar -o api", "Check the digests of a bundle, and unpack it:"),
        ],
        "schema": [("sortie schema -o schemas", "Write the JSON Schemas of workspace files for an editor:")],
        "export": [
            ("sortie export shop/login --as curl", "Print an endpoint as a curl command line:"),
            ("sortie export history:last --as curl", "Print the newest exchange as a curl command line:"),
        ],
        "cache": [("sortie cache list", "List the cached responses of the workspace:")],
        "secret": [
            ("sortie secret set shop-token < token.txt", "Store a secret, to which a workspace refers by {secret: shop-token}:"),
            ("sortie secret get shop-token | wc -c", "Print a secret into a pipe:"),
        ],
        "token": [
            ("sortie token get shop/orders", "Sign in for the access token of an endpoint:"),
            ("sortie token list", "Show the age and expiry of the stored tokens:"),
        ],
        "trust": [("sortie trust --list api", "Show what a workspace requests to do, and the digest for SORTIE_TRUST:")],
        "guide": [("sortie guide transfers", "Show the article about downloads and uploads:")],
        "config": [("sortie config", "Edit the settings, and report invalid lines:")],
    ]

    /// Commands about the same subject.
    private static let groups = [
        ["open", "demo", "serve", "init", "config", "guide"], ["send", "download", "upload", "run", "listen", "bench", "mock", "history", "cache"],
        ["list", "check", "trust", "secret", "token"], ["import", "export"],
    ]
}
