/** Questions of the demo to recipients: answered and expired ones of sent orders, and some that wait for their answer. */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { elementAt } from '#domain/objects.ts'
import { sizeOfSms } from '#features/deliveries/sms/sms-text.rules.ts'
import { linkHours } from '#features/messages/decision-links/decision-links.codes.ts'
import { tokenOf } from '#features/messages/decision-links/decision-links.queries.ts'
import { addressKey } from '#features/messages/messages/write-message.server.ts'
import { type AnswerChoice, answerPlace } from '#features/messages/templates/templates.codes.ts'
import { hashToken } from '#platform/crypto/vault.ts'
import { createSystemContext } from '#platform/http/context.ts'
import type { Services } from '#platform/http/feature-module.ts'
import type { DemoShop } from './orders.ts'

const texts = {
  demo: (number: string) => `Vi har et spørgsmål om ordre ${number}. Svar her: https://demo.example/answer#${answerPlace}`,
  'demo-north': (number: string) => `Vi har et spørsmål om ordre ${number}. Svar her: https://demo-north.example/answer#${answerPlace}`,
  'demo-home': (number: string) => `Vi har en fråga om order ${number}. Svara här: https://demo-home.example/answer#${answerPlace}`,
} as const

const hour = 3_600_000
const choices: AnswerChoice[] = ['wait', 'new_address']

interface Asked {
  id: number
  order_no: string
  customer_id: number | null
  name: string
  phone: string
  country: string
  at: string
  open: boolean
}

export async function buildQuestions(services: Services, shops: readonly DemoShop[]): Promise<void> {
  for (const { company, scope } of shops) await askRecipients(services, scope, texts[company])
}

async function askRecipients(services: Services, scope: DemoShop['scope'], textFor: (number: string) => string): Promise<void> {
  const { operator_id, company_id } = scope
  await createSystemContext(services, scope).transaction(async ({ db, now }) => {
    const { rows } = await sql<Asked>`
      (select o.id, o.order_no, o.customer_id, o.customer_name as name, o.ship_to ->> 'phone' as phone, o.ship_country as country,
          (o.packed_at - interval '40 hours')::text as at, false as open from orders o
        where o.operator_id = current_operator_id() and o.company_id = ${company_id} and o.packed_at < ${now().toISOString()}
          and o.ship_to ->> 'phone' like '+%' and o.order_no like '%3' order by o.packed_at desc limit 16)
      union all
      (select o.id, o.order_no, o.customer_id, o.customer_name, o.ship_to ->> 'phone', o.ship_country,
          ${new Date(now().getTime() - 5 * hour).toISOString()}, true from orders o
        where o.operator_id = current_operator_id() and o.company_id = ${company_id} and o.work_state in ('new', 'ready') and o.cancelled_at is null
          and o.service_point is null and o.ship_to ->> 'phone' like '+%' order by o.id desc limit 4)`.execute(db)
    if (rows.length === 0) return
    const asked = rows.map((row, n) => ({ ...row, text: textFor(row.order_no), from: new Date(Date.parse(row.at) + n * 60_000) }))
    const messages = await db
      .insertInto('messages')
      .values(
        asked.map(({ id, customer_id, phone, country, text, from }) => ({
          ...{ company_id, order_id: id, customer_id, channel: 'sms' as const, direction: 'out' as const, state: 'delivered' as const },
          address_key: addressKey(services, { operator_id, company_id }, 'sms', phone),
          ...{ trigger: 'manual', dedupe_key: `q/demo/${id}`, country, encoding: 'UCS-2', parts: sizeOfSms(text).parts, provider: 'log' },
          ...{ send_after: from.toISOString(), valid_until: new Date(from.getTime() + linkHours * hour).toISOString(), attempts: 1 },
          ...{ sent_at: from.toISOString(), final_at: from.toISOString(), created_at: from.toISOString(), actor: 'Mette Friis' },
        })),
      )
      .returning('id')
      .execute()
    await db
      .insertInto('message_bodies')
      .values(
        asked.map(({ phone, name, text, from }, n) => ({
          ...{ company_id, message_id: elementAt(messages, n).id, address: phone, name, text, created_at: from.toISOString() },
        })),
      )
      .execute()
    await db
      .insertInto('decision_links')
      .values(
        asked.map(({ id, open, from }, n) => {
          const seed = randomBytes(16)
          const answered = !open && n % 4 !== 1
          const withdrawn = !open && n % 8 === 1
          const choice = elementAt(choices, n % 3 === 0 ? 1 : 0)
          const later = new Date(from.getTime() + (2 + (n % 9)) * hour)
          return {
            ...{
              company_id,
              order_id: id,
              message_id: elementAt(messages, n).id,
              channel: 'sms' as const,
              choices,
              seed,
              actor: 'Mette Friis',
            },
            token_hash: hashToken(tokenOf(services.vault, { operator_id, company_id }, seed)),
            created_at: from.toISOString(),
            expires_at: new Date(from.getTime() + linkHours * hour).toISOString(),
            used_at: answered ? later.toISOString() : null,
            choice: answered ? choice : null,
            until: answered && choice === 'wait' ? new Date(later.getTime() + 24 * hour).toISOString().slice(0, 10) : null,
            closed_at: withdrawn ? later.toISOString() : null,
            closed_reason: withdrawn ? ('revoked' as const) : null,
          }
        }),
      )
      .execute()
  })
}
