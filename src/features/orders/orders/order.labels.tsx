/** How orders are spoken of on every screen: phase, deadline, method, badges – each an icon and a word. */
import { Tooltip } from '@mantine/core'
import {
  IconAlertTriangle,
  IconBell,
  IconClockHour4,
  IconLock,
  IconMapPinExclamation,
  IconPackages,
  IconPin,
  IconScale,
} from '@tabler/icons-react'
import { type ReactNode, useCallback } from 'react'
import { country, instantInFull, span, upcoming } from '#ui/kit/format.ts'
import { StateBadge, type Tone } from '#ui/kit/StateBadge.tsx'
import { t, useT } from '#ui/kit/translate.ts'
import { useCall } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import style from './Orders.module.css'
import { orders } from './orders.contract.ts'
import { type Action, duePhases, type Phase } from './orders.rules.ts'
import type { Badge, Order, OrderRow } from './orders.schemas.ts'

export const phaseWord = (phase: Phase): string => {
  const words: Record<Phase, string> = {
    new: t('New'),
    ready: t('Ready'),
    in_pick: t('Picking now'),
    picked: t('Picked'),
    in_pack: t('Packing now'),
    packed: t('Packed'),
    handed_over: t('Handed over'),
    closed: t('Closed'),
    held: t('On hold'),
    label_error: t('Label error'),
    short: t('Short'),
    combined: t('Combined'),
    delivered: t('Delivered'),
    cancelled: t('Cancelled'),
    cancelled_return_to_stock: t('Cancelled, put back'),
  }
  return words[phase]
}

const tones: Record<Phase, Tone> = {
  new: 'plain',
  ready: 'plain',
  in_pick: 'busy',
  picked: 'busy',
  in_pack: 'busy',
  packed: 'done',
  handed_over: 'done',
  closed: 'quiet',
  delivered: 'done',
  held: 'soon',
  label_error: 'stop',
  short: 'stop',
  combined: 'quiet',
  cancelled: 'quiet',
  cancelled_return_to_stock: 'stop',
}

export function PhaseBadge({ phase }: { phase: Phase }) {
  useT()
  return <StateBadge tone={tones[phase]}>{phaseWord(phase)}</StateBadge>
}

const due: readonly Phase[] = duePhases
const hour = 3_600_000

/** Counts down to the time at which the parcel must leave; says so in words when it is late. */
export function Deadline({ at, phase }: { at: string | null; phase: Phase }) {
  const t = useT()
  if (at === null) return <span className={style.dim}>–</span>
  const left = Date.parse(at) - Date.now()
  if (!due.includes(phase)) return <span className={style.dim}>{upcoming(at)}</span>
  return (
    <span title={instantInFull(at)}>
      {left < 0 ? (
        <StateBadge tone="stop" icon={IconAlertTriangle}>
          {t('{{time}} late', { time: span(-left) })}
        </StateBadge>
      ) : left < 2 * hour ? (
        <StateBadge tone="soon" icon={IconClockHour4}>
          {upcoming(at)}
        </StateBadge>
      ) : (
        upcoming(at)
      )}
    </span>
  )
}

/** How the parcel goes, in the words of the courier, else in those of the shop. */
export function useMethodWord(): (order: Pick<OrderRow, 'agent_code' | 'shipping_method' | 'shipping_title'>) => string {
  const t = useT()
  const { init } = useSignedIn()
  const options = useCall(orders.shippingOptions, {}, { fresh: 600_000 }).data
  return useCallback(
    ({ agent_code, shipping_method, shipping_title }) => {
      if (agent_code === null) return shipping_title ?? '–'
      const method = options?.find(one => one.agent_code === agent_code && one.shipping_method === shipping_method)
      if (method) return t(method.name)
      const agent = t(init.ParcelAgentCode.find(one => one.agent_code === agent_code)?.name ?? agent_code)
      return shipping_method ? `${agent}, ${shipping_method}` : agent
    },
    [init, options, t],
  )
}

export function useCompanyName(): (id: number) => string {
  const { init } = useSignedIn()
  return useCallback(id => init.CompanyLookup.find(company => company.id === id)?.name ?? String(id), [init])
}

const badgeIcons: Record<string, typeof IconScale> = { weight: IconScale, address: IconMapPinExclamation, postcode: IconMapPinExclamation }
const badgeWords = (kind: string): string => {
  const words: Record<string, string> = {
    address: t('Address'),
    phone: t('Phone'),
    email: t('E-mail'),
    postcode: t('Postcode'),
    weight: t('Weight'),
    customs: t('Customs'),
    duplicate: t('Here twice?'),
  }
  return words[kind] ?? kind
}
export const badgeSentence = ({ text, values }: Badge): string =>
  t(text, typeof values.country === 'string' ? { ...values, country: country(values.country) } : values)

/** What will go wrong at the station if no one looks at it: the errors by name, the warnings as a number. */
export function RowBadges({ row }: { row: OrderRow }) {
  useT()
  const parts: ReactNode[] = []
  if (row.pinned) parts.push(<Mark key="pin" tip={t('Pinned')} icon={IconPin} word={t('Pinned')} />)
  if (row.combinable)
    parts.push(<Mark key="combinable" tip={t('Another order goes to the same recipient')} icon={IconPackages} word={t('Combinable')} />)
  for (const stop of row.stops.slice(0, 1))
    parts.push(
      <Mark
        key="stop"
        tip={[stop.actor, stop.note || stop.reason].filter(Boolean).join(': ')}
        icon={IconLock}
        word={stop.note || t('On hold')}
        tone="soon"
      />,
    )
  // The note of an alert that holds the order stands at its hold.
  const alert = due.includes(row.phase) ? row.alerts.find(one => one.mode !== 'hold' || row.stops.length === 0) : undefined
  if (alert)
    parts.push(<Mark key="alert" tip={alert.note || t('Order alert')} icon={IconBell} word={alert.note || t('Order alert')} tone="soon" />)
  // Once the parcel is packed no one mends the order any more.
  const badges = due.includes(row.phase) ? row.badges : []
  const errors = badges.filter(badge => badge.severity === 'error')
  const warnings = badges.length - errors.length
  for (const badge of errors)
    parts.push(
      <Mark
        key={badge.kind}
        tip={badgeSentence(badge)}
        icon={badgeIcons[badge.kind] ?? IconAlertTriangle}
        word={badgeWords(badge.kind)}
        tone="stop"
      />,
    )
  if (warnings > 0 && errors.length === 0)
    parts.push(
      <Mark
        key="warnings"
        tip={badges.map(badgeSentence).join(' · ')}
        icon={IconAlertTriangle}
        word={badges.length === 1 && badges[0] ? badgeWords(badges[0].kind) : t('{{count}} warnings', { count: warnings })}
        tone="soon"
      />,
    )
  return <span className={style.marks}>{parts}</span>
}

function Mark({ icon: Icon, word, tip, tone }: { icon: typeof IconScale; word: string; tip: string; tone?: 'soon' | 'stop' }) {
  return (
    <Tooltip label={tip} multiline maw={360}>
      <span className={`${style.mark} ${tone ? style[tone] : ''}`}>
        <Icon size={16} />
        <span>{word}</span>
      </span>
    </Tooltip>
  )
}

/** The action as the server judges it for this person and this order. */
export const actionOf = (order: Order, action: Action) =>
  order.supported_actions.find(one => one.action === action) ?? { action, allowed: false, reason: null, values: {} }
