/** What each answer of a recipient does to the order. */
import { conflict } from '#contract/errors.ts'
import type { NewEvent } from '#contract/events.ts'
import { instantAt } from '#domain/local-time.ts'
import type { AnswerChoice } from '#features/messages/templates/templates.codes.ts'
import { busy, type ChosenShop, changeParcelShop, changeShippingAddress } from '#features/orders/orders/delivery-changes.commands.ts'
import { addLock, endLock, openLocks } from '#features/orders/orders/locks/order-locks.commands.ts'
import { takeOrder } from '#features/orders/orders/order-facts.queries.ts'
import { decideShort } from '#features/warehouse/pick-tasks/shorts.commands.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { type Asked, undecidedShorts } from './decision-links.queries.ts'
import { linkSentences } from './decision-links.rules.ts'

export interface Answer {
  choice: AnswerChoice
  /** The day to which the order waits, in this zone. */
  until: string | null
  time_zone: string
  address: { address1: string; address2: string; postcode: string; city: string } | null
  shop: ChosenShop | null
  /** Who is named as having done it. */
  name: string
  link_id: number
}

type Effect = (context: Context, asked: Asked, answer: Answer) => Promise<void>

const decided =
  (decision: 'ship_partial' | 'wait' | 'cancel_line'): Effect =>
  async (context, { order, undecided }, { name }) => {
    for (const { id } of undecided) {
      // Deciding about one may have decided the others.
      const open = (await undecidedShorts(context.db, order.id)).some(short => short.id === id)
      if (open) await decideShort(context, id, { decision, by: { id: 0, name } })
    }
  }

const effects: Record<AnswerChoice, Effect> = {
  ship_partially: decided('ship_partial'),
  cancel_line: decided('cancel_line'),

  async wait(context, asked, answer) {
    if (asked.shorts > 0) return decided('wait')(context, asked, answer)
    const { until, time_zone, name } = answer
    if (until === null) throw conflict('wait_day', linkSentences.day)
    await endQuestionHolds(context, asked.order.id, ['customer'])
    await addLock(context, asked.order, {
      kind: 'hold',
      reason: 'customer',
      until: new Date(instantAt(until, '06:00', time_zone)).toISOString(),
      by: { id: 0, name },
    })
  },

  async new_address(context, { order }, { address }) {
    if (!address) throw conflict('address_incomplete', linkSentences.address)
    const { address2, ...rest } = address
    await changeShippingAddress(context, order, { ...rest, address2: address2 || null })
  },

  async other_shop(context, { order }, { shop }) {
    if (!shop) throw conflict('parcel_shop_gone', linkSentences.shopGone)
    if (!(await changeParcelShop(context, order, shop))) throw busy()
  },
}

/** Holds that waited for this answer end; those of money and of people stay. */
const answeredHolds: Readonly<Partial<Record<AnswerChoice, readonly string[]>>> = {
  ship_partially: ['customer'],
  cancel_line: ['customer'],
  new_address: ['customer', 'address'],
  other_shop: ['customer', 'address'],
}

async function endQuestionHolds(context: Context, order_id: number, reasons: readonly string[]): Promise<void> {
  const { db, now } = context
  for (const lock of await openLocks(db, order_id)) {
    if (lock.kind !== 'hold' || !reasons.includes(lock.reason ?? '')) continue
    const order = await takeOrder(db, order_id)
    if (order) await endLock(context, order, lock, { by: null, now: now() })
  }
}

/** The confirmation of the answer says what changed: messages about the change itself pass it over. */
const withLink = (event: NewEvent, link_id: number): NewEvent => {
  if (event.kind !== 'order.address_changed' && event.kind !== 'order.parcel_shop_changed') return event
  const data: object = { ...event.data, link_id }
  return Object.assign({}, event, { data })
}

/** Call it with the order's row taken. @throws {AppError} what the order no longer allows */
export async function applyAnswer(outer: Context, asked: Asked, answer: Answer): Promise<void> {
  // The timeline names the recipient, where a person without a login has no name.
  const context: Context = {
    ...outer,
    recordEvent: event => outer.recordEvents([withLink(event, answer.link_id)], { actor: answer.name }),
    recordEvents: (events, { actor = answer.name } = {}) =>
      outer.recordEvents(
        events.map(event => withLink(event, answer.link_id)),
        { actor },
      ),
  }
  await effects[answer.choice](context, asked, answer)
  await endQuestionHolds(context, asked.order.id, answeredHolds[answer.choice] ?? [])
}
