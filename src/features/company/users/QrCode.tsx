/** A QR code, drawn by a library that loads when it is needed. */
import { useEffect, useState } from 'react'

export function QrCode({ text, label }: { text: string; label: string }) {
  const [source, setSource] = useState('')
  // The outside system is the program that draws codes.
  useEffect(() => {
    let shown = true
    import('uqr')
      .then(({ renderSVG }) => {
        const svg = renderSVG(text, { border: 2, pixelSize: 6 })
        if (shown) setSource(`data:image/svg+xml,${encodeURIComponent(svg)}`)
      })
      .catch(() => undefined)
    return () => {
      shown = false
    }
  }, [text])
  return source ? <img src={source} alt={label} width={176} height={176} /> : <div style={{ width: 176, height: 176 }} />
}
