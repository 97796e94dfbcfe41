/** Erasure: a person whose data are words that stand nowhere else leaves no trace in the database, the files and the logs. */
import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import { unzipSync } from 'fflate'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { scopeOfCompany } from '#app/demo/builders.ts'
import { erasureParts } from '#app/erasure-parts.ts'
import { permissions } from '#contract/access.ts'
import { cmsKeys } from '#features/company/api-keys/cms-keys.contract.ts'
import { jobs } from '#features/company/jobs/jobs.contract.ts'
import { doJob, newJob } from '#features/company/jobs/jobs.queries.ts'
import { savedViews } from '#features/company/saved-views/saved-views.contract.ts'
import { orderImports } from '#features/orders/order-imports/order-imports.contract.ts'
import { orderComments } from '#features/orders/orders/comments/order-comments.contract.ts'
import { takeChanges } from '#features/orders/orders/customers/customer-changes.task.ts'
import { orderLocks } from '#features/orders/orders/locks/order-locks.contract.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { statusHistories } from '#features/orders/orders/status-histories/status-histories.contract.ts'
import { shopWebhooks } from '#features/orders/shop-webhooks/shop-webhooks.contract.ts'
import { packing } from '#features/packing/packing/packing.contract.ts'
import { printJobs } from '#features/printing/print-jobs/print-jobs.contract.ts'
import { printers } from '#features/printing/printers/printers.contract.ts'
import { shopifyDelivery, shopifyLine, shopifyOrder } from '#integrations/shops/shopify.fake.ts'
import type { Db } from '#platform/database/database.ts'
import { createSystemContext } from '#platform/http/context.ts'
import { sender } from '#test/sender.ts'
import { openTestApp, type TestApp, type TestOperator, type TestUser } from '#test/test-app.ts'
import { nextSubjects } from './erasure.queries.ts'
import { removeOldExports, startWaitingErasures } from './erasure.task.ts'

const word = 'Kanarie7Q'
const phone = '20776655'
const canaries = [word, phone]
const secret = 'the secret of this shop'

let testApp: TestApp
let root: pg.Client
let operator: TestOperator
let admin: TestUser
const logged: string[] = []
beforeAll(async () => {
  testApp = await openTestApp()
  for (const level of ['info', 'warn', 'error'] as const)
    vi.spyOn(testApp.services.log, level).mockImplementation((about, text) => void logged.push(`${text} ${JSON.stringify(about)}`))
  await testApp.startWorkers()
  root = new pg.Client({ connectionString: testApp.url })
  await root.connect()
  operator = await testApp.operator({ settings: { sender } })
  admin = await operator.hire(permissions)
  await admin.send(cmsKeys.setHook, { source: 'shopify', shop: 'dk', body: { secret } })
})
afterAll(async () => {
  await root.end()
  await testApp.close()
})

const deliver = async (body: unknown, topic?: string) => {
  const { raw, headers } = shopifyDelivery(body, topic === undefined ? { secret } : { secret, topic })
  const answer = await testApp.visitor(operator.main).ask(shopWebhooks.shopify, { shop: 'dk', upload: raw }, { headers })
  expect(answer.statusCode).toBe(204)
}
const orderOf = async (external_id: number | string): Promise<number> =>
  Number(
    (await root.query('select id from orders where operator_id = $1 and external_id = $2', [operator.operator_id, String(external_id)]))
      .rows[0].id,
  )

const address = {
  first_name: word,
  last_name: 'Person',
  name: `${word} Person`,
  address1: `${word} Allé 5`,
  phone,
  company: `${word} ApS`,
  country_code: 'DK',
  zip: '5000',
  city: 'Odense',
}
const canaryOrder = (id: number) =>
  shopifyOrder({
    id,
    name: `#${id}`,
    email: `${word}@example.test`,
    contact_email: `${word}@example.test`,
    note: `${word} wrote this`,
    note_attributes: [{ name: 'Greeting', value: `For ${word}` }],
    customer: { id: 990 + id, first_name: word, last_name: 'Person', email: `${word}@example.test`, phone },
    shipping_address: address,
    billing_address: address,
    line_items: [shopifyLine({ properties: [{ name: 'Engraving', value: word }] })],
  })

