/** Packing statistics: figures of every packer. */
import { useMemo } from 'react'
import { useT } from '#ui/kit/translate.ts'
import { type Measure, PeopleStatistics } from './PeopleStatistics.tsx'
import { statistics } from './statistics.contract.ts'
import { accuracy, perHour } from './statistics.rules.ts'
import type { PackDay } from './statistics.schemas.ts'

export function PackerStatsScreen() {
  const t = useT()
  const measures = useMemo<Measure<PackDay>[]>(
    () => [
      {
        key: 'parcels',
        title: t('Orders packed'),
        meaning: t('Orders that were closed. Whoever closed an order is credited with it.'),
        of: sum => sum.parcels,
        as: 'number',
        tile: true,
      },
      {
        key: 'per_hour',
        title: t('Orders per hour'),
        meaning: t('Orders packed divided by active time.'),
        of: sum => perHour(sum.parcels, sum.active_s),
        as: 'rate',
        tile: true,
      },
      {
        key: 'pieces',
        title: t('Items'),
        meaning: t('Items that were scanned or counted into parcels.'),
        of: sum => sum.pieces,
        as: 'number',
        tile: true,
      },
      {
        key: 'lines',
        title: t('Lines'),
        meaning: t('Order lines of which at least one item was packed.'),
        of: sum => sum.lines,
        as: 'number',
      },
      {
        key: 'accuracy',
        title: t('First-time accuracy'),
        meaning: t('Scans that were right, as a share of all scans. Wrong, surplus and unknown codes are not.'),
        of: accuracy,
        as: 'percent',
        tile: true,
      },
      {
        key: 'pack_time',
        title: t('Time per order'),
        meaning: t('From opening an order to its label, on average.'),
        of: sum => (sum.parcels > 0 ? sum.pack_s / sum.parcels : null),
        as: 'duration',
        tile: true,
      },
      {
        key: 'active',
        title: t('Active time'),
        meaning: t('Time between events that are less than five minutes apart.'),
        of: sum => sum.active_s,
        as: 'duration',
      },
      {
        key: 'breaks',
        title: t('Breaks'),
        meaning: t('Gaps of five minutes and more. A gap of four hours is another shift.'),
        of: sum => sum.break_s,
        as: 'duration',
      },
    ],
    [t],
  )
  return <PeopleStatistics name="packing" title={t('Packing')} call={statistics.packs} measures={measures} />
}
