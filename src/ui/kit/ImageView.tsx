/** A product's picture. A missing one is drawn with its SKU, never a broken image. */
import { useEffect, useState } from 'react'
import type { Call } from '#contract/endpoint.ts'
import { send } from '#ui/query/calls.ts'

/** Pictures are fetched with the header, so the browser's own cache cannot show them by address: their blobs are kept here. */
const kept = new Map<string, { url: Promise<string | null>; used: number }>()
const mostKept = 300

function pictureUrl(call: Call, input: Record<string, unknown>, version: string): Promise<string | null> {
  const key = `${call.line} ${JSON.stringify(input)} ${version}`
  const known = kept.get(key)
  if (known) {
    known.used = Date.now()
    return known.url
  }
  const url = send(call, input).then(
    file => (file instanceof Blob && file.size > 0 ? URL.createObjectURL(file) : null),
    () => null,
  )
  kept.set(key, { url, used: Date.now() })
  if (kept.size > mostKept) dropOldest()
  return url
}

function dropOldest(): void {
  const [oldest] = [...kept].toSorted(([, one], [, other]) => one.used - other.used)
  if (!oldest) return
  kept.delete(oldest[0])
  void oldest[1].url.then(url => url && URL.revokeObjectURL(url))
}

export interface ImageViewProps {
  /** The file call and its fields; null when there is no picture. */
  from: { call: Call; input: Record<string, unknown> } | null
  /** Drawn when there is none, and read out. */
  sku: string
  name?: string
  /** Of the square that it fills; `whole`: in its own shape, as large as a dialog on this screen holds. */
  size?: number | string
  /** Changes when the picture changes. */
  version?: string | number | null
}

export function ImageView({ from, sku, name, size = 40, version = '' }: ImageViewProps) {
  const [url, setUrl] = useState<string | null>(null)
  const key = from ? `${from.call.line} ${JSON.stringify(from.input)} ${version ?? ''}` : ''
  // The outside system is the store of pictures; the key names everything that the fetch depends on.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `from` is a new object at every render and is compared by its key
  useEffect(() => {
    let gone = false
    setUrl(null)
    if (from) void pictureUrl(from.call, from.input, String(version ?? '')).then(found => gone || setUrl(found))
    return () => {
      gone = true
    }
  }, [key])
  const label = name ? `${name} (${sku})` : sku
  const isWhole = size === 'whole'
  const square = isWhole ? 'min(75vw, 40dvh)' : size
  const frame = {
    width: square,
    height: square,
    borderRadius: 'var(--r)',
    border: '1px solid var(--edge)',
    flex: 'none',
    display: 'block',
  } as const
  if (url)
    return (
      <img
        src={url}
        alt={label}
        style={{
          ...frame,
          objectFit: 'contain',
          background: 'var(--picture-ground)',
          ...(isWhole && { width: 'auto', height: 'auto', maxWidth: 'min(80vw, 100%)', maxHeight: '62dvh', marginInline: 'auto' }),
        }}
        onError={() => setUrl(null)}
      />
    )
  return <DrawnPicture sku={sku} label={label} frame={frame} />
}

/** A box with the SKU on it; the SKU's letters choose its height, so that neighbours can be distinguished. */
function DrawnPicture({ sku, label, frame }: { sku: string; label: string; frame: React.CSSProperties }) {
  const lift = [...sku].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 4
  const shown = sku.length > 10 ? `${sku.slice(0, 9)}…` : sku
  return (
    <svg viewBox="0 0 64 64" style={{ ...frame, background: 'var(--sunken)', color: 'var(--ink-dim)' }} role="img">
      <title>{label}</title>
      <path
        d={`M14 ${24 - lift} 32 ${15 - lift}l18 9v18L32 51 14 42zm0 0 18 9 18-9M32 ${33 - lift}V51`}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.2"
        strokeLinejoin="round"
        opacity="0.55"
      />
      <text x="32" y="61" textAnchor="middle" fontSize={shown.length > 7 ? 7.5 : 9} fill="currentColor">
        {shown}
      </text>
    </svg>
  )
}
