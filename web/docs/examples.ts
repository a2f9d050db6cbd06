/** The examples of the API page. They are run as they stand by test/e2e/examples.test.ts. */

export interface Example {
  id: string
  label: string
  note: string
  code: (base: string) => string
}

const CURL = (base: string) => `# Once: an API key. Keep it, it is shown this one time.
KEY=$(curl -s -X POST ${base}/api/keys | jq -r .key)

# For every test: an address that nobody used before.
USERNAME=$(curl -s ${base}/api/random-username | jq -r .username)
DOMAIN=$(curl -s ${base}/api/domains/random | jq -r .domain)
ADDRESS="$USERNAME@$DOMAIN"
echo "address: $ADDRESS"

# … let your application send its mail to $ADDRESS, then wait for the code:
curl -s -H "X-API-Key: $KEY" "${base}/api/emails/$ADDRESS/wait?has=code&timeout=25" |
  jq -r '.email.codes[0]'
`

const JAVASCRIPT = (base: string) => `const base = '${base}'
const get = async (path, headers = {}) => (await fetch(base + path, { headers })).json()

// Once: an API key. Keep it, it is shown this one time.
const { key } = await (await fetch(base + '/api/keys', { method: 'POST' })).json()

// For every test: an address that nobody used before.
const { username } = await get('/api/random-username')
const { domain } = await get('/api/domains/random')
const address = \`\${username}@\${domain}\`
console.log('address:', address)

// … let your application send its mail to the address, then wait for the code:
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

# Once: an API key. Keep it, it is shown this one time.
key = call("/api/keys", "POST")["key"]

# For every test: an address that nobody used before.
username = call("/api/random-username")["username"]
domain = call("/api/domains/random")["domain"]
address = f"{username}@{domain}"
print("address:", address, flush=True)

# … let your application send its mail to the address, then wait for the code:
path = f"/api/emails/{quote(address)}/wait?has=code&timeout=25"
email = call(path, **{"X-API-Key": key})["email"]
print(email and email["codes"][0])
`

const CI = (base: string) => `# GitHub Actions; the steps are the same elsewhere.
# Put an API key into the repository's secrets as MAYFLY_KEY.
jobs:
  sign-up:
    runs-on: ubuntu-latest
    env:
      MAYFLY: ${base}
      MAYFLY_KEY: \${{ secrets.MAYFLY_KEY }}
    steps:
      - uses: actions/checkout@v4
      - name: Take an address
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
  { id: 'curl', label: 'curl', note: 'With jq to read the JSON.', code: CURL },
  {
    id: 'javascript',
    label: 'JavaScript',
    note: 'Node 18 or newer, Deno, Bun or a browser; no package.',
    code: JAVASCRIPT,
  },
  { id: 'python', label: 'Python', note: 'The standard library only.', code: PYTHON },
  {
    id: 'ci',
    label: 'CI pipeline',
    note: 'The sign-up of your application, tested with a real mail.',
    code: CI,
  },
]