const head = 'order_no;ordered_at;ship_name;ship_address1;ship_postcode;ship_city;ship_country;ship_phone;sku;name;qty;currency'
const row = (no: string, name: string, number: string, qty = '1') =>
  `${no};2026-11-10;${name};${name} Vej 5;5000;Odense C;DK;${number};TS-1;T-shirt;${qty};DKK`

/** Imports the rows and answers the import's id. */
async function importRows(...rows: string[]): Promise<number> {
  const upload = new TextEncoder().encode(`${[head, ...rows].join('\r\n')}\r\n`)
  const { file_id } = await admin.send(orderImports.uploadFile, { upload: upload as never }, { headers: { 'x-file-name': 'orders.csv' } })
  const seen = await admin.send(orderImports.preview, { body: { file_id } })
  const { id } = await admin.send(orderImports.start, { body: { file_id, form: seen.form, mapping: seen.mapping, shop: 'dk' } })
  await expect.poll(async () => (await admin.send(orderImports.get, { id })).state, { timeout: 20_000 }).toBe('done')
  return id
}

/** The columns in which a canary stands, by table, from the catalogue: all columns of all tables, those of the queue included. */
async function columnsWithCanary(): Promise<Map<string, string[]>> {
  const { rows: columns } = await root.query<{ table: string; column: string; bytes: boolean }>(`
    select a.attrelid::regclass::text "table", quote_ident(a.attname) "column", a.atttypid = 'bytea'::regtype bytes
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and not c.relispartition and n.nspname not in ('pg_catalog', 'information_schema') and a.attnum > 0 and not a.attisdropped`)
  expect(columns.length).toBeGreaterThan(400)
  const found: [table: string, columns: string[]][] = []
  for (const [table, some] of Map.groupBy(columns, one => one.table)) {
    const held = some.map(({ column, bytes }) => `bool_or(${bytes ? `encode(${column}, 'escape')` : `${column}::text`} ~* $1) as ${column}`)
    const { rows } = await root.query<Record<string, boolean | null>>(`select ${held.join(', ')} from ${table}`, [canaries.join('|')])
    const names = Object.entries(rows[0] ?? {}).flatMap(([column, holds]) => (holds ? [column] : []))
    if (names.length > 0) found.push([table, names])
  }
  return new Map(found.toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
const tablesWithCanary = async () => [...(await columnsWithCanary()).keys()]

/** Stored files that hold a canary: as plain bytes, or in a compressed part of a PDF. */
async function filesWithCanary(): Promise<string[]> {
  const folder = join(testApp.services.config.data_dir, 'files')
  const names = (await readdir(folder, { recursive: true, withFileTypes: true })).filter(one => one.isFile())
  const found: string[] = []
  for (const { parentPath, name } of names) {
    const bytes = await readFile(join(parentPath, name))
    const texts = [bytes.toString('latin1')]
    for (let at = bytes.indexOf('stream'); at >= 0; at = bytes.indexOf('stream', at + 6)) {
      const begin = bytes[at + 6] === 13 ? at + 8 : at + 7
      try {
        texts.push(inflateSync(bytes.subarray(begin, bytes.indexOf('endstream', begin))).toString('latin1'))
      } catch {
        // Not compressed: read above.
      }
    }
    // PDF writers set text in hexadecimal, cut where letters are moved together.
    const shown = texts.flatMap(text => [text, ...[...text.matchAll(/\[([^\]]*)\]\s*TJ/g)].map(([, parts]) => hexText(parts!))])
    if (shown.some(text => canaries.some(canary => text.toLowerCase().includes(canary.toLowerCase())))) found.push(name)
  }
  return found
}
const hexText = (parts: string) =>
  [...parts.matchAll(/<([0-9a-f]+)>/gi)].map(([, hex]) => Buffer.from(hex!, 'hex').toString('latin1')).join('')

const erasuresOf = async () =>
  (await root.query('select id::int, kind, state, report from erasures where operator_id = $1 order by id', [operator.operator_id]))
    .rows as {
    id: number
    kind: string
    state: string
    report: Record<string, number>
  }[]

describe('a person who ordered twice', () => {
  let packed: number
  let imported: number
  let file: number

  it('stands in many tables and files before', async () => {
    await deliver(canaryOrder(71))
    packed = await orderOf(71)
    file = await importRows(
      row('K1', `${word} Person`, phone),
      row('N1', 'Neighbour', '20112233'),
      row('K2', `${word} Person`, phone, 'many'),
    )
    imported = await orderOf('K1')
    await deliver(shopifyOrder({ id: 72, name: '#72', currency: `${word} Person`, shipping_address: address }))
    await root.query(`update orders set agent_code = 'own', shipping_method = 'van' where id = any ($1)`, [[packed, imported]])

    await admin.send(orderComments.add, { id: packed, type: 'info', body: { comment: `${word} rang` } })
    await admin.send(statusHistories.add, { id: packed, body: { comment: `${word} was said` } })
    await admin.send(orderLocks.lock, { id: packed, body: { note: `Wait for ${word}` } })
    await admin.send(orderLocks.unlock, { id: packed })
    await admin.send(orders.setAddress, {
      order_id: packed,
      body: { address1: `${word} Gade 6`, instruction: `Ring ${word}`, door_code: word },
    })
    await admin.send(packing.start, { id: packed, body: { station: 'Bench 1' } })
    await admin.send(packing.scan, { id: packed, body: { scan_id: randomUUID(), code: word } as never }, { station: 'Bench 1' })
    await admin.send(packing.bypass, { id: packed, body: { reason: `${word} waits at the counter` } })
    const label_printer_id = (await admin.send(printers.list, {})).printers.find(one => one.name.toLowerCase().includes('label'))!.id
    expect((await admin.send(packing.close, { id: packed, body: { label_printer_id } })).outcome).toBe('labelled')
    const { rows: prints } = await root.query('select id from print_jobs where order_id = $1', [packed])
    await admin.send(printJobs.reprint, { id: Number(prints[0].id), printer: label_printer_id })
    await admin.send(savedViews.save, {
      screen: 'orders',
      body: { name: `${word} Person`, query: { query: `${word} Person` } as never, shared: true },
    })

    const scope = { ...scopeOfCompany(operator), companies: [operator.main.id] }
    const job = await testApp.services.database.transaction(scope, db =>
      newJob(db, { kind: 'products.import', title: 'x.csv', created_by: 1 }),
    )
    await doJob({ ...createSystemContext(testApp.services, scope), last_try: true }, job, () => {
      throw new Error(`value "${word}@example.test" is too long`)
    })
    const { rows: shipments } = await root.query(
      `update shipments set error = '${word} refused', cancel_answers = '["${word}"]' where order_id = $1 returning id`,
      [packed],
    )
    // What drivers, pickers and couriers leave, without walking a pick list and a collect list.
    const own = `${operator.operator_id}, ${operator.main.id}`
    await root.query(`set session_replication_role = replica;
      insert into shipment_events (operator_id, company_id, shipment_id, order_id, state, place, text) values (${own}, ${shipments[0].id}, ${packed}, 'delivered', '${word}', 'Left at ${word}');
      insert into pick_scans (operator_id, id, pick_list_id, wagon_no, order_id, kind, raw, result, user_id, user_name, at, answer)
        values (${operator.operator_id}, gen_random_uuid(), 1, 1, ${packed}, 'pick', '${word}', 'ok', 1, 'Picker', now(), '{"name": "${word}"}');
      insert into pick_shorts (operator_id, company_id, order_id, order_line_id, name, quantity, reason, note, reported_by) values (${own}, ${packed}, 1, 'T-shirt', 1, 'other', '${word} was asked', 'Picker');
      insert into bin_counts (operator_id, company_id, bin, reason, asked_by, note) values (${own}, 'A1', 'asked', 'Picker', 'Found for ${word} Person');
      insert into collect_scans (operator_id, id, collect_list_id, raw, result, shipment_id, user_id, answer) values (${operator.operator_id}, gen_random_uuid(), 1, '${word}', 'ok', ${shipments[0].id}, 1, '{"name": "${word}"}');
      update order_imports set problems = '[{"text": "{{name}} is no name", "values": {"name": "${word} Person"}}]' where id = ${file};
      update print_jobs set error = 'No paper for ${word}' where order_id = ${packed};
      insert into outbox_deliveries (operator_id, company_id, at, destination_kind, destination_id, outbox_id, object_type, object_id, seq, next_at, answer)
        values (${own}, now(), 'webhook', 1, 1, 'order', ${packed}, 1, now() + interval '1 day', 'No customer ${word}');
      insert into webhook_bodies (operator_id, company_id, delivery_id, delivery_at, webhook_id, order_id, sent_at, body)
        values (${own}, 1, now(), 1, ${packed}, now(), '{"data": {"ship_to": {"name": "${word} Person"}}}');
      insert into connection_log (operator_id, company_id, connection_id, at, kind, outcome, shop_words, order_id)
        values (${own}, 1, now(), 'push', 'refused', 'No customer ${word}', ${packed});
      insert into packing_exceptions (operator_id, company_id, order_id, kind, note, reported_by, reported_at, due_at)
        values (${own}, ${packed}, 'address', 'Asked ${word} Person', 'Packer', now(), now());
      insert into shipment_exceptions (operator_id, company_id, shipment_id, order_id, kind, opened_at, next_step, note)
        values (${own}, ${shipments[0].id}, ${packed}, 'address', now(), 'Call ${word}', 'Asked ${word} Person');
      insert into claims (operator_id, company_id, shipment_id, order_id, kind, amount, currency, noticed_on, note, created_by)
        values (${own}, ${shipments[0].id}, ${packed}, 'damage', 100, 'DKK', current_date, 'Broken, says ${word}', 'Clerk');
      insert into pickups (operator_id, company_id, client_id, agent_code, day, from_time, to_time, parcels, weight_g, note, created_by)
        values (${own}, gen_random_uuid(), 'gls', current_date, '14:00', '16:00', 1, 1, 'Ask for ${word} Person', 'Clerk');
      insert into packing_videos (operator_id, company_id, order_id, session_id, station, part_no, source, state, starts_at, held_until, held_reason, delete_after, created_at)
        select operator_id, company_id, order_id, id, station, 1, 'station', 'available', now(), current_date + 9, 'Claim of ${word}', now(), now()
        from packing_sessions where order_id = ${packed} limit 1;
      update packing_sessions set parked_reason = 'For ${word}' where order_id = ${packed};
      insert into packing_photos (operator_id, company_id, client_id, order_id, session_id, parcel_no, station, file_id, taken_at, taken_by, delete_after, held_until, held_reason)
        select operator_id, company_id, gen_random_uuid(), order_id, id, 1, station, 2147483647, now(), 'Packer', now() + interval '1 day', current_date + 9, 'Claim of ${word}'
        from packing_sessions where order_id = ${packed} limit 1;
      insert into approval_requests (operator_id, company_id, act, rule_name, reason, approver_codes, order_id, state, asked_by_id, asked_by_name, station)
        values (${own}, 'weight', '', '${word} Person agreed', '{scan_admin}', ${packed}, 'approved', 1, 'Packer', 'Bench 1');
      insert into company_exports (operator_id, company_id, job_id, file_id, requested_by, requested_by_name)
        values (${own}, 1, 2147483647, 1, 'Admin');
      insert into customer_notes (operator_id, company_id, customer_id, type, note, actor)
        select ${own}, customer_id, 'warning', '${word} asks twice', 'Clerk' from orders where id = ${packed};
      insert into access_log (operator_id, company_id, user_name, subject_type, what, criteria)
        values (${own}, 'Clerk', 'customer', 'customer/search', '${word} Person');
      with written as (insert into messages (operator_id, company_id, channel, state, answer, order_id, dedupe_key, send_after, valid_until, created_at)
        values (${own}, 'email', 'failed', 'No mailbox ${word}', ${packed}, 'canary', now(), now(), now()) returning id)
        insert into message_bodies (operator_id, company_id, message_id, address, name, subject, text, html, created_at)
        select ${own}, id, '${word}@example.test', '${word} Person', 'For ${word}', 'Hi ${word}', '<p>Hi ${word}</p>', now() from written;
      insert into message_groups (operator_id, company_id, client_id, channel, title, asked, price_micro, currency, actor, created_at)
        values (${own}, gen_random_uuid(), 'sms', 'Dear ${word} Person', 2, 0, 'DKK', 'Clerk', now());
      insert into message_opt_outs (operator_id, company_id, channel, address_key, address, source, at)
        values (${own}, 'email', 'key of the address', '${word}@example.test', 'person', now());
      insert into schedule_entries (operator_id, company_id, kind, work_date, state, decision) values (${own}, 'leave', current_date, 'rejected', '${word} Person moves in then');
      insert into schedule_notes (operator_id, company_id, entry_id, note) values (${own}, 1, 'Delivery to ${word} Person before');
      insert into shift_offers (operator_id, company_id, kind, entry_id, from_user_id, state, reason) values (${own}, 'give', 1, 1, 'refused', '${word} Person is expected');
      insert into punch_notes (operator_id, company_id, punch_id, no, note) values (${own}, 1, 1, '${word} Person was late with the goods');
      insert into predefined_addresses (operator_id, company_id, kind, title, name, attention, company, address1, postcode, city, country, phone, email, instruction)
        values (${own}, 'recipient', 'Mr ${word} Person', '${word} Person', '${word} Person', '${word} ApS', '${word} Allé 5', '5000', 'Odense', 'DK', '+45 20 77 66 55', '${word}@example.test', 'Ask ${word}');
      insert into setting_changes (operator_id, company_id, name, before, after, changed_by, at)
        values (${own}, 'addresses.77.entry', '{"title": "Mr ${word} Person", "fields": {"name": "${word} Person", "company": ""}}', 'null', 'Clerk', now());
      insert into bulk_jobs (operator_id, company_id, action, args, asked, actor) values (${own}, 'hold', '{"note": "Wait for ${word} Person"}', 1, 'Clerk');
      insert into order_exports (operator_id, company_id, job_id, format, columns, sort, locale, filters)
        values (${own}, 1, 'csv', '{order_no}', 'newest', 'en_GB', '{"query": "${word} Person"}');
      insert into order_alert_hits (operator_id, company_id, alert_id, owner_company_id, order_id, signals, mode, digest, note)
        values (${own}, 1, ${operator.main.id}, ${packed}, 'order_value', 'note', true, 'Ask ${word} first');
      insert into returns (operator_id, company_id, rma_no, order_id, source, status, method, currency, contact_name, contact_email, note)
        values (${own}, 'R9000001', ${packed}, 'portal', 'requested', 'none', 'DKK', '${word} Person', '${word}@example.test', '${word} is away');
      insert into return_items (operator_id, company_id, return_id, name, custody, reason_note, answer) values (${own}, 1, 'Mug', 'advised', '${word} says it leaks', '${word} wants a mug');
      insert into return_parcels (operator_id, company_id, return_id, tracking_key) values (${own}, 1, '${word.toUpperCase()}1');
      insert into refund_proposals (operator_id, company_id, return_id, no, kind, lines, goods, total, currency, proposed_by, note)
        values (${own}, 1, 1, 'refund', '[]', 0, 0, 'DKK', 'Clerk', 'For ${word}');
      insert into announcements (operator_id, company_id, title, texts, mode, everyone, from_at)
        values (${own}, 'For ${word} Person', '{"en_GB": {"title": "For ${word} Person", "body": "${word} Person comes"}}', 'info', true, now());
      insert into announcement_versions (operator_id, company_id, announcement_id, no, texts, sha256, published_at, published_by)
        values (${own}, 1, 1, '{"en_GB": {"title": "Goods", "body": "${word} Person comes"}}', 'hash', now(), 'Clerk');
      update orders set phase = 'closed', work_state = 'closed' where id = any ('{${packed},${imported}}');
      set session_replication_role = origin`)

    await takeChanges(testApp.services)
    const found = await tablesWithCanary()
    const erased = erasureParts.filter(part => !part.kept).flatMap(part => part.tables)
    expect(found.filter(table => !erased.includes(table))).toEqual([])
    // The rest of the list holds rows from before this version, or keys of other tables.
    expect(erased.filter(table => !found.includes(table))).toEqual(['files', 'file_subjects', 'company_exports', 'label_log', 'customers'])
    expect((await filesWithCanary()).length).toBeGreaterThan(2)
  })

  it.each(erasureParts.filter(part => !part.kept).map(part => [part.tables.join(', '), part] as const))(
    'is not erased completely without the part of %s',
    async (_tables, without) => {
      const scope = { ...scopeOfCompany(operator), companies: [operator.main.id] }
      const left = await testApp.services.database
        .transaction(scope, async (db): Promise<never> => {
          const erasure = {
            id: 0,
            kind: 'erase',
            state: 'running',
            shop: null,
            order_ids: [packed, imported],
            done_order_id: 0,
            report: {},
          } as const
          const subjects = await nextSubjects(db, { ...erasure, order_ids: [packed, imported], asked_customer_ids: [] }, 200)
          const customer_ids = (await db.selectFrom('customers').select('id').execute()).map(one => one.id)
          for (const part of erasureParts) if (part !== without) await part.erase(db, { ...subjects!, customer_ids }, new Date())
          throw new Found(await remains(db, without.tables))
        })
        .catch(error => (error instanceof Found ? error.rows : Promise.reject(error)))
      expect(left).toBeGreaterThan(0)
    },
  )

  it('is not erased while an order is open', async () => {
    await root.query(`update orders set phase = 'picking' where id = $1`, [imported]).catch(() => undefined)
    await root.query(
      `set session_replication_role = replica; update orders set phase = 'packed', work_state = 'packed' where id = ${imported}; set session_replication_role = origin`,
    )
    await deliver({ customer: { id: 1 }, orders_to_redact: [71, 'K1'] }, 'customers/redact')
    expect(await erasuresOf()).toMatchObject([{ kind: 'erase', state: 'waiting' }])
    await startWaitingErasures(testApp.services)
    expect(await erasuresOf()).toMatchObject([{ kind: 'erase', state: 'waiting' }])
    expect(await tablesWithCanary()).toContain('orders')
  })

  it('is counted and stays when the customer asks what is stored', async () => {
    await deliver({ customer: { id: 1 }, orders_requested: [71, 'K1'] }, 'customers/data_request')
    await expect.poll(async () => (await erasuresOf())[1]?.state, { timeout: 20_000 }).toBe('done')
    expect((await erasuresOf())[1]).toMatchObject({ kind: 'report', report: { orders: 2, order_comments: 2 } })
    expect(await tablesWithCanary()).toContain('orders')
  })

  it('receives a copy of every column that is about the person, and nothing about others', async () => {
    const job = await exportJob()
    const { bytes, media_type } = await admin.send(jobs.file, { id: job.id })
    expect(media_type).toBe('application/zip')
    const files = Object.entries(unzipSync(bytes as Uint8Array)).map(
      ([entry, content]) => [entry, Buffer.from(content).toString()] as const,
    )
    expect(files.map(([entry]) => entry)).toEqual(erasureParts.map(part => `${part.tables[0]}.json`))
    const copy = Object.assign({}, ...files.map(([, content]) => JSON.parse(content) as object)) as Record<
      string,
      Record<string, unknown>[]
    >
    const holds = (value: unknown) =>
      canaries.some(canary =>
        JSON.stringify(value ?? null)
          .toLowerCase()
          .includes(canary.toLowerCase()),
      )
    const missing = [...(await columnsWithCanary())].flatMap(([table, columns]) =>
      columns.filter(column => !copy[table]?.some(row => holds(row[column]))).map(column => `${table}.${column}`),
    )
    expect(missing).toEqual([])
    expect(JSON.stringify(copy)).not.toContain('Neighbour')
    const clerk = await operator.hire(['scan'])
    expect((await clerk.ask(jobs.file, { id: job.id })).statusCode).toBe(404)
  })

  it('is nowhere afterwards: not in a table, a file or a log', async () => {
    await root.query(
      `set session_replication_role = replica; update orders set phase = 'closed', work_state = 'closed' where id = ${imported}; set session_replication_role = origin`,
    )
    await startWaitingErasures(testApp.services)
    await expect.poll(async () => (await erasuresOf())[0]?.state, { timeout: 20_000 }).toBe('done')
    expect(await tablesWithCanary()).toEqual([])
    expect(await filesWithCanary()).toEqual([])
    const { rows: copies } = await root.query(
      `select id from files where operator_id = $1 and media_type = 'application/zip' and removed_at is null`,
      [operator.operator_id],
    )
    expect(copies).toEqual([])
    expect(logged.filter(line => canaries.some(canary => line.includes(canary)))).toEqual([])
    expect((await erasuresOf())[0]?.report).toMatchObject({ orders: 2, files: expect.any(Number), customers: expect.any(Number) })
  })

  it('leaves the orders with their numbers, lines and country', async () => {
    const shown = await admin.send(orders.get, { id: packed })
    expect(shown).toMatchObject({ order_no: '#71', ship_to: { name: 'Erased person', country: 'DK', address1: '' } })
    const { rows } = await admin.send(orders.search, { query: '#71' } as never)
    expect(rows.map(one => one.id)).toEqual([packed])
    expect((await admin.send(orders.timeline, { id: packed })).rows.length).toBeGreaterThan(5)
  })

  it("leaves the neighbour's row in the imported file", async () => {
    const { rows } = await root.query<{ sha256: string }>(
      'select f.sha256 from order_imports i join files f on f.id = i.file_id where i.id = $1',
      [file],
    )
    const text = (await testApp.services.files.get(operator.operator_id, rows[0]!.sha256)).toString('utf8')
    expect(text).toContain('Neighbour')
    expect(text.split('\n').filter(line => line.trim() !== '')).toHaveLength(2)
  })

  it('is erased once: asking again changes nothing', async () => {
    await deliver({ customer: { id: 1 }, orders_to_redact: [71, 'K1'] }, 'customers/redact')
    await expect.poll(async () => (await erasuresOf())[2]?.state, { timeout: 20_000 }).toBe('done')
    expect((await erasuresOf())[2]?.report).toEqual({})
  })
})

it('a shop that leaves takes the persons of all its orders with it', async () => {
  await deliver(canaryOrder(81))
  const id = await orderOf(81)
  await admin.send(orders.setState, { id, state: 'cancelled' })
  await root.query(
    `set session_replication_role = replica; update orders set phase = 'closed', work_state = 'closed' where operator_id = ${operator.operator_id} and id <> ${id}; set session_replication_role = origin`,
  )
  await deliver({ shop_id: 1 }, 'shop/redact')
  await expect.poll(async () => (await erasuresOf()).at(-1)?.state, { timeout: 20_000 }).toBe('done')
  expect(await tablesWithCanary()).toEqual([])
  const { rows } = await root.query('select customer_name from orders where operator_id = $1', [operator.operator_id])
  expect(new Set(rows.map(one => one.customer_name))).toEqual(new Set(['Erased person']))
})

it('what an event from before the side rows says about a person moves to its side row', async () => {
  const { rows } = await root.query<{ id: string }>(
    `insert into events (operator_id, company_id, kind, order_id, actor_name, actor_company_id, data)
      values ($1, $2, 'order.locked', 1, 'Kim', $2, '{"lock": "manual", "reason": null, "note": "Ask Lene"}') returning id`,
    [operator.operator_id, operator.main.id],
  )
  const move = await readFile(new URL('../../../../migrations/0067_move_personal_event_data.sql', import.meta.url), 'utf8')
  expect((await root.query(move)).rowCount).toBe(1)
  expect((await root.query(move)).rowCount).toBe(0)
  const { rows: after } = await root.query(
    'select e.data, p.data as personal, p.at = e.at as same_time from events e join event_personal p on p.event_id = e.id where e.id = $1',
    [rows[0]!.id],
  )
  expect(after).toEqual([{ data: { lock: 'manual', reason: null }, personal: { note: 'Ask Lene' }, same_time: true }])
})

it('the copy of a person is removed after seven days', async () => {
  await deliver(canaryOrder(91))
  await deliver({ customer: { id: 1 }, orders_requested: [91] }, 'customers/data_request')
  await expect.poll(async () => (await erasuresOf()).at(-1)?.state, { timeout: 20_000 }).toBe('done')
  const job = await exportJob()
  await removeOldExports(testApp.services)
  expect((await admin.ask(jobs.file, { id: job.id })).statusCode).toBe(200)
  await root.query(`update jobs set finished_at = now() - interval '8 days' where id = $1`, [job.id])
  await removeOldExports(testApp.services)
  expect((await admin.ask(jobs.file, { id: job.id })).json()).toMatchObject({ code: 'job_file_not_found' })
})

const MadeFile = z.object({ file_id: z.number() })

/** The newest job, once it has ended: its erasure is done a moment before it. */
async function exportJob() {
  await expect
    .poll(async () => (await admin.send(jobs.list, {})).rows[0], { timeout: 20_000 })
    .toMatchObject({ kind: 'customers.erase', state: 'done' })
  const job = (await admin.send(jobs.list, {})).rows[0]!
  expect(MadeFile.parse(job.result).file_id).toBeGreaterThan(0)
  return job
}

class Found extends Error {
  readonly rows: number
  constructor(rows: number) {
    super('found')
    this.rows = rows
  }
}

/** Rows of the tables that hold a canary, and files that can still be read. */
/** Tables that hold no word of a person, only files: which rows have one. */
const filesOf: Record<string, string> = {
  files: 't.erased_at is null and t.id in (select file_id from file_subjects)',
  company_exports: 't.file_id is not null',
}

async function remains(db: Db, tables: readonly string[]): Promise<number> {
  let rows = 0
  for (const table of tables) {
    const { text, parameters } = {
      text: `select count(*)::int n from ${table} t where ${filesOf[table] ?? 't::text ~* $1'}`,
      parameters: table in filesOf ? [] : [canaries.join('|')],
    }
    const { rows: counted } = await db.executeQuery<{ n: number }>({
      sql: text,
      parameters,
      query: { kind: 'RawNode' },
      queryId: { queryId: '' },
    } as never)
    rows += counted[0]!.n
  }
  return rows
}
