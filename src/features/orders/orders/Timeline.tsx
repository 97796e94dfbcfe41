/** Entries of a timeline by day, as they come sorted, and a way to the earlier ones. */
import { Button } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react'
import { actorName } from '#ui/kit/actor.ts'
import { country, dateIn, day, instant, weight } from '#ui/kit/format.ts'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { useT } from '#ui/kit/translate.ts'
import { phaseWord } from './order.labels.tsx'
import { phases } from './orders.rules.ts'
import type { TimelineEntry } from './orders.schemas.ts'
import style from './Timeline.module.css'

interface TimelineProps {
  answer: { rows: readonly TimelineEntry[]; total: number }
  loading: boolean
  showEarlier: () => void
}

export function Timeline({ answer: { rows, total }, loading, showEarlier }: TimelineProps) {
  const t = useT()
  if (rows.length === 0) return <p className={style.none}>{t('Nothing is recorded.')}</p>
  return (
    <>
      {byDay(rows).map(([date, entries]) => (
        <section key={date} aria-label={day(date)}>
          <h3 className={style.day}>{day(date)}</h3>
          <ol className={style.timeline}>
            {entries.map(entry => (
              <Entry key={entry.key} entry={entry} />
            ))}
          </ol>
        </section>
      ))}
      {total > rows.length ? (
        <div className={style.earlier}>
          <Button variant="default" size="compact-md" loading={loading} onClick={showEarlier}>
            {t('Show earlier')}
          </Button>
        </div>
      ) : null}
    </>
  )
}

/** The entries by the day of the company's calendar; they come sorted. */
const byDay = (entries: readonly TimelineEntry[]): [string, TimelineEntry[]][] => [
  ...Map.groupBy(entries, entry => dateIn(entry.at)).entries(),
]

const icons = { ok: IconCircleCheck, attention: IconInfoCircle, wrong: IconAlertTriangle }
const colours = { ok: 'var(--done)', attention: 'var(--soon)', wrong: 'var(--stop)' }

function Entry({ entry }: { entry: TimelineEntry }) {
  const t = useT()
  const Icon = entry.good ? icons[entry.good] : null
  const fieldWord = useFieldWord()
  return (
    <li>
      <RelativeTime at={entry.at} as="time" />
      <div>
        <div>
          {Icon && entry.good ? <Icon size={16} className={style.entryIcon} style={{ color: colours[entry.good] }} /> : null}
          {t(entry.text, entry.values)}
        </div>
        {entry.changes.map(({ field, before, after }) => (
          <div key={field} className={style.change}>
            <span>{fieldWord(field)}:</span> <del>{valueWord(field, before)}</del> → <ins>{valueWord(field, after)}</ins>
          </div>
        ))}
        <div className={style.by}>
          {[entry.actor === 'Warehouse' ? t('Warehouse') : actorName(t, entry.actor), entry.station].filter(Boolean).join(', ')}
        </div>
      </div>
    </li>
  )
}

function useFieldWord(): (field: string) => string {
  const t = useT()
  const words: Record<string, string> = {
    phase: t('Status'),
    method: t('Shipping method'),
    ship_by: t('Ship by'),
    weight_g: t('Weight'),
    hs_code: t('Tariff code'),
    origin: t('Country of origin'),
    name: t('Name'),
    attention: t('Attention'),
    company: t('Company'),
    address1: t('Street and number'),
    address2: t('Floor, door'),
    postcode: t('Postcode'),
    city: t('City'),
    region: t('Region'),
    phone: t('Phone'),
    email: t('E-mail'),
    instruction: t('Instruction'),
    door_code: t('Door code'),
  }
  return field => words[field] ?? field
}

function valueWord(field: string, value: string | null): string {
  if (value === null) return '–'
  if (field === 'phase') {
    const phase = phases.find(one => one === value)
    return phase ? phaseWord(phase) : value
  }
  if (field === 'ship_by') return instant(value)
  if (field === 'origin') return country(value)
  return field === 'weight_g' ? weight(Number(value)) : value
}
