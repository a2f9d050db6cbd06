import { isLoopbackName } from '../../core/access/loopback.ts'
import { ownKeyFile } from '../inbox/snippets.ts'

/** The examples of the API documentation. test/e2e/examples.test.ts runs each of them unchanged. */

export interface Example {
  id: string
  label: string
  note: string
  code: (base: string) => string
}

const CURL = (base: string) => `${keyLines(base)}

# In every test: an unused address.
USERNAME=$(curl -s ${base}/api/random-username | jq -r .username)
DOMAIN=$(curl -s ${base}/api/domains/random | jq -r .domain)
ADDRESS="$USERNAME@$DOMAIN"
echo "address: $ADDRESS"

# Let your application send its email to $ADDRESS, then wait for the code:
curl -s -H "X-API-Key: $KEY" "${base}/api/emails/$ADDRESS/wait?has=code&timeout=25" |
  jq -r '.email.codes[0]'
`

/** A service of this machine has a key for its user already; a network gets few new ones a day. */
function keyLines(base: string): string {
  if (isLoopbackName(new URL(base).hostname))
    return `# The key that the service on this machine wrote for you.
KEY=\${MAYFLY_API_KEY:-$(cat ${ownKeyFile(base)})}`
  return `# Once: generate an API key and keep it. It is shown only now.
KEY=$(curl -s -X POST ${base}/api/keys | jq -r .key)`
}

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
  { id: 'shell', label: 'Shell', note: 'From a key to a code, without a package. Needs jq.', code: CURL },
  {
    id: 'ci',
    label: 'CI pipeline',
    note: 'Tests the sign-up of your application with a real email.',
    code: CI,
  },
]
