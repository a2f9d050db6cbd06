/**
 * Leaves the log of the programs of AWS out of the output of the tests: they write each line to
 * standard output (service/aws-log.ts), past the console that Jest holds back. Tests read the log
 * with `collectLog`.
 */
const write = process.stdout.write.bind(process.stdout)
process.stdout.write = ((chunk: string | Uint8Array, ...rest: []) =>
  /^\{"(?:level|_aws)":/.test(String(chunk)) || write(chunk, ...rest)) as typeof process.stdout.write
