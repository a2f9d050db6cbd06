import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type RunningService, startService } from '../support/service.ts'

const run = promisify(execFile)

/**
 * Each program sends one mail with the SMTP client of its language. Its arguments: port, user, password, recipient, and
 * the file with the certificate to trust, or `-` for no STARTTLS.
 */
const PYTHON = `
import smtplib, ssl, sys
port, user, password, to, cert = sys.argv[1:]
with smtplib.SMTP("localhost", int(port), timeout=30) as smtp:
    if cert != "-":
        smtp.starttls(context=ssl.create_default_context(cafile=cert))
    smtp.login(user, password)
    smtp.sendmail("app@example.com", [to], "Subject: From Python\\r\\n\\r\\nYour code is 739105.\\r\\n")
`

const NODEMAILER = `
import { readFileSync } from 'node:fs'
import nodemailer from 'nodemailer'
const [port, user, pass, to, cert] = process.argv.slice(2)
const tls = cert === '-' ? { ignoreTLS: true } : { requireTLS: true, tls: { ca: readFileSync(cert) } }
const transport = nodemailer.createTransport({ host: 'localhost', port: Number(port), auth: { user, pass }, ...tls })
await transport.sendMail({ from: 'app@example.com', to, subject: 'From Node', text: 'Your code is 739105.' })
transport.close()
`

const GO = `package main

import (
	"crypto/tls"
	"crypto/x509"
	"log"
	"net/smtp"
	"os"
)

func main() {
	port, user, password, to, cert := os.Args[1], os.Args[2], os.Args[3], os.Args[4], os.Args[5]
	client, err := smtp.Dial("localhost:" + port)
	check(err)
	check(client.Hello("localhost"))
	if cert != "-" {
		pem, err := os.ReadFile(cert)
		check(err)
		roots := x509.NewCertPool()
		if !roots.AppendCertsFromPEM(pem) {
			log.Fatal("the certificate is not PEM")
		}
		check(client.StartTLS(&tls.Config{RootCAs: roots, ServerName: "localhost"}))
	}
	check(client.Auth(smtp.PlainAuth("", user, password, "localhost")))
	check(client.Mail("app@example.com"))
	check(client.Rcpt(to))
	data, err := client.Data()
	check(err)
	_, err = data.Write([]byte("Subject: From Go\\r\\n\\r\\nYour code is 739105.\\r\\n"))
	check(err)
	check(data.Close())
	check(client.Quit())
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
`

const JAVA = `
import jakarta.mail.*;
import jakarta.mail.internet.*;
import java.io.FileInputStream;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Properties;
import javax.net.ssl.*;

public class Send {
  public static void main(String[] args) throws Exception {
    var properties = new Properties();
    properties.put("mail.smtp.host", "localhost");
    properties.put("mail.smtp.port", args[0]);
    properties.put("mail.smtp.auth", "true");
    if (!args[4].equals("-")) {
      var store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null);
      try (var pem = new FileInputStream(args[4])) {
        store.setCertificateEntry("mayfly", CertificateFactory.getInstance("X.509").generateCertificate(pem));
      }
      var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store);
      var context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      properties.put("mail.smtp.starttls.enable", "true");
      properties.put("mail.smtp.starttls.required", "true");
      properties.put("mail.smtp.ssl.checkserveridentity", "true");
      properties.put("mail.smtp.ssl.socketFactory", context.getSocketFactory());
    }
    var session = Session.getInstance(properties, new Authenticator() {
      protected PasswordAuthentication getPasswordAuthentication() {
        return new PasswordAuthentication(args[1], args[2]);
      }
    });
    var message = new MimeMessage(session);
    message.setFrom("app@example.com");
    message.setRecipients(Message.RecipientType.TO, args[3]);
    message.setSubject("From Java");
    message.setText("Your code is 739105.");
    Transport.send(message);
  }
}
`

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
    <plugin><groupId>org.codehaus.mojo</groupId><artifactId>exec-maven-plugin</artifactId><version>3.5.0</version></plugin>
  </plugins></build>
  <dependencies>
    <dependency><groupId>org.eclipse.angus</groupId><artifactId>angus-mail</artifactId><version>2.0.3</version></dependency>
  </dependencies>
</project>
`

interface Client {
  language: string
  /** Commands that must answer. */
  tools: string[][]
  files: Record<string, string>
  command: (args: string[]) => string[]
}

const CLIENTS: Client[] = [
  {
    language: 'Python',
    tools: [['python3', '--version']],
    files: { 'send.py': PYTHON },
    command: (args) => ['python3', 'send.py', ...args],
  },
  {
    language: 'Node.js with Nodemailer',
    tools: [],
    files: { 'send.mjs': NODEMAILER },
    command: (args) => [process.execPath, 'send.mjs', ...args],
  },
  {
    language: 'Go',
    tools: [['go', 'version']],
    files: { 'go.mod': 'module send\n\ngo 1.18\n', 'send.go': GO },
    command: (args) => ['go', 'run', '.', ...args],
  },
  {
    language: 'Java with JavaMail',
    tools: [
      ['mvn', '--version'],
      ['javac', '--version'],
    ],
    files: { 'pom.xml': POM, 'src/main/java/Send.java': JAVA },
    command: (args) => [
      ...['mvn', '--quiet', '--batch-mode', 'compile', 'exec:java', '-Dexec.mainClass=Send'],
      `-Dexec.args=${args.join(' ')}`,
    ],
  },
]

const MODES: { what: string; user: string; password: string; tls: boolean; env: Record<string, string> }[] = [
  { what: 'any credentials', user: 'anyone', password: 'anything', tls: false, env: {} },
  {
    what: 'one credential and STARTTLS with the self-signed certificate',
    user: 'app',
    password: 'secret',
    tls: true,
    env: { MAYFLY_SMTP_AUTH: 'app:secret', MAYFLY_TLS: 'self-signed' },
  },
]

describe.each(MODES)('SMTP clients that log in with $what', ({ user, password, tls, env }) => {
  let service: RunningService

  beforeAll(async () => {
    service = await startService({ MAYFLY_CATCH_ALL: 'on', ...env })
  })
  afterAll(() => service?.stop())

  test.each(CLIENTS)(
    '$language delivers',
    async ({ language, tools, files, command }) => {
      for (const [tool = '', ...args] of tools) {
        if (await run(tool, args).catch(() => undefined)) continue
        process.stderr.write(
          `LEFT OUT: the SMTP client of ${language} needs ${tool}, which is not installed.\n`,
        )
        return
      }
      // Below this folder, so that Node.js finds Nodemailer.
      const folder = await mkdtemp(join(language.startsWith('Node') ? process.cwd() : tmpdir(), '.smtp-'))
      try {
        for (const [path, text] of Object.entries(files)) {
          await mkdir(dirname(join(folder, path)), { recursive: true })
          await writeFile(join(folder, path), text)
        }
        const address = `jo.${language.slice(0, 2).toLowerCase()}@customer.example`
        const certificate = tls ? join(service.dataDir, 'smtp-cert.pem') : '-'
        const [program = '', ...args] = command([
          String(service.smtp.port),
          user,
          password,
          address,
          certificate,
        ])
        await run(program, args, { cwd: folder }).catch(
          (error: Error & { stdout: string; stderr: string }) => {
            throw new Error(error.stdout + error.stderr, { cause: error })
          },
        )
        const answer = await fetch(`${service.http}/api/public/emails/${address}`)
        expect(await answer.json()).toMatchObject({ emails: [{ codes: ['739105'], address }] })
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
    300_000,
  )
})
