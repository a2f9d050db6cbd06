import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The application under test: it sends a code to the given address. */
const SIGN_UP_PY = `
import subprocess
def sign_up(address):
    subprocess.run(["mayfly", "send", address, "--text", "Your code is 739105."], check=True, stdout=subprocess.DEVNULL)
for name, test in list(globals().items()):
    if name.startswith("test_"): test(sign_up)
`

const SIGN_UP_GO = `package signup

import (
	"os/exec"
	"testing"
)

func signUp(t *testing.T, address string) {
	output, err := exec.Command("mayfly", "send", address, "--text", "Your code is 739105.").CombinedOutput()
	if err != nil {
		t.Fatal(string(output))
	}
}
`

const SIGN_UP_JAVA = `class App {
  static void signUp(String address) throws Exception {
    var send = new ProcessBuilder("mayfly", "send", address, "--text", "Your code is 739105.");
    if (send.redirectErrorStream(true).start().waitFor() != 0) throw new Exception("not sent");
  }
}
`

/**
 * The plugins have fixed versions because the defaults of an old Maven do not support a current
 * Java.
 */
const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>consumer</groupId><artifactId>consumer</artifactId><version>1</version>
  <properties>
    <maven.compiler.release>17</maven.compiler.release>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <build><plugins>
    <plugin><artifactId>maven-resources-plugin</artifactId><version>3.3.1</version></plugin>
    <plugin><artifactId>maven-compiler-plugin</artifactId><version>3.14.0</version></plugin>
    <plugin><artifactId>maven-surefire-plugin</artifactId><version>3.5.4</version></plugin>
  </plugins></build>
  <dependencies>
    <dependency>
      <groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId><version>5.13.4</version>
    </dependency>
    <dependency>
      <groupId>com.fasterxml.jackson.core</groupId><artifactId>jackson-databind</artifactId><version>2.20.0</version>
    </dependency>
  </dependencies>
</project>
`

interface Language {
  /** Commands that must succeed; otherwise the snippets are skipped. */
  tools: string[][]
  /** The files of the project by path; one of them contains the snippet. */
  files(code: string): Record<string, string>
  command: string[]
}

const LANGUAGES: Record<string, Language> = {
  python: {
    tools: [['python3', '--version']],
    files: (code) => ({ 'test_sign_up.py': code + SIGN_UP_PY }),
    command: ['python3', 'test_sign_up.py'],
  },
  go: {
    tools: [['go', 'version']],
    files: (code) => ({
      'go.mod': 'module signup\n\ngo 1.18\n',
      'sign_up_test.go': code,
      'app_test.go': SIGN_UP_GO,
    }),
    command: ['go', 'test', '-count=1', './...'],
  },
  java: {
    tools: [
      ['mvn', '--version'],
      ['javac', '--version'],
    ],
    files: (code) => ({
      'pom.xml': POM,
      'src/test/java/SignUpTest.java': code,
      'src/test/java/App.java': SIGN_UP_JAVA,
    }),
    // The command fails if it finds no test.
    command: ['mvn', '--quiet', '--batch-mode', 'test', '-Dsurefire.failIfNoTests=true'],
  },
}

export function isOtherLanguage(language: string): boolean {
  return language in LANGUAGES
}

/** Runs a snippet in a new project in `folder`; an error contains the output. */
export async function runOtherLanguage(
  language: string,
  folder: string,
  code: string,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const { tools, files, command } = LANGUAGES[language]!
  for (const [tool, ...args] of tools) {
    const there = await run(tool!, args).catch(() => undefined)
    if (there !== undefined) continue
    process.stderr.write(`LEFT OUT: the snippet in ${language} needs ${tool}.\n`)
    return
  }
  for (const [path, text] of Object.entries(files(code))) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  const [program, ...args] = command
  // Go and Maven have their caches in the home folder of the user.
  const options = { cwd: folder, env: { ...env, HOME: process.env.HOME } }
  await run(program!, args, options).catch((error: Error & { stdout: string; stderr: string }) => {
    throw new Error(error.stdout + error.stderr, { cause: error })
  })
}
