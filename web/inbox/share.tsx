import { useEffect, useState } from 'preact/hooks'
import { isLoopbackName } from '../../core/access/loopback.ts'
import { baseUrl } from '../lib/base.ts'
import { placeHash } from '../lib/place.ts'
import { Command } from '../ui/command.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { IconButton } from '../ui/icon-button.tsx'

/** Opens a dialog with a link to the inbox, also as a QR code for a phone. */
export function ShareButton({ address }: { address: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <IconButton icon="share" label="Share this inbox" onClick={() => setOpen(true)} />
      {isOpen && (
        <Dialog title="Share this inbox" onClose={() => setOpen(false)}>
          <p>Anyone with this link can read the inbox. A private domain still asks for its key.</p>
          <Command text={`${baseUrl()}/${placeHash({ address })}`} what="link" />
          {isLoopbackName(location.hostname) && (
            <p class="notice">Only this computer can open the link, because the service runs on it.</p>
          )}
          <QrCode text={`${baseUrl()}/${placeHash({ address })}`} label="QR code of the link" />
        </Dialog>
      )}
    </>
  )
}

/** The library is loaded when the first code is shown. */
function QrCode({ text, label }: { text: string; label: string }) {
  const [path, setPath] = useState<{ d: string; size: number }>()
  useEffect(() => {
    import('uqr').then(({ encode }) => {
      const { data, size } = encode(text, { border: 2 })
      const cells = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
      setPath({ d: cells.join(''), size })
    })
  }, [text])
  if (path === undefined) return <p class="nothing">Drawing the QR code…</p>
  return (
    <svg class="qr" viewBox={`0 0 ${path.size} ${path.size}`} role="img" aria-label={label}>
      <path d={path.d} />
    </svg>
  )
}
