interface World {
  Mayfly: unknown
  MailTimeoutError: unknown
  UnexpectedMailError: unknown
  url: string
  apiKey: string
  post: (mail: object) => Promise<void>
}

export const SCENARIOS: Record<string, (world: World) => Promise<void>>
export function runAll(world: World): Promise<string[]>
