/** What strangers may ask of the portal: an order by its number and a second fact, and a withdrawal from a contract. */
import type { HandlerInput } from '#contract/endpoint.ts'
import { notFound } from '#contract/errors.ts'
import { accountForSending } from '#features/deliveries/mail/mail.queries.ts'
import { requestReturn } from '#features/returns/returns/returns.commands.ts'
import type { ExternalContext } from '#platform/http/feature-module.ts'
import { openSession } from './portal.commands.ts'
import type { portal } from './portal.contract.ts'
import { linkOf, orderForPortal, orderOfEmail, portalOrder } from './portal.queries.ts'
import { portalRefusals } from './portal.rules.ts'
import type { PortalOrder } from './portal.schemas.ts'

/** Milliseconds after which every search and every withdrawal is answered: the time must reveal no more than the text. */
const answerAfter = 300
const pause = (began: number) => new Promise(resolve => setTimeout(resolve, Math.max(0, answerAfter - (performance.now() - began))))

/** The order and a link to it; undefined for what is unknown and for what is wrong. */
export async function findForCustomer(
  { order_no, key, shop }: HandlerInput<typeof portal.find>['body'],
  { transaction, services, principal, now }: ExternalContext,
): Promise<{ link: string; order: PortalOrder } | undefined> {
  const began = performance.now()
  const company_id = principal.company.id
  const guessed = `return of ${company_id}/${order_no.replace(/^#/, '').toLowerCase()}`
  // Counted as wrong until it is right: after five wrong keys of a number each further one waits, and is answered like any other.
  const waits = (await services.limits.beginPin(guessed, now().getTime())) > 0
  const answer = await transaction(async context => {
    const order_id = await orderForPortal(context.db, company_id, { order_no, key, shop })
    if (order_id === undefined || waits) return undefined
    return { link: await openSession(context, company_id, order_id), order: await portalOrder(context.db, order_id, now()) }
  })
  if (answer) await services.limits.succeedPin(guessed)
  await pause(began)
  return answer
}

/** Takes the notice, whatever it names. `link` opens the order of which pieces are named. */
export async function withdraw(
  { name, order_no, email, lines, client_id, lang }: HandlerInput<typeof portal.withdraw>['body'],
  link: string,
  { transaction }: ExternalContext,
): Promise<{ received_at: string; is_mailed: boolean }> {
  const began = performance.now()
  const answer = await transaction(async context => {
    const { db, principal, now } = context
    const company_id = principal.company.id
    const opened = await linkOf(db, company_id, 'session', link, now())
    const found = (await orderOfEmail(db, company_id, order_no, email)) ?? null
    // Pieces are never widened to the whole order because a link has ended.
    if (lines.length > 0 && !opened) throw notFound('return_link_not_found', portalRefusals.noLink)
    const chosen = opened && opened.order_id === found ? lines : []
    const left = found === null || chosen.length === 0 ? [] : (await portalOrder(db, found, now())).lines
    const items = chosen.flatMap(({ line_id, qty }) => {
      const most = left.find(one => one.line_id === line_id)?.left ?? 0
      return most === 0 ? [] : [{ order_line_id: line_id, qty: Math.min(qty, most), reason: 'withdrawal', outcome: 'refund' as const }]
    })
    // Where nothing that was named is left, the notice is kept for the shop and takes nothing else.
    const order_id = chosen.length > 0 && items.length === 0 ? null : found
    await requestReturn(context, {
      ...{ client_id, company_id, order_id, items, withdrawal: true },
      source: 'portal',
      method: order_id === null ? 'none' : 'own_label',
      language: lang,
      contact: { name, email: email.trim() },
      claimed_order_no: order_no,
      by: 'customer',
    })
    return { received_at: now().toISOString(), is_mailed: (await accountForSending(db, company_id)) !== undefined }
  })
  await pause(began)
  return answer
}
