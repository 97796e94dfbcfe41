/** The portal without scripts, over HTTP: what its forms find, take and refuse, and that they count with the scripted page. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { elementAt } from '#domain/objects.ts'
import { rmaLanguages } from '#features/returns/rma-languages/rma-languages.contract.ts'
import { placeOrder } from '#test/orders.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { portal } from './portal.contract.ts'

let testApp: TestApp
let operator: TestOperator
let visitor: TestUser
let address = 1

beforeAll(async () => {
  testApp = await openTestApp({ TRUSTED_PROXIES: '127.0.0.1' })
  operator = await testApp.operator()
  visitor = testApp.visitor(operator.main)
  const clerk = await operator.hire(['rma_admin'])
  for (const language of ['da_DK', 'de_DE'] as const) {
    const texts = { greeting: 'Hej <b>du</b>', return_address: 'Returvej 1', confirmation: 'Tak', legal: '', support: '' }
    await clerk.send(rmaLanguages.setTexts, { language, body: { texts, version: 0 } })
    await clerk.send(rmaLanguages.enable, { language })
  }
})
afterAll(() => testApp.close())

const newAddress = () => `203.0.113.${address++}`

/** Two T-shirts and a cap, delivered some days ago. */
async function deliver() {
  const scope = scopeOfCompany(operator)
  const { id, order_no, lines } = await placeOrder(testApp.services.database, scope, { locale: 'de_DE', work_state: 'handed_over' })
  const at = new Date(Date.now() - 3 * 86_400_000).toISOString()
  await testApp.services.database.transaction(scope, async db => {
    await db
      .updateTable('order_lines')
      .set(eb => ({ picked_qty: eb.ref('qty'), packed_qty: eb.ref('qty'), shipped_qty: eb.ref('qty') }))
      .where('order_id', '=', id)
      .execute()
    await db
      .insertInto('shipments')
      .values({
        ...{ order_id: id, agent_code: 'own', shipping_method: 'van', state: 'delivered', idempotency_key: `k${id}`, reference: `r${id}` },
        ...{ request: '{}', booked_at: at, handed_over_at: at, delivered_at: at },
      })
      .execute()
  })
  return { id, order_no, shirts: elementAt(lines, 0), cap: elementAt(lines, 1) }
}

async function post(fields: Record<string, string>, from = newAddress()) {
  const answer = await visitor.ask(
    portal.sendForm,
    { upload: Buffer.from(new URLSearchParams(fields).toString()) as unknown as Blob },
    { headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': from } },
  )
  return { status: answer.statusCode, headers: answer.headers, text: answer.body }
}

const hiddenIn = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]))

const returnsOfOrder = (order_id: number) =>
  testApp.services.database.transaction(scopeOfCompany(operator), db =>
    db
      .selectFrom('returns as r')
      .leftJoin('return_items as i', 'i.return_id', 'r.id')
      .select(['r.id', 'r.withdrawal', 'r.language', 'i.order_line_id'])
      .where('r.order_id', '=', order_id)
      .orderBy('i.id')
      .execute(),
  )

it('is a page with plain forms in the language that is asked for, and loads and sends nothing elsewhere', async () => {
  for (const [lang, title] of [
    ['de_DE', 'Artikel zurückgeben'],
    ['da_DK', 'Returnér varer'],
  ] as const) {
    const answer = await visitor.ask(portal.form, { lang })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toContain('text/html')
    expect(answer.headers['content-security-policy']).toContain("form-action 'self'")
    expect(answer.headers['content-security-policy']).not.toContain('sandbox')
    expect(answer.body).toContain(`<h1>${title}</h1>`)
    expect(answer.body).toContain('method="post" action="form"')
    expect(answer.body).toContain('Hej &lt;b&gt;du&lt;/b&gt;')
    expect(answer.body).not.toContain('<script')
  }
  const bad = await visitor.ask(portal.form, { lang: 'xx', step: 'other', shop: 'no"where' } as never)
  expect(bad.statusCode).toBe(200)
  expect(bad.body).not.toContain('no"where')
})

