/** What the portal's page knows, its sums, and the draft that stays on the device. */
import type { Locale } from '#contract/limits.ts'
import { isRecord } from '#domain/objects.ts'
import type { PortalMethod } from '#features/returns/returns/returns.codes.ts'
import type { PortalOrder, PortalPage, PortalQuote, PortalReturn, PortalSelection, PortalShop } from '../portal.schemas.ts'

export type Outcome = PortalSelection['items'][number]['outcome']

/** Pieces of a line that share reason and outcome. */
export interface Entry {
  line_id: number
  qty: number
  reason: string | null
  note: string
  /** What the customer wants instead, in an exchange. */
  wish: string
  outcome: Outcome
  photos: { id: number; url: string | null }[]
  /** What the shop asks about it, since the server has said so. */
  question: { text: string; required: boolean } | null
  answer: string
}

const steps = ['items', 'why', 'what', 'how'] as const
export type Step = (typeof steps)[number]
export type View = 'find' | Step | 'withdraw' | 'confirm' | 'withdrawn' | 'progress'

export interface State {
  page: PortalPage | null
  view: View
  link: string | null
  order: PortalOrder | null
  /** Pictures that have come, by line. */
  pictures: Map<number, string>
  entries: Entry[]
  method: PortalMethod
  /** Parcel shops that were found, of which courier and near which postcode. */
  shops: { agent_code: string; postcode: string; rows: PortalShop[] } | null
  shop_id: string | null
  /** The fee as the server has said it for what is chosen. */
  fee: number | null
  review: boolean
  /** What the server has said of what is chosen; null until it is asked. */
  quote: PortalQuote | null
  asked: { order_no: string; key: string }
  withdrawal: { name: string; order_no: string; email: string }
  received_at: string | null
  /** Whether the shop can send e-mail. */
  is_mailed: boolean
  progress: PortalReturn | null
  /** Just made on this page. */
  isNew: boolean
  isAsking: boolean
  said: string | null
  busy: boolean
}

/** Each step that has something to choose. */
export const stepsOf = (page: PortalPage): readonly Step[] => steps.filter(step => step !== 'what' || page.outcomes.length > 1)

export const lineOf = (order: PortalOrder, line_id: number) => order.lines.find(line => line.line_id === line_id)

/** What was paid for the chosen pieces whose money is asked for. */
export function goodsOf({ order, entries }: Pick<State, 'order' | 'entries'>): number {
  const used = new Map<number, number>()
  let sum = 0
  for (const { line_id, qty, outcome } of entries) {
    const from = used.get(line_id) ?? 0
    used.set(line_id, from + qty)
    if (outcome === 'refund' || outcome === 'credit')
      for (const amount of order?.lines.find(line => line.line_id === line_id)?.amounts.slice(from, from + qty) ?? []) sum += amount
  }
  return sum
}

/** The courier at whose shops the chosen method is handed in; null where it has none. */
export const agentOf = ({ page, method }: Pick<State, 'page' | 'method'>): string | null =>
  method === 'label' || method === 'qr' ? (page?.drop_off[method] ?? null) : null

export function bodyOf(
  { entries, method, page, shops, shop_id }: Pick<State, 'entries' | 'method' | 'page' | 'shops' | 'shop_id'>,
  lang: Locale,
): PortalSelection {
  return {
    items: entries.map(({ line_id, qty, reason, note, wish, outcome, photos, question, answer }) => ({
      ...{ line_id, qty, outcome, reason: reason ?? '' },
      note: [note, outcome === 'exchange' ? wish : ''].filter(Boolean).join('\n').slice(0, 500),
      answer: question === null ? '' : answer,
      photo_ids: photos.map(({ id }) => id),
      wants_other: outcome === 'exchange' && wish.trim() !== '',
    })),
    // A shop of another courier was chosen for another method.
    shop_id: shops !== null && shops.agent_code === agentOf({ page, method }) ? shop_id : null,
    ...{ method, lang },
  }
}

/** What may be asked for an entry: what the shop offers, or less where a rule of its says so. */
export const outcomesOf = ({ page, entries, quote }: Pick<State, 'page' | 'entries' | 'quote'>, entry: Entry): readonly Outcome[] =>
  quote?.items[entries.indexOf(entry)]?.outcomes ?? page?.outcomes ?? []

export const needsPhoto = ({ entries, quote, page }: Pick<State, 'page' | 'entries' | 'quote'>, entry: Entry): boolean =>
  page?.reasons.find(({ code }) => code === entry.reason)?.evidence_photo === 'required' ||
  (entries.includes(entry) && (quote?.needs.some(({ line_id, what }) => line_id === entry.line_id && what === 'photo') ?? false))

const draftName = 'return-draft'
const linkName = 'return-link'
const draftDays = 7

/** Private windows and full devices keep nothing; the page works without. */
const attempt = <T>(work: () => T): T | null => {
  try {
    return work()
  } catch {
    return null
  }
}

export const keepDraft = ({ order, entries }: State): void =>
  void attempt(() =>
    localStorage.setItem(
      draftName,
      JSON.stringify({ order_no: order?.order_no, at: Date.now(), entries: entries.map(one => ({ ...one, photos: [] })) }),
    ),
  )
export const dropDraft = (): void => void attempt(() => localStorage.removeItem(draftName))

/** What was chosen for this order before, as far as it is still left. */
export function draftOf(order: PortalOrder, page: PortalPage): Entry[] {
  const kept: unknown = attempt(() => JSON.parse(localStorage.getItem(draftName) ?? 'null'))
  if (!isRecord(kept) || kept.order_no !== order.order_no || Number(kept.at) < Date.now() - draftDays * 86_400_000) return []
  const entries: readonly unknown[] = Array.isArray(kept.entries) ? kept.entries : []
  const left = new Map(order.lines.map(line => [line.line_id, line.left]))
  return entries.flatMap(one => {
    if (!isRecord(one)) return []
    const line_id = Number(one.line_id)
    const qty = Math.min(Number(one.qty), left.get(line_id) ?? 0)
    if (!(qty > 0)) return []
    left.set(line_id, (left.get(line_id) ?? 0) - qty)
    return [
      {
        ...{ line_id, qty, photos: [], question: null },
        answer: String(one.answer ?? ''),
        reason: page.reasons.find(({ code }) => code === one.reason)?.code ?? null,
        note: String(one.note ?? ''),
        wish: String(one.wish ?? ''),
        outcome: page.outcomes.find(outcome => outcome === one.outcome) ?? page.outcomes[0] ?? 'refund',
      },
    ]
  })
}

/** For a reload: the link ends by itself after an hour, and with the tab. */
export const keepLink = (link: string | null): void =>
  void attempt(() => (link === null ? sessionStorage.removeItem(linkName) : sessionStorage.setItem(linkName, link)))
export const keptLink = (): string | null => attempt(() => sessionStorage.getItem(linkName))
