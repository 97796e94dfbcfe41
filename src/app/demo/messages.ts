/** Messages of the demo: templates in each shop's language, what they sent in eight weeks, answers, and one sending to many. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { elementAt } from '#domain/objects.ts'
import { sizeOfSms } from '#features/deliveries/sms/sms-text.rules.ts'
import { addressKey } from '#features/messages/messages/write-message.server.ts'
import { layoutOf } from '#features/messages/templates/email-layout.server.ts'
import { createTemplate } from '#features/messages/templates/templates.commands.ts'
import { type EmailBlock, TemplateFields } from '#features/messages/templates/templates.schemas.ts'
import type { Db } from '#platform/database/database.ts'
import { createSystemContext } from '#platform/http/context.ts'
import type { Services } from '#platform/http/feature-module.ts'
import type { DemoShop } from './orders.ts'

/** In the language of each shop. */
const words = {
  demo: {
    locale: 'da_DK',
    currency: 'DKK',
    packed: ['Pakket', 'Hej {{ first_name }}, din ordre {{ order_no }} er pakket. Følg den: {{ tracking_url }}'],
    question: [
      'Spørgsmål',
      'Hej {{ first_name }}, vi har et spørgsmål om ordre {{ order_no }}. Svar her: {{ answer_url }} eller ring {{ support_phone | default: "til os" }}.',
    ],
    late: ['Forsinkelse', 'Hej {{ first_name }}, ordre {{ order_no }} er en dag forsinket. Vi beklager.'],
    mail: ['Din ordre {{ order_no }} er på vej', 'Følg pakken'],
    answers: ['Tak!', 'Kan I vente til fredag?', 'Min adresse er forkert, det er nr. 14', 'Super, tak for hjælpen', 'Hvornår kommer den?'],
  },
  'demo-north': {
    locale: 'no_NO',
    currency: 'NOK',
    packed: ['Pakket', 'Hei {{ first_name }}, ordren din {{ order_no }} er pakket. Følg den: {{ tracking_url }}'],
    question: ['Spørsmål', 'Hei {{ first_name }}, vi har et spørsmål om ordre {{ order_no }}. Svar her: {{ answer_url }}'],
    late: ['Forsinkelse', 'Hei {{ first_name }}, ordre {{ order_no }} er en dag forsinket. Vi beklager.'],
    mail: ['Ordren din {{ order_no }} er på vei', 'Følg pakken'],
    answers: ['Takk!', 'Kan dere vente til fredag?', 'Jeg har flyttet, ny adresse kommer på e-post', 'Fint, takk', 'Når kommer den?'],
  },
  'demo-home': {
    locale: 'sv_SE',
    currency: 'SEK',
    packed: ['Packad', 'Hej {{ first_name }}, din order {{ order_no }} är packad. Följ den: {{ tracking_url }}'],
    question: ['Fråga', 'Hej {{ first_name }}, vi har en fråga om order {{ order_no }}. Svara här: {{ answer_url }}'],
    late: ['Försening', 'Hej {{ first_name }}, order {{ order_no }} är en dag försenad. Vi beklagar.'],
    mail: ['Din order {{ order_no }} är på väg', 'Följ paketet'],
    answers: ['Tack!', 'Kan ni vänta till fredag?', 'Fel adress, det ska vara 14 B', 'Bra, tack', 'När kommer den?'],
  },
} as const

const price_micro = 307_000
const mostOfShop = 620

export async function buildMessages(services: Services, shops: readonly DemoShop[]): Promise<void> {
  for (const { company, scope } of shops) {
    const own = words[company]
    const context = createSystemContext(services, scope)
    const mailBlocks: EmailBlock[] = [
      { kind: 'heading', text: own.mail[0] },
      { kind: 'items' },
      { kind: 'parcels' },
      { kind: 'button', text: own.mail[1], target: 'tracking' },
    ]
    const layout = await layoutOf(mailBlocks)
    await context.transaction(async tools => {
      const make = (fields: object, made = '') => createTemplate(tools, TemplateFields.parse({ locale: own.locale, ...fields }), made)
      const packed = await make({ channel: 'sms', trigger: 'shipped', name: own.packed[0], body: own.packed[1] })
      await make({
        channel: 'sms',
        trigger: 'on_hold_question',
        name: own.question[0],
        body: own.question[1],
        choices: ['wait', 'new_address'],
        urgent: true,
      })
      const late = await make({ channel: 'sms', trigger: 'manual', name: own.late[0], body: own.late[1] })
      await make(
        { channel: 'email', trigger: 'handed_over', name: own.packed[0], subject: own.mail[0], blocks: mailBlocks, active: false },
        layout,
      )
      await pastMessages(tools.db, services, scope, own, { packed: packed.id, late: late.id })
    })
  }
}

