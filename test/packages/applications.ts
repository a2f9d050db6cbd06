import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from '@jest/globals'
import { freshAddress } from '../support/mail.ts'
import { NODEMAILER } from './fixtures.ts'
import type { InstalledService } from './installed-service.ts'
import { SPRING_APP, SPRING_POM } from './spring.ts'

const run = promisify(execFile)
const README = fileURLToPath(new URL('../../README.md', import.meta.url))
const SES = JSON.stringify(import.meta.resolve('@aws-sdk/client-sesv2'))

interface Application {
  /** Commands that succeed if the framework can run here; otherwise the test is skipped. */
  needs: string[]
  /** Files of the project by path; `settings` is the code of the README, `to` the recipient. */
  files(settings: string[], to: string): Record<string, string>
  /** Commands that bash runs in the project, with the settings as variables. */
  command: string
}

const APPLICATIONS: Record<string, Application> = {
  Nodemailer: {
    needs: [],
    files: ([transport], to) => ({
      'app.mjs': `import { createTransport } from ${NODEMAILER}
await ${transport}.sendMail({ from: 'app@shop.example', to: '${to}', text: 'Your code is 739105.' })`,
    }),
    command: 'node app.mjs',
  },
  Django: {
    needs: ['python3 -m venv --help'],
    files: (settings, to) => ({
      'settings.py': settings.join('\n'),
      'app.py': `import django, settings
from django.conf import settings as configured
configured.configure(**{name: getattr(settings, name) for name in dir(settings) if name.isupper()})
django.setup()
from django.core.mail import send_mail
send_mail("Welcome", "Your code is 739105.", "app@shop.example", ["${to}"])`,
    }),
    command: 'python3 -m venv env && env/bin/pip install -q "django>=5,<6" && env/bin/python app.py',
  },
  Rails: {
    // Debian's ruby-actionmailer, or the gem.
    needs: [`ruby -e 'require "logger"; require "action_mailer"'`],
    files: ([settings], to) => ({
      'app.rb': `require "logger"
require "ostruct"
require "action_mailer"
config = OpenStruct.new(action_mailer: ActionMailer::Base)
${settings}
class Welcome < ActionMailer::Base
  def code
    mail(from: "app@shop.example", to: "${to}", subject: "Welcome", body: "Your code is 739105.")
  end
end
Welcome.code.deliver_now`,
    }),
    command: 'ruby app.rb',
  },
  Laravel: {
    // Debian's php-laravel-framework. The application is the part of Laravel's skeleton that reads these settings.
    needs: [
      `php -r 'require "Illuminate/autoload.php"; exit(class_exists("Illuminate\\Mail\\MailManager") ? 0 : 1);'`,
    ],
    files: (settings, to) => ({
      '.env': settings.join('\n'),
      'app.php': `<?php
require 'Illuminate/autoload.php';
foreach (file('.env', FILE_IGNORE_NEW_LINES) as $line) putenv($line);
$app = new Illuminate\\Container\\Container();
$app->instance('config', new Illuminate\\Config\\Repository(['mail' => [
  'default' => getenv('MAIL_MAILER'),
  'from' => ['address' => 'app@shop.example', 'name' => 'App'],
  'mailers' => ['smtp' => [
    'transport' => 'smtp', 'host' => getenv('MAIL_HOST'), 'port' => (int) getenv('MAIL_PORT'),
    'encryption' => null, 'username' => null, 'password' => null,
  ]],
]]));
$app->instance('events', new Illuminate\\Events\\Dispatcher($app));
$views = new Illuminate\\View\\Factory(
  new Illuminate\\View\\Engines\\EngineResolver(),
  new Illuminate\\View\\FileViewFinder(new Illuminate\\Filesystem\\Filesystem(), []),
  $app['events'],
);
$app->instance('view', $views);
$manager = new Illuminate\\Mail\\MailManager($app);
$manager->raw('Your code is 739105.', fn ($mail) => $mail->to('${to}')->subject('Welcome'));`,
    }),
    command: 'php app.php',
  },
  'Spring Boot': {
    needs: ['mvn --version', 'javac --version'],
    files: (settings, to) => ({
      'pom.xml': SPRING_POM,
      'src/main/resources/application.properties': `${settings.join('\n')}\nmail.to=${to}\n`,
      'src/main/java/shop/App.java': SPRING_APP,
    }),
    command: 'mvn --quiet --batch-mode compile exec:java -Dexec.mainClass=shop.App',
  },
  'AWS SES (any SDK)': {
    needs: [],
    files: (_settings, to) => ({
      'app.mjs': `import { SendEmailCommand, SESv2Client } from ${SES}
const Content = { Simple: { Subject: { Data: 'Welcome' }, Body: { Text: { Data: 'Your code is 739105.' } } } }
const credentials = { accessKeyId: 'any', secretAccessKey: 'any' }
await new SESv2Client({ region: 'us-east-1', credentials }).send(
  new SendEmailCommand({ FromEmailAddress: 'app@shop.example', Destination: { ToAddresses: ['${to}'] }, Content }),
)`,
    }),
    command: 'node app.mjs',
  },
  Resend: {
    needs: [],
    files: (_settings, to) => ({
      'app.mjs': `import { Resend } from ${JSON.stringify(import.meta.resolve('resend'))}
const mail = { from: 'app@shop.example', to: '${to}', subject: 'Welcome', text: 'Your code is 739105.' }
const { error } = await new Resend('re_any').emails.send(mail)
if (error) throw new Error(error.message)`,
    }),
    command: 'node app.mjs',
  },
}

