/** The path below which a proxy serves these pages, without a slash at its end: built scripts are in its folder assets. */
export const BASE_PATH = basePathOf(import.meta.url)

/** The base URL of the service, as this browser reaches it. */
export function baseUrl(): string {
  return location.origin + BASE_PATH
}

/** @param script the URL of a built script */
function basePathOf(script: string): string {
  const { pathname } = new URL(script)
  return pathname.slice(0, Math.max(pathname.lastIndexOf('/assets/'), 0))
}
