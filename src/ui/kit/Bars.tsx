/** A bar chart of figures by name; heavy, so it is loaded only where a chart is shown. */
import '@mantine/charts/styles.layer.css'
import { BarChart } from '@mantine/charts'
import { number } from './format.ts'

interface BarSeries {
  key: string
  label: string
  color: string
}

interface BarsProps {
  points: readonly { readonly name: string; readonly [key: string]: string | number }[]
  series: readonly BarSeries[]
  write?: (value: number) => string
  /** Parts of one whole stand on one another; figures of their own stand side by side. */
  stacked?: true
  /** Widest bar, in pixels. */
  widest?: number
  axisWidth?: number
}

export default function Bars({ points, series, write = value => number(value), stacked, widest = 24, axisWidth = 48 }: BarsProps) {
  return (
    <BarChart
      h="100%"
      data={points.map(point => ({ ...point }))}
      dataKey="name"
      type={stacked ? 'stacked' : 'default'}
      series={series.map(({ key, label, color }) => ({ name: key, label, color }))}
      valueFormatter={write}
      tickLine="none"
      gridAxis="x"
      yAxisProps={{ width: axisWidth, allowDecimals: false }}
      xAxisProps={{ minTickGap: 24 }}
      barProps={{ isAnimationActive: false, maxBarSize: widest }}
    />
  )
}
