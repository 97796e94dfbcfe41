/** How lists, wagons and slots are spoken of on every screen. */
import { Text } from '@mantine/core'
import { number, time } from '#ui/kit/format.ts'
import { StateBadge, type Tone } from '#ui/kit/StateBadge.tsx'
import { t, useT } from '#ui/kit/translate.ts'
import style from './PickLists.module.css'
import type { ListState, ListType, PickSlot, SeenWagon, SlotColour, SlotState, WagonState } from './pick-lists.schemas.ts'
import { colourInk } from './slot-colors.rules.ts'

export const typeWord = (type: ListType): string =>
  ({ cluster: t('Wagon with totes'), singles: t('Single-item orders'), order: t('One order') })[type]

export const stateWord = (state: ListState): string =>
  ({
    open: t('Not started'),
    picking: t('Picking now'),
    picked: t('Picked'),
    packing: t('Packing now'),
    completed: t('Completed'),
    cancelled: t('Cancelled'),
  })[state]

const stateTones: Record<ListState, Tone> = {
  open: 'plain',
  picking: 'busy',
  picked: 'soon',
  packing: 'busy',
  completed: 'done',
  cancelled: 'quiet',
}

export function ListBadge({ state }: { state: ListState }) {
  useT()
  return <StateBadge tone={stateTones[state]}>{stateWord(state)}</StateBadge>
}

const wagonTones: Record<WagonState, Tone> = {
  open: 'plain',
  claimed: 'busy',
  picking: 'busy',
  paused: 'soon',
  picked: 'soon',
  at_packing: 'busy',
  released: 'done',
  cancelled: 'quiet',
}

export const wagonWord = (state: WagonState): string =>
  ({
    open: t('Not started'),
    claimed: t('Assigned'),
    picking: t('Picking now'),
    paused: t('Paused'),
    picked: t('Picked'),
    at_packing: t('At packing'),
    released: t('Empty again'),
    cancelled: t('Cancelled'),
  })[state]

export function WagonBadge({ state }: { state: WagonState }) {
  useT()
  return <StateBadge tone={wagonTones[state]}>{wagonWord(state)}</StateBadge>
}

export const slotWord = (state: SlotState): string =>
  ({ open: t('To be picked'), picked: t('Picked'), removed: t('Taken off'), packed: t('Packed') })[state]

export const colourWord = (colour: SlotColour): string =>
  ({
    red: t('Red'),
    orange: t('Orange'),
    yellow: t('Yellow'),
    green: t('Green'),
    teal: t('Teal'),
    blue: t('Blue'),
    violet: t('Violet'),
    pink: t('Pink'),
    brown: t('Brown'),
    white: t('White'),
    gray: t('Grey'),
    black: t('Black'),
  })[colour]

/** The number of a slot beside its colour, readable without seeing colours. */
export function SlotNumber({ no, colour, large }: { no: number; colour: SlotColour | null; large?: boolean }) {
  useT()
  return (
    <span className={large ? `${style.slotNo} ${style.large}` : style.slotNo} title={colour ? colourWord(colour) : undefined}>
      <span className={style.swatch} style={{ background: colour ? colourInk[colour] : 'transparent' }} aria-hidden />
      {no}
    </span>
  )
}

/** How far a list or a wagon is: a bar, and the figures in words. */
export function Done({ done, of }: { done: number; of: number }) {
  useT()
  const part = of > 0 ? (done / of) * 100 : 0
  return (
    <span className={style.doneLine}>
      <span className={style.track} role="img" aria-label={t('{{done}} of {{total}}', { done: number(done), total: number(of) })}>
        <span className={style.filled} style={{ width: `${part}%` }} />
      </span>
      <Text component="span" size="sm" c="dimmed" className={style.figure} aria-hidden>
        {number(done)} / {number(of)}
      </Text>
    </span>
  )
}

/** `412 m`, or a dash where nothing is known of distances. */
export const metresWord = (metres: number | null): string => (metres === null ? '–' : `${number(metres)} m`)

export function Figures({ of }: { of: readonly (readonly [label: string, value: string])[] }) {
  return (
    <dl className={style.figures}>
      {of.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Who reported a line missing, and when. */
export const shortSentence = ({
  name,
  taken_by_name,
  decided_at,
}: Pick<SeenWagon['pick_lines'][number], 'name' | 'taken_by_name' | 'decided_at'>): string =>
  taken_by_name === null || decided_at === null
    ? t('Reported missing: {{name}}', { name })
    : t('Reported missing: {{name}} by {{person}}, at {{time}}', { name, person: taken_by_name, time: time(decided_at) })

/** What to do with a tote whose lines were all reported missing. */
export const emptyToteAdvice = ({ order_no }: Pick<PickSlot, 'order_no'>): string =>
  t('Take it off the wagon. The office decides about order {{order}}.', { order: order_no })
