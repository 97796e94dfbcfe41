/** How collect lists are spoken of: states, results, cages and the clock – each a word beside its colour. */
import { IconClock } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { colourInk } from '#features/warehouse/pick-lists/slot-colors.rules.ts'
import { dateIn, duration, time } from '#ui/kit/format.ts'
import { StateBadge, type Tone } from '#ui/kit/StateBadge.tsx'
import { t, useT } from '#ui/kit/translate.ts'
import style from './Collect.module.css'
import type { Cage, CageColour, CollectParcel, CollectState, MissingReason, ScanResult, Standing } from './collect-lists.schemas.ts'

const stateTones: Record<CollectState, Tone> = { open: 'plain', scanning: 'busy', closed: 'soon', handed_over: 'done' }

export function stateWord(state: CollectState): string {
  const words: Record<CollectState, string> = {
    open: t('Not started'),
    scanning: t('Being scanned'),
    closed: t('To hand over'),
    handed_over: t('Handed over'),
  }
  return words[state]
}

export function CollectBadge({ state }: { state: CollectState }) {
  useT()
  return <StateBadge tone={stateTones[state]}>{stateWord(state)}</StateBadge>
}

export function reasonWord(reason: MissingReason | 'cancelled' | 'stopped'): string {
  const words = {
    not_found: t('Not found'),
    damaged: t('Damaged'),
    next_pickup: t('Next pickup'),
    cancelled: t('Label cancelled'),
    stopped: t('Order stopped'),
  }
  return words[reason]
}

const standingTones: Record<Standing, Tone> = {
  expected: 'plain',
  scanned: 'done',
  missing: 'stop',
  take_out: 'stop',
  taken_out: 'quiet',
  dropped: 'quiet',
}

export function StandingBadge({ parcel }: { parcel: Pick<CollectParcel, 'standing' | 'reason'> }) {
  useT()
  const words: Record<Standing, string> = {
    expected: t('Not scanned'),
    scanned: t('Scanned'),
    missing: t('Missing'),
    take_out: t('Take out'),
    taken_out: t('Taken out'),
    dropped: t('Taken out'),
  }
  const word = words[parcel.standing]
  return <StateBadge tone={standingTones[parcel.standing]}>{parcel.reason ? `${word}: ${reasonWord(parcel.reason)}` : word}</StateBadge>
}

/** The heading of a result; what else is to say stands below it. */
export function resultWord(result: ScanResult, cage: string | undefined): string {
  const words: Record<ScanResult, string> = {
    ok: t('Scanned'),
    again: t('Already scanned'),
    elsewhere: t('Belongs in {{cage}}', { cage: cage ?? '' }),
    cancelled: t('Take it out: label cancelled'),
    stopped: t('Take it out: order stopped'),
    not_packed: t('Not packed yet'),
    gone: t('Handed over already'),
    unknown: t('Unknown barcode'),
    undone: t('Taken back'),
  }
  return words[result]
}
export const resultTones: Record<ScanResult, 'done' | 'quiet' | 'soon' | 'stop'> = {
  ok: 'done',
  again: 'quiet',
  undone: 'quiet',
  elsewhere: 'soon',
  not_packed: 'soon',
  gone: 'soon',
  cancelled: 'stop',
  stopped: 'stop',
  unknown: 'stop',
}

/** A cage's name on its colour's mark. */
export function CageMark({ name, colour, large = false }: { name: string; colour: CageColour | null; large?: boolean }) {
  useT()
  return (
    <span className={large ? `${style.cage} ${style.large}` : style.cage}>
      {colour ? <span className={style.mark} style={{ background: colourInk[colour] }} aria-hidden /> : null}
      {t(name)}
    </span>
  )
}

export const colourWord = (colour: CageColour): string =>
  ({
    blue: t('Blue'),
    green: t('Green'),
    orange: t('Orange'),
    red: t('Red'),
    violet: t('Violet'),
    teal: t('Teal'),
    yellow: t('Yellow'),
    pink: t('Pink'),
    brown: t('Brown'),
    gray: t('Grey'),
  })[colour]

/** Milliseconds since 1970, anew every so many seconds. */
function useNow(seconds: number): number {
  const [now, setNow] = useState(Date.now)
  // The outside system is the clock.
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), seconds * 1_000)
    return () => clearInterval(timer)
  }, [seconds])
  return now
}

/** Minutes before the pickup at which the clock asks for attention. */
const soon = 30

/** When the courier comes, counted down. `late`: something should have left by then; otherwise a passed time is only passed. */
export function CutOffClock({ at, late }: { at: string | null; late: boolean }) {
  useT()
  const now = useNow(10)
  if (at === null) return <span className={style.clock}>{t('No pickup time')}</span>
  const left = Math.floor((Date.parse(at) - now) / 60_000)
  const tone = left < 0 && late ? style.late : left >= 0 && left < soon ? style.soon : ''
  return (
    <span className={`${style.clock} ${tone}`}>
      <IconClock size={16} aria-hidden />
      <span>
        <strong>{time(at)}</strong>{' '}
        {left < 0
          ? late
            ? t('late by {{time}}', { time: duration(-left * 60) })
            : t('passed')
          : left < 24 * 60
            ? t('in {{time}}', { time: duration(Math.max(left, 0) * 60) })
            : t('in {{count}} days', { count: daysBetween(now, at) })}
      </span>
    </span>
  )
}

const daysBetween = (now: number, at: string): number => Math.round((Date.parse(dateIn(at)) - Date.parse(dateIn(now))) / 86_400_000)

/** How far a list is: a bar and two numbers. */
export function Scanned({ scanned, expected }: { scanned: number; expected: number }) {
  return (
    <span className={style.scanned}>
      <span className={style.track} aria-hidden>
        <span style={{ width: `${expected === 0 ? 0 : (scanned / expected) * 100}%` }} />
      </span>
      <span>
        {scanned} / {expected}
      </span>
    </span>
  )
}

export const cageTime = (cage: Pick<Cage, 'cut_off' | 'route_cut_off'>): string | null => cage.cut_off ?? cage.route_cut_off
