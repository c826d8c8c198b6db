/// The examples of the commands, which their help and the manual display, and a test runs in the folder of the demo's workspace.
enum CommandExamples {
    /// A command line and what it does.
    typealias Example = (line: String, meaning: String)

    /// The examples by command, a subcommand with that above it; `sortie` is the program.
    static let all: [String: [Example]] = [
        "sortie": [
            ("sortie demo", "Open the demo, which has its own server:"),
            ("sortie send shop/orders/list | jq .result", "Send an endpoint of the workspace here or above, and take a part of its body:"),
        ],
        "open": [
            ("sortie open . -e local", "Open the workspace in this folder with its environment local:"),
            ("sortie open http://127.0.0.1:8080/echo", "Open a new request to a URL:"),
        ],
        "init": [
            ("sortie init api", "Create a workspace in the folder api:"),
            ("sortie init tea && sortie list -w tea", "Create one, and list its endpoints:"),
        ],
        "demo": [("sortie demo", "Open the demo:"), ("sortie demo --no-history", "Open the demo, and record no exchanges:")],
        "serve": [
            ("sortie serve --port 0", "Run the demo's server on a free port, which the first line names:"),
            ("sortie serve --port 0 --grpc-port 0", "Run its gRPC server as well:"),
        ],
        "list": [("sortie list", "List services, endpoints and runs:"), ("sortie list --json", "List them as JSON:")],
        "check": [
            ("sortie check", "Print the problems of the files; the exit status is 3 if there are any:"),
            ("sortie check . --json", "Print them as JSON:"),
        ],
        "send": [
            ("sortie send shop/orders/list -q page=2", "Send an endpoint with another query parameter:"),
            (
                "sortie send http://127.0.0.1:8080/echo --json-body '{\"name\": \"tea\"}' --fail",
                "Send JSON to a URL, and fail on a status of 400 or above:"
            ),
        ],
        "download": [
            ("sortie download http://127.0.0.1:8080/files/big.bin?size=2MB -o big.bin", "Download a file; the same command resumes it later:"),
            (
                "sortie download http://127.0.0.1:8080/files/big.bin?size=1MB -o later.bin --detach",
                "Download a file in a separate process, which continues when the terminal is closed:"
            ),
        ],
        "upload": [
            ("sortie upload http://127.0.0.1:8080/upload files/sample.txt", "Upload a file:"),
            ("sortie upload http://127.0.0.1:8080/upload files/sample.txt --limit-rate 2MB", "Upload it with at most 2 MB a second:"),
        ],
        "run": [
            ("sortie run checkout --junit report.xml", "Send a chain of requests, and write a report for CI:"),
            ("sortie run overview -e develop -e local", "Send a batch in two environments, and compare them:"),
        ],
        "listen": [
            ("sortie listen http://127.0.0.1:8080/sse?interval=1 --count 2", "Print two events of a stream:"),
            ("echo hello | sortie listen ws://127.0.0.1:8080/chat --count 2", "Send a message over a WebSocket connection, and print two:"),
        ],
        "bench": [
            ("sortie bench http://127.0.0.1:8080/echo -n 200 -c 10", "Measure a URL with 200 calls, 10 at a time:"),
            ("sortie bench shop/orders/list -n 50 --json", "Measure an endpoint, and print the times as JSON:"),
        ],
        "mock": [
            ("sortie mock . --port 0", "Serve the endpoints of the workspace without their servers:"),
            ("sortie mock . --port 0 --delay 200ms --fail 10%", "The same, slower, and with failures:"),
        ],
        "history": [
            ("sortie history status:2xx since:1d", "List the exchanges of the last day with a status from 200 to 299:"),
            ("sortie history show last", "Show the newest exchange:"),
        ],
        "contract": [
            (
                "sortie export shop --as openapi -o shop.yaml && sortie contract diff shop.yaml shop.yaml",
                "Compare two versions of a description; the exit status is 1 where the new one breaks clients:"
            ),
            (
                "sortie export shop --as openapi -o shop.yaml && sortie contract diff shop.yaml shop.yaml --json",
                "The same as JSON:"
            ),
        ],
        "env": [
            ("echo TEA=green > .env && sortie env import .env --dry-run", "Print what would be imported from an environment file:"),
            ("echo TEA=green > .env && sortie env import .env", "Import its variables into workspace.yaml:"),
        ],
        "import": [
            ("echo \"curl http://127.0.0.1:8080/echo\" | sortie import - -o from-curl", "Import a curl command into a new workspace:"),
            ("echo \"curl http://127.0.0.1:8080/echo\" | sortie import - --dry-run", "Print what would be imported:"),
        ],
        "export": [
            ("sortie export shop/orders/list --as curl", "Print an endpoint as a curl command line:"),
            ("sortie export history:last --as python", "Print the newest exchange as Python code:"),
        ],
        "bundle": [
            ("sortie bundle pack . -o ../shop.tar", "Pack the workspace, without credentials:"),
            ("sortie bundle unpack ../shop.tar -o ../copy", "Check the digests of a bundle, and unpack it:"),
        ],
        "cache": [("sortie cache list", "List the cached responses of the workspace:"), ("sortie cache clear", "Remove them:")],
        "trust": [
            ("sortie trust", "Show what the workspace requests to do on this machine, and ask on a terminal:"),
            ("sortie trust --list", "Show it with the digest for SORTIE_TRUST:"),
        ],
        "secret": [
            ("echo my-token | sortie secret set shop-token", "Store a secret, to which a workspace refers by {secret: shop-token}:"),
            ("sortie secret list", "List the stored secrets without their values:"),
        ],
        "token": [
            ("sortie token list", "Show the age and expiry of the stored access tokens:"),
            ("sortie token get account/oauth2 | wc -c", "Get the access token of an endpoint, and print it into a pipe:"),
        ],
        "schema": [
            ("sortie schema endpoint", "Print the JSON Schema of the files of endpoints:"),
            ("sortie schema -o schemas", "Write the schemas of all files for an editor:"),
        ],
        "guide": [("sortie guide follow redirects", "Search the guide:"), ("sortie guide sending#redirects", "Show a part of an article:")],
        "config": [("sortie config --path", "Print the path of the settings:"), ("sortie config --check", "Report invalid lines of the settings:")],
        "self": [
            ("sortie self install", "Link this program into ~/.local/bin:"), ("sortie self install --to ~/opt", "Link it into another folder:"),
        ],
        "history list": [
            ("sortie history list status:2xx since:1d --limit 10", "List the ten newest exchanges of the last day with a status from 200 to 299:"),
            ("sortie history list service:shop --format '{number} {status} {url}'", "List those of a service, with these fields:"),
        ],
        "history show": [
            ("sortie history show last", "Show the newest exchange:"),
            ("sortie history show last-1 --json", "Show the one before as JSON:"),
        ],
        "history replay": [
            ("sortie history replay last", "Send the newest exchange again, unchanged:"),
            ("sortie history replay last --dry-run", "Show what would be sent:"),
        ],
        "history diff": [
            ("sortie history diff last-1 last", "Compare the two newest exchanges; the exit status is 1 where the responses differ:"),
            ("sortie history diff last-1 last --ignore header:Date", "Compare them without a field:"),
        ],
        "history export": [
            ("sortie history export --har all.har", "Write all exchanges as an HTTP Archive:"),
            ("sortie history export --har shop.har service:shop", "Write those of a service:"),
        ],
        "history prune": [
            ("sortie history prune --older-than 30d", "Delete exchanges that are older than 30 days:"),
            ("sortie history prune --keep 1000", "Keep the 1000 newest exchanges:"),
        ],
        "history delete": [
            ("sortie history delete last", "Delete the newest exchange:"),
            ("sortie history delete status:2xx --yes", "Delete what a filter matches, without a question:"),
        ],
        "history pin": [
            ("sortie history pin last", "Keep the newest exchange when others are pruned:"),
            ("sortie history pin last last-1", "Keep the two newest:"),
        ],
        "history unpin": [
            ("sortie history unpin last", "Let the newest exchange be pruned:"),
            ("sortie history unpin last last-1", "Let the two newest be pruned:"),
        ],
        "history tag": [
            ("sortie history tag last slow", "Add a tag to the newest exchange:"),
            ("sortie history tag last slow --remove", "Remove it:"),
        ],
        "history note": [
            ("sortie history note last the first page", "Write a note about the newest exchange:"),
            ("sortie history note last ''", "Remove it:"),
        ],
        "history save-example": [
            ("sortie history save-example last", "Save the newest exchange as an example of its endpoint:"),
            ("sortie history save-example last --name first-page", "Save it with a name:"),
        ],
        "contract coverage": [
            ("sortie contract coverage", "Show what of the descriptions was used:"),
            ("sortie contract coverage --since 1d --json", "Show what was used in the last day, as JSON:"),
        ],
        "contract check": [
            ("sortie contract check --history", "Compare the recorded exchanges with the descriptions:"),
            ("sortie contract check --history --since 1d --json", "Compare those of the last day, and print them as JSON:"),
        ],
        "contract diff": [
            (
                "sortie contract diff descriptions/api.yaml descriptions/api.yaml",
                "Compare two versions of a description; the exit status is 1 where the new one breaks clients:"
            ),
            ("sortie contract diff descriptions/api.yaml descriptions/api.yaml --json", "The same as JSON:"),
        ],
        "contract test": [
            ("sortie contract test contract/orders", "Send requests that the description of an endpoint gives, and check the responses:"),
            ("sortie contract test contract/orders --json", "The same as JSON:"),
        ],
        "contract update": [
            ("sortie contract update", "Fetch the descriptions that services name by URL:"),
            ("sortie contract update contract", "Fetch that of one service:"),
        ],
        "env import": [
            ("echo TEA=green > .env && sortie env import .env --dry-run", "Print what would be imported from an environment file:"),
            ("echo TEA=green > .env && sortie env import .env", "Import its variables into workspace.yaml:"),
        ],
        "bundle pack": [
            ("sortie bundle pack -o ../shop.tar", "Pack the workspace here or above, without credentials:"),
            ("sortie bundle pack . -o ../copy.tar --keep shop/login.yaml", "Pack it with a file that has credentials:"),
        ],
        "bundle unpack": [
            ("sortie bundle pack -o ../shop.tar && sortie bundle unpack ../shop.tar -o ../copy", "Pack a workspace, and unpack it into a folder:"),
            ("sortie bundle pack -o ../tea.tar && sortie bundle unpack ../tea.tar", "Unpack it into a folder with the name of the bundle:"),
        ],
        "cache list": [
            ("sortie cache list", "List the cached responses of the workspace:"),
            ("sortie cache list --json", "List them as JSON:"),
        ],
        "cache show": [
            (
                "sortie send behaviour/cache/disk && sortie cache show http://127.0.0.1:8080/cache/article",
                "Send an endpoint that is cached on disk, and print the cached body:"
            ),
            ("sortie send behaviour/cache/disk && sortie cache show http://127.0.0.1:8080/cache/article -i", "Print its header as well:"),
        ],
        "cache remove": [
            (
                "sortie send behaviour/cache/disk && sortie cache remove http://127.0.0.1:8080/cache/article",
                "Send an endpoint that is cached on disk, and remove the cached response:"
            ),
            ("sortie send behaviour/cache/disk && sortie cache remove http://127.0.0.1:8080/cache/article --json", "The same as JSON:"),
        ],
        "cache clear": [
            ("sortie cache clear", "Remove all cached responses of the workspace:"),
            ("sortie cache clear --json", "Remove them, and print their number as JSON:"),
        ],
        "secret set": [
            ("echo my-token | sortie secret set shop-token", "Store a secret, to which a workspace refers by {secret: shop-token}:"),
            ("head -c 16 /dev/urandom | base64 | sortie secret set shop-key", "Store the output of a program:"),
        ],
        "secret get": [
            ("echo my-token | sortie secret set shop-token && sortie secret get shop-token | wc -c", "Store a secret, and print it into a pipe:"),
            ("echo my-token | sortie secret set shop-token && sortie secret get shop-token --show-secrets", "Print it on a terminal:"),
        ],
        "secret list": [
            ("sortie secret list", "List the stored secrets without their values:"),
            ("sortie secret list -w .", "List those of a workspace as well:"),
        ],
        "secret forget": [
            ("echo my-token | sortie secret set shop-token && sortie secret forget shop-token", "Store a secret, and remove it:"),
            ("echo my-key | sortie secret set shop-key && sortie secret forget shop-key", "The same with another name:"),
        ],
        "token get": [
            ("sortie token get account/oauth2 | wc -c", "Get the access token of an endpoint, and print it into a pipe:"),
            ("sortie token get account/oauth2 --renew | wc -c", "Replace it by a new one:"),
        ],
        "token list": [
            ("sortie token list", "Show the age and expiry of the stored access tokens:"),
            ("sortie token list --json", "Show them as JSON:"),
        ],
        "token forget": [
            ("sortie token forget --all", "Remove all stored access tokens:"),
            ("sortie token forget -w .", "Remove those of a workspace:"),
        ],
        "self install": [
            ("sortie self install", "Link this program into ~/.local/bin:"),
            ("sortie self install --to ~/opt", "Link it into another folder:"),
        ],
    ]

    /// The examples of the command that the arguments name: those of the subcommand, else of the command.
    static func examples(forHelpOf arguments: [String]) -> [Example] {
        let words = arguments.filter { !$0.hasPrefix("-") && $0 != "help" }
        return all[words.prefix(2).joined(separator: " ")] ?? words.first.flatMap { all[$0] } ?? all["sortie"] ?? []
    }

    /// The end of the help that the arguments request.
    static func text(forHelpOf arguments: [String]) -> String {
        "\nEXAMPLES:\n" + examples(forHelpOf: arguments).map { "  \($0.meaning)\n    \($0.line)\n" }.joined()
    }
}
