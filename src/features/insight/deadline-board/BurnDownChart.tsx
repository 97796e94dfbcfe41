/** Lines of what is left of a pickup against time; loaded only where it is shown. */
import '@mantine/charts/styles.layer.css'
import { LineChart } from '@mantine/charts'
import { number, time } from '#ui/kit/format.ts'
import { useT } from '#ui/kit/translate.ts'
import { hourMarks } from './board-words.client.ts'
import { burnDownRows } from './burn-down.rules.ts'
import type { BurnDown } from './deadline-board.schemas.ts'

const sizes = {
  desk: { tick: 12, line: 2, axis: 40, height: 24, margin: 4 },
  // Read from five metres.
  television: { tick: '2.4vh', line: 6, axis: 90, height: 56, margin: 20 },
}

export default function BurnDownChart({ of: burnDown, due, size }: { of: BurnDown; due: number; size: keyof typeof sizes }) {
  const t = useT()
  const rows = burnDownRows(burnDown)
  const from = rows[0]?.at ?? due
  const { tick, line, axis, height, margin } = sizes[size]
  const shown = { fontSize: tick, fill: 'currentColor' }
  return (
    <LineChart
      h="100%"
      data={rows.map(row => ({ ...row }))}
      dataKey="at"
      series={[
        { name: 'needed', label: t('Even pace'), color: 'var(--burn-needed)', curveType: 'linear' },
        {
          name: 'forecast',
          label: t('Forecast'),
          color: 'var(--burn-forecast)',
          curveType: 'linear',
          strokeDasharray: `${line * 3} ${line * 2}`,
        },
        { name: 'left', label: t('Left'), color: 'var(--burn-left)', curveType: 'stepAfter' },
      ]}
      textColor="var(--burn-text)"
      withDots={false}
      withTooltip={size === 'desk'}
      strokeWidth={line}
      valueFormatter={value => number(Math.round(value))}
      tickLine="none"
      gridAxis="x"
      lineProps={{ isAnimationActive: false }}
      tooltipProps={{ labelFormatter: at => (typeof at === 'number' ? time(at) : '') }}
      referenceLines={[{ x: due, color: 'var(--burn-due)' }]}
      yAxisProps={{ width: axis, allowDecimals: false, tick: shown, tickCount: 4 }}
      xAxisProps={{
        ...{ type: 'number', domain: [from, due], ticks: hourMarks(from, due), tickFormatter: (at: number) => time(at) },
        ...{ height, tick: shown, tickMargin: margin, minTickGap: 24 },
      }}
    />
  )
}
