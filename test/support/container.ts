import { readFileSync } from 'node:fs'

/** The last stage of the Dockerfile, one instruction in a line. */
export const IMAGE_STAGE = lastStage()

/** The service's variables in the image, without its data folder: the configuration of the container. */
export const CONTAINER_ENV: Record<string, string> = Object.fromEntries(
  (/^ENV (.*)$/m.exec(IMAGE_STAGE)?.[1] ?? '')
    .split(' ')
    .map((pair) => pair.split('=') as [string, string])
    .filter(([name]) => name.startsWith('MAYFLY_') && name !== 'MAYFLY_DATA_DIR'),
)

function lastStage(): string {
  const file = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8')
  return file.slice(file.lastIndexOf('\nFROM ')).replaceAll('\\\n', ' ')
}
