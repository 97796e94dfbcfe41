/** Bars of what came in, was packed and left, side by side; loaded only where it is shown. */
import '@mantine/charts/styles.layer.css'
import { BarChart } from '@mantine/charts'
import { number } from '#ui/kit/format.ts'
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
    <BarChart
      h="100%"
      data={points.map(point => ({ ...point }))}
      dataKey="name"
      series={[
        { name: 'received', label: t('Received'), color: 'var(--ink-dim)' },
        { name: 'packed', label: t('Packed'), color: 'var(--action)' },
        { name: 'handed_over', label: t('Handed over'), color: 'var(--done)' },
      ]}
      valueFormatter={value => number(value)}
      tickLine="none"
      gridAxis="x"
      yAxisProps={{ width: 48, allowDecimals: false }}
      xAxisProps={{ minTickGap: 24 }}
      barProps={{ isAnimationActive: false, maxBarSize: 24 }}
    />
  )
}
