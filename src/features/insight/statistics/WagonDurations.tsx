/** The wagons of a period, and the time of one as a bar: walking, picking, breaks and pauses. */
import { NativeSelect } from '@mantine/core'
import { duration, instant, number, time } from '#ui/kit/format.ts'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useCall } from '#ui/query/calls.ts'
import style from './Statistics.module.css'
import { segmentKinds } from './statistics.codes.ts'
import { statistics } from './statistics.contract.ts'
import type { PickStatistics, WagonTime } from './statistics.schemas.ts'

interface Props {
  wagons: PickStatistics['wagons']
  chosen: string
  choose: (wagon: string) => void
}

const keyOf = (wagon: PickStatistics['wagons'][number]) => `${wagon.pick_list_id}-${wagon.wagon_no}`

export function WagonTimes({ wagons, chosen, choose }: Props) {
  const t = useT()
  const wagon = wagons.find(one => keyOf(one) === chosen) ?? wagons[0]
  if (!wagon) return null
  return (
    <section className={style.part}>
      <header>
        <h2>{t('Time of a wagon')}</h2>
        <NativeSelect
          aria-label={t('Wagon')}
          value={keyOf(wagon)}
          onChange={event => choose(event.currentTarget.value)}
          data={wagons.map(one => ({
            value: keyOf(one),
            label: t('List {{list}}, wagon {{wagon}}: {{name}}, {{at}}', {
              list: one.pick_list_id,
              wagon: one.wagon_no,
              name: one.user_name || '–',
              at: instant(one.began_at),
            }),
          }))}
        />
      </header>
      <TimeBar pick_list={wagon.pick_list_id} wagon={wagon.wagon_no} />
    </section>
  )
}

function TimeBar({ pick_list, wagon }: { pick_list: number; wagon: number }) {
  const times = useCall(statistics.breaks, { pick_list, wagon })
  return (
    <QueryState of={times} shape="rows">
      {answer => <Bar of={answer} />}
    </QueryState>
  )
}

function Bar({ of }: { of: WagonTime }) {
  const t = useT()
  if (!of.began_at || !of.ended_at) return <p>{t('No one has started this wagon yet')}</p>
  const began = Date.parse(of.began_at)
  const whole = Math.max(1, Date.parse(of.ended_at) - began)
  const words = { walking: t('Walking time'), picking: t('Picking'), break: t('Break'), paused: t('Paused') } as const
  const sum = segmentKinds.map(kind => `${words[kind]} ${duration(of.totals[kind])}`).join(', ')
  return (
    <figure style={{ margin: 0 }}>
      <svg className={style.bar} viewBox="0 0 1000 10" preserveAspectRatio="none" role="img" aria-label={sum}>
        {of.segments.map(segment => (
          <rect
            key={segment.from}
            className={style[segment.kind]}
            x={((Date.parse(segment.from) - began) / whole) * 1000}
            width={((Date.parse(segment.to) - Date.parse(segment.from)) / whole) * 1000}
            y={segment.kind === 'walking' || segment.kind === 'picking' ? 0 : 2}
            height={segment.kind === 'walking' || segment.kind === 'picking' ? 10 : 6}
          >
            <title>
              {`${words[segment.kind]}${segment.bin ? ` ${segment.bin}` : ''}: ${time(segment.from)}–${time(segment.to)} (${duration((Date.parse(segment.to) - Date.parse(segment.from)) / 1000)})`}
            </title>
          </rect>
        ))}
      </svg>
      <div className={style.ends}>
        <span>{time(of.began_at)}</span>
        <span>{time(of.ended_at)}</span>
      </div>
      <ul className={style.legend}>
        {segmentKinds.map(kind => (
          <li key={kind}>
            <svg viewBox="0 0 10 10" aria-hidden="true">
              <rect className={style[kind]} width="10" height="10" />
            </svg>
            {words[kind]}: {duration(of.totals[kind])} ({number((100 * of.totals[kind] * 1000) / whole)} %)
          </li>
        ))}
      </ul>
      <p className={style.before}>
        {t('A gap of {{minutes}} minutes or more is a break. The way to the first scan at another bin is walking.', {
          minutes: of.gap_s / 60,
        })}
      </p>
    </figure>
  )
}
