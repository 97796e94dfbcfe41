/** Bars of what came in, was packed and left, side by side; loaded only where it is shown. */
import Bars from '#ui/kit/Bars.tsx'
import { useT } from '#ui/kit/translate.ts'

interface Point {
  name: string
  received: number
  packed: number
  handed_over: number
}

export default function ActivityChart({ points }: { points: readonly Point[] }) {
  const t = useT()
  return (
    <Bars
      points={points.map(point => ({ ...point }))}
      series={[
        { key: 'received', label: t('Received'), color: 'var(--ink-dim)' },
        { key: 'packed', label: t('Packed'), color: 'var(--action)' },
        { key: 'handed_over', label: t('Handed over'), color: 'var(--done)' },
      ]}
    />
  )
}