/** The table of the README, "Point your application here": every row sends a mail with its framework. */
export function applicationTests(started: () => InstalledService): void {
  describe('the settings of the README', () => {
    test('every row of the table has a test', async () => {
      expect(Object.keys(await settings(started()))).toEqual(Object.keys(APPLICATIONS))
    })

    test.each(Object.entries(APPLICATIONS))(
      '%s',
      async (name, { needs, files, command }) => {
        for (const check of needs) {
          const found = await run('bash', ['-c', check]).catch(() => undefined)
          if (found !== undefined) continue
          process.stderr.write(`LEFT OUT: ${name}, because this fails: ${check}\n`)
          return
        }
        const code = (await settings(started()))[name] ?? []
        const to = freshAddress()
        const project = join(started().folder, 'applications', name.replace(/\W/g, ''))
        for (const [path, text] of Object.entries(files(code, to))) {
          await mkdir(dirname(join(project, path)), { recursive: true })
          await writeFile(join(project, path), text)
        }
        const variables = code.flatMap((line) =>
          /^[A-Z_]+_(URL|SESV2)=/.test(line) ? [line.split('=')] : [],
        )
        const env = {
          ...process.env,
          PATH: `${join(process.execPath, '..')}:${process.env.PATH}`,
          ...Object.fromEntries(variables),
        }
        const options = { cwd: project, env, maxBuffer: 2 ** 24 }
        await run('bash', ['-euo', 'pipefail', '-c', command], options).catch(
          (error: Error & { stdout: string; stderr: string }) => {
            throw new Error(`${error.stdout}${error.stderr}`, { cause: error })
          },
        )
        const answer = await fetch(`${started().url}/api/public/emails/${to}`)
        expect(await answer.json()).toMatchObject({ emails: [{ codes: ['739105'] }] })
      },
      300_000,
    )
  })
}

/** The code of each row, with the addresses of this service in place of those of the README. */
async function settings({ url, smtp }: InstalledService): Promise<Record<string, string[]>> {
  const [, section = ''] = (await readFile(README, 'utf8')).split('## Point your application here')
  const [table = ''] = section.split('\n## ')
  const rows = [...table.matchAll(/^\| ([^|`]+?) \| (`.*`) \|$/gm)]
  return Object.fromEntries(
    rows.map(([, name = '', cell = '']) => [
      name,
      [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) =>
        code
          .replace('http://127.0.0.1:8025', url)
          .replace('127.0.0.1', smtp.host)
          .replace('1025', String(smtp.port)),
      ),
    ]),
  )
}
