/** Files that browsers and crawlers request by a fixed name; used when the pages are built. */

/** Crawlers may read the pages, and have no reason to call the API. */
export const ROBOTS = `User-agent: *
Allow: /
Disallow: /api/
`

/** @param icons the paths of the icons, by their width in pixels */
export function webManifest(icons: Readonly<Record<number, string>>): string {
  const manifest = {
    name: 'Mayfly',
    short_name: 'Mayfly',
    description: 'A disposable mailbox that shows mail as it arrives.',
    start_url: './',
    display: 'standalone',
    background_color: '#ffffff',
    theme_color: '#0d6e78',
    icons: Object.entries(icons).map(([width, src]) => ({
      src,
      sizes: `${width}x${width}`,
      type: 'image/png',
      purpose: 'any maskable',
    })),
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}

/** An ICO file that contains one PNG image of at most 256 pixels. */
export function icoOf(png: Uint8Array, width: number): Uint8Array {
  const header = Buffer.alloc(22)
  // Type 1 is an icon, with one image.
  header.writeUInt16LE(1, 2)
  header.writeUInt16LE(1, 4)
  header.writeUInt8(width % 256, 6)
  header.writeUInt8(width % 256, 7)
  header.writeUInt16LE(1, 10)
  header.writeUInt16LE(32, 12)
  header.writeUInt32LE(png.length, 14)
  header.writeUInt32LE(header.length, 18)
  return Buffer.concat([header, png])
}