it('finds an order and answers everything else with one sentence after one time', async () => {
  const { order_no, shirts, cap } = await deliver()
  const found = await post({ step: 'find', lang: 'de_DE', order_no, key: '5000' })
  expect(found.text).toContain('T-shirt, White / L')
  expect(found.text).toContain(`name="qty_${shirts}"`)
  expect(found.text).toContain(`name="qty_${cap}"`)
  const answers = []
  for (const wrong of [
    { order_no: '999999', key: '5000' },
    { order_no, key: '5001' },
    { order_no, key: 'someone@example.test' },
  ]) {
    const began = performance.now()
    const { status, text } = await post({ step: 'find', lang: 'de_DE', ...wrong })
    expect(performance.now() - began).toBeGreaterThan(295)
    answers.push(`${status} ${text.replaceAll(wrong.order_no, '').replaceAll(wrong.key, '')}`)
  }
  expect(new Set(answers).size).toBe(1)
  expect(elementAt(answers, 0)).toContain('Wir fanden keine Bestellung')
})

it('withdraws from the chosen items after a confirmation, once however often it is sent', async () => {
  const { id, order_no, cap } = await deliver()
  const found = await post({ step: 'find', lang: 'de_DE', order_no, key: '5000' })
  const asked = { ...hiddenIn(found.text), name: 'Lene <i>Hansen', email: 'lene@example.test', [`qty_${cap}`]: '1' }
  const confirm = await post(asked)
  expect(confirm.text).toContain('Lene &lt;i&gt;Hansen')
  expect(await returnsOfOrder(id)).toEqual([])
  const sent = hiddenIn(confirm.text)
  for (let time = 0; time < 2; time++)
    expect((await post({ ...sent, name: 'Lene Hansen' })).text).toContain('Wir haben Ihren Widerruf erhalten')
  expect(await returnsOfOrder(id)).toMatchObject([{ withdrawal: true, language: 'de_DE', order_line_id: cap }])
})

it('takes a withdrawal from an order that no one knows as from one that is known', async () => {
  const { order_no } = await deliver()
  const texts = []
  for (const named of [order_no, 'X-1']) {
    const confirm = await post({ step: 'confirm', lang: 'da_DK', name: 'Lene', order_no: named, email: 'lene@example.test' })
    const { text, status } = await post(hiddenIn(confirm.text))
    texts.push(`${status} ${text.replace(/\d{1,2}[.:]\d{2}[.:]\d{2}/, '')}`)
  }
  expect(new Set(texts).size).toBe(1)
  expect(elementAt(texts, 0)).toContain('Vi har modtaget')
})

it('asks again for what is missing, and for an order whose link has ended', async () => {
  const empty = await post({ step: 'confirm', lang: 'en_GB', name: 'Lene', order_no: 'X-1', email: 'no address' })
  expect(empty.text).toContain('Fill in all fields, with an e-mail address.')
  expect(empty.text).toContain('value="no address"')
  const ended = await post({ step: 'confirm', lang: 'en_GB', name: 'L', order_no: 'X', email: 'l@example.test', link: 'x'.repeat(43) })
  expect(ended.text).toContain('This link is no longer valid.')
})

it('counts its searches and withdrawals with those of the scripted page', async () => {
  const from = newAddress()
  const headers = { 'x-forwarded-for': from }
  for (let n = 0; n < 10; n++) await visitor.ask(portal.find, { body: { order_no: `N${n}`, key: '5000' } }, { headers })
  const late = await post({ step: 'find', lang: 'en_GB', order_no: 'N11', key: '5000' }, from)
  expect(late.text).toContain('There were too many tries from here.')
  const other = newAddress()
  for (let n = 0; n < 10; n++) await post({ step: 'find', lang: 'en_GB', order_no: `M${n}`, key: '5000' }, other)
  const refused = await visitor.ask(portal.find, { body: { order_no: 'M11', key: '5000' } }, { headers: { 'x-forwarded-for': other } })
  expect(refused.statusCode).toBe(429)
})

it('takes no form of another site', async () => {
  const answer = await visitor.ask(
    portal.sendForm,
    { upload: Buffer.from('step=find') as unknown as Blob },
    { headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.example' } },
  )
  expect(answer.statusCode).toBe(403)
})