interface Past {
  id: number
  order_no: string
  customer_id: number | null
  name: string
  phone: string
  country: string
  packed_at: string
}

async function pastMessages(
  db: Db,
  services: Services,
  { operator_id, company_id }: { operator_id: number; company_id: number },
  { currency, packed, late, answers }: (typeof words)[keyof typeof words],
  templates: { packed: number; late: number },
): Promise<void> {
  const { rows: orders } = await sql<Past>`
    select o.id, o.order_no, o.customer_id, coalesce(o.ship_to ->> 'name', o.customer_name) as name, coalesce(o.ship_to ->> 'phone', o.customer_phone) as phone,
      o.ship_country as country, o.packed_at from orders o
    where o.operator_id = current_operator_id() and o.company_id = ${company_id} and o.packed_at is not null and o.packed_at < now()
      and coalesce(o.ship_to ->> 'phone', o.customer_phone) like '+%' order by o.packed_at desc limit ${mostOfShop}`.execute(db)
  const group = await db
    .insertInto('message_groups')
    .values({
      company_id,
      client_id: randomUUID(),
      channel: 'sms',
      title: late[0],
      template_id: templates.late,
      asked: 40,
      price_micro: 40 * price_micro,
      currency,
      actor: 'Mette Friis',
      created_at: new Date(services.now().getTime() - 9 * 86_400_000).toISOString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const filled = (template: string, order: Past) =>
    template
      .replace('{{ first_name }}', order.name.split(' ')[0] ?? '')
      .replace('{{ order_no }}', order.order_no)
      .replace('{{ tracking_url }}', 'https://demo.example/t')
  const planned = orders.flatMap((order, n) => {
    const at = Date.parse(order.packed_at)
    const address_key = addressKey(services, { operator_id, company_id }, 'sms', order.phone)
    const failed = n % 60 === 7
    const known = { company_id, order_id: order.id, customer_id: order.customer_id, channel: 'sms' as const, address_key, currency }
    const instant = (seconds: number) => new Date(at + seconds * 1_000).toISOString()
    const out = (trigger: string, template_id: number, text: string, seconds: number, group_id: number | null) => ({
      row: {
        ...known,
        direction: 'out' as const,
        state: failed ? ('failed' as const) : ('delivered' as const),
        reason: failed ? 'undeliverable' : null,
        template_id,
        group_id,
        trigger,
        dedupe_key: group_id === null ? `o/${trigger}/sms/${order.id}/0` : `g/${group_id}/${order.id}`,
        country: order.country,
        encoding: 'GSM-7',
        parts: sizeOfSms(text).parts,
        price_micro: sizeOfSms(text).parts * price_micro,
        provider: 'log',
        send_after: instant(seconds),
        valid_until: instant(seconds + 259_200),
        attempts: 1,
        sent_at: instant(seconds + 1),
        final_at: instant(seconds + 5),
        handled_at: null,
        handled_by: null,
        actor: group_id === null ? '' : 'Mette Friis',
        created_at: instant(seconds),
      },
      text,
    })
    const first = out('shipped', templates.packed, filled(packed[1], order), 2, null)
    const sending = n >= 30 && n < 70 ? [out('manual', templates.late, filled(late[1], order), 3_600, group.id)] : []
    if (n % 31 !== 3) return [first, ...sending].map(one => ({ ...one, order }))
    const waiting = n < 160
    const answer = {
      row: {
        ...first.row,
        direction: 'in' as const,
        state: 'received' as const,
        reason: null,
        template_id: null,
        trigger: 'manual',
        dedupe_key: `in/demo/${order.id}`,
        encoding: null,
        parts: null,
        price_micro: null,
        sent_at: null,
        handled_at: waiting ? null : instant(9_000),
        handled_by: waiting ? null : 'Mette Friis',
        created_at: instant(5_400),
      },
      text: elementAt(answers, n % answers.length),
    }
    return [first, ...sending, answer].map(one => ({ ...one, order }))
  })
  // Lists show the last written first.
  const inOrder = planned.toSorted((one, other) => one.row.created_at.localeCompare(other.row.created_at))
  for (let from = 0; from < inOrder.length; from += 250) {
    const batch = inOrder.slice(from, from + 250)
    const ids = await db
      .insertInto('messages')
      .values(batch.map(one => one.row))
      .returning('id')
      .execute()
    await db
      .insertInto('message_bodies')
      .values(
        batch.map(({ order, text, row }, n) => ({
          company_id,
          message_id: elementAt(ids, n).id,
          address: order.phone,
          name: order.name,
          text,
          created_at: row.created_at,
        })),
      )
      .execute()
  }
}
