/** Picking statistics: figures of every picker, and the time of wagons. */
import { useMemo } from 'react'
import { useT } from '#ui/kit/translate.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { useSignedIn } from '#ui/query/session.ts'
import { type Measure, PeopleStatistics, PeriodUrl } from './PeopleStatistics.tsx'
import { statistics } from './statistics.contract.ts'
import { accuracy, perHour, ratio } from './statistics.rules.ts'
import type { PickDay, PickStatistics } from './statistics.schemas.ts'
import { WagonTimes } from './WagonDurations.tsx'

export function PickerStatsScreen() {
  const t = useT()
  const isMain = useSignedIn().user.is_main_company
  const [url, setUrl] = useUrlState(PeriodUrl)
  const measures = useMemo<Measure<PickDay>[]>(
    () => [
      {
        key: 'pieces',
        title: t('Items'),
        meaning: t('Items put into totes. What was taken back is not counted.'),
        of: sum => sum.pieces,
        as: 'number',
        tile: true,
      },
      {
        key: 'per_hour',
        title: t('Items per hour'),
        meaning: t('Items divided by active time.'),
        of: sum => perHour(sum.pieces, sum.active_s),
        as: 'rate',
        tile: true,
      },
      {
        key: 'lines',
        title: t('Lines'),
        meaning: t('Order lines of which at least one item was picked.'),
        of: sum => sum.lines,
        as: 'number',
        tile: true,
      },
      {
        key: 'orders',
        title: t('Orders'),
        meaning: t('Orders of which at least one item was picked.'),
        of: sum => sum.orders,
        as: 'number',
      },
      {
        key: 'wagons',
        title: t('Wagons'),
        meaning: t('Wagons of which at least one item was picked.'),
        of: sum => sum.wagons,
        as: 'number',
      },
      {
        key: 'accuracy',
        title: t('First-time accuracy'),
        meaning: t('Scans that were right, as a share of all scans of bins, products and totes.'),
        of: accuracy,
        as: 'percent',
        tile: true,
      },
      {
        key: 'shorts',
        title: t('Short'),
        meaning: t('Lines that were reported short, as a share of those that were picked or short.'),
        of: sum => ratio(sum.shorts, sum.lines + sum.shorts),
        as: 'percent',
        tile: true,
      },
      {
        key: 'walk',
        title: t('Distance'),
        meaning: t('Length of the computed routes of the wagons that were finished. Without a map there is none.'),
        of: sum => (sum.walk_dm > 0 ? sum.walk_dm : null),
        as: 'metres',
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
  return (
    <PeopleStatistics name="picking" title={t('Picking')} call={statistics.picks} measures={measures}>
      {/* A wagon carries orders of many companies: its time is for the warehouse alone. */}
      {answer => isMain && <WagonTimes wagons={(answer as PickStatistics).wagons} chosen={url.wagon} choose={wagon => setUrl({ wagon })} />}
    </PeopleStatistics>
  )
}
