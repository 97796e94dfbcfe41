/** A bar chart of one figure by day; loaded only where a chart is shown. */
import '@mantine/charts/styles.layer.css'
import { BarChart } from '@mantine/charts'
import { day } from '#ui/kit/format.ts'

export interface DayFigure {
  day: string
  value: number
}

export default function DayChart({ label, days, write }: { label: string; days: readonly DayFigure[]; write: (value: number) => string }) {
  return (
    <BarChart
      h="100%"
      data={days.map(one => ({ day: day(one.day), [label]: one.value }))}
      dataKey="day"
      series={[{ name: label, color: 'var(--action)' }]}
      valueFormatter={write}
      tickLine="none"
      gridAxis="x"
      yAxisProps={{ width: 64 }}
      xAxisProps={{ minTickGap: 24 }}
      barProps={{ isAnimationActive: false, maxBarSize: 48 }}
    />
  )
}
