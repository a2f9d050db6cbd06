/** The examples of the API documentation. test/e2e/examples.test.ts runs each of them unchanged. */

export interface Example {
  id: string
  label: string
  note: string
  code: (base: string) => string
}

const CURL = (base: string) => `# Once: generate an API key and keep it. It is shown only now.
KEY=$(curl -s -X POST ${base}/api/keys | jq -r .key)

# In every test: an unused address.
USERNAME=$(curl -s ${base}/api/random-username | jq -r .username)
DOMAIN=$(curl -s ${base}/api/domains/random | jq -r .domain)
ADDRESS="$USERNAME@$DOMAIN"
echo "address: $ADDRESS"

# Let your application send its email to $ADDRESS, then wait for the code:
curl -s -H "X-API-Key: $KEY" "${base}/api/emails/$ADDRESS/wait?has=code&timeout=25" |
  jq -r '.email.codes[0]'
`

const JAVASCRIPT = (base: string) => `const base = '${base}'
const get = async (path, headers = {}) => (await fetch(base + path, { headers })).json()

// Once: generate an API key and keep it. It is shown only now.
const { key } = await (await fetch(base + '/api/keys', { method: 'POST' })).json()

// In every test: an unused address.
const { username } = await get('/api/random-username')
const { domain } = await get('/api/domains/random')
const address = \`\${username}@\${domain}\`
console.log('address:', address)

// Let your application send its email to the address, then wait for the code:
const path = \`/api/emails/\${encodeURIComponent(address)}/wait?has=code&timeout=25\`
const { email } = await get(path, { 'X-API-Key': key })
console.log(email?.codes[0])
`

const PYTHON = (base: string) => `import json
from urllib.parse import quote
from urllib.request import Request, urlopen

BASE = "${base}"

def call(path, method="GET", **headers):
    with urlopen(Request(BASE + path, method=method, headers=headers)) as answer:
        return json.load(answer)

# Once: generate an API key and keep it. It is shown only now.
key = call("/api/keys", "POST")["key"]

# In every test: an unused address.
username = call("/api/random-username")["username"]
domain = call("/api/domains/random")["domain"]
address = f"{username}@{domain}"
print("address:", address, flush=True)

# Let your application send its email to the address, then wait for the code:
path = f"/api/emails/{quote(address)}/wait?has=code&timeout=25"
email = call(path, **{"X-API-Key": key})["email"]
print(email and email["codes"][0])
`

const CI = (base: string) => `# GitHub Actions; other pipelines use the same commands.
# Add an API key to the repository's secrets as MAYFLY_KEY.
jobs:
  sign-up:
    runs-on: ubuntu-latest
    env:
      MAYFLY: ${base}
      MAYFLY_KEY: \${{ secrets.MAYFLY_KEY }}
    steps:
      - uses: actions/checkout@v4
      - name: Choose an address
        run: |
          USERNAME=$(curl -sf $MAYFLY/api/random-username | jq -r .username)
          DOMAIN=$(curl -sf $MAYFLY/api/domains/random | jq -r .domain)
          echo "ADDRESS=$USERNAME@$DOMAIN" >> "$GITHUB_ENV"
      - name: Sign up
        run: ./sign-up.sh "$ADDRESS"
      - name: Read the code
        run: |
          CODE=$(curl -sf -H "X-API-Key: $MAYFLY_KEY" \\
            "$MAYFLY/api/emails/$ADDRESS/wait?has=code&timeout=25" | jq -er '.email.codes[0]')
          ./confirm.sh "$ADDRESS" "$CODE"
`

export const EXAMPLES: Example[] = [
  { id: 'curl', label: 'curl', note: 'Requires jq, which reads the JSON.', code: CURL },
  {
    id: 'javascript',
    label: 'JavaScript',
    note: 'For Node 18 or newer, Deno, Bun and browsers, without a package.',
    code: JAVASCRIPT,
  },
  { id: 'python', label: 'Python', note: 'Uses only the standard library.', code: PYTHON },
  {
    id: 'ci',
    label: 'CI pipeline',
    note: 'Tests the sign-up of your application with a real email.',
    code: CI,
  },
]
