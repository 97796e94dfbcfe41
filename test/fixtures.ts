/** Creates a company with rows in every table. Every text contains a mark, so that a leak is detected. */
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { permissions } from '#contract/access.ts'
import { type BuiltCompany, buildMap, scopeOfCompany } from '../src/app/demo/builders.ts'
import { demoFloor } from '../src/app/demo/floor.ts'
import { crateTypes } from '../src/features/catalog/crates/crate-types.contract.ts'
import { products } from '../src/features/catalog/products/products.contract.ts'
import { cmsKeys } from '../src/features/company/api-keys/cms-keys.contract.ts'
import { savedViews } from '../src/features/company/saved-views/saved-views.contract.ts'
import { customers } from '../src/features/customers/customers/customers.contract.ts'
import { additionalProducts } from '../src/features/orders/additional-products/additional-products.contract.ts'
import { orderComments } from '../src/features/orders/orders/comments/order-comments.contract.ts'
import { orderLocks } from '../src/features/orders/orders/locks/order-locks.contract.ts'
import { packing } from '../src/features/packing/packing/packing.contract.ts'
import { printers } from '../src/features/printing/printers/printers.contract.ts'
import { placeOrder } from './orders.ts'
import type { TestApp, TestOperator, TestUser } from './test-app.ts'

export interface CompanyFixture {
  company: BuiltCompany
  admin: TestUser
  /** One order is packed, labelled and printed; one is open at a bench; one is held. */
  orders: { packed: number; open: number; held: number }
}

/** Fills a company by its own people's calls. `mark` stands in every text that they write. */
export async function fillCompany(testApp: TestApp, operator: TestOperator, company: BuiltCompany, mark: string): Promise<CompanyFixture> {
  const scope = { ...scopeOfCompany(operator, company), companies: [company.id] }
  const admin = await operator.hire(permissions, company, `${mark} Admin`)
  const who = (name: string) => `${mark} ${name}`
  const place = (order_no: string) =>
    placeOrder(testApp.services.database, scope, {
      order_no: `${mark}-${order_no}`,
      external_id: `${mark}-${order_no}`,
      tags: [mark],
      agent_code: 'own',
      shipping_method: 'van',
      customer: { name: who('Customer'), email: `${mark}@example.test` } as never,
      ship_to: { name: who('Recipient'), address1: `${mark} Street 1`, city: who('City') },
    })
  const [packed, open, held] = [await place('P'), await place('O'), await place('H')]
  const thing = {
    sku: `${mark}-SKU`,
    name: who('Thing'),
    variant: who('Variant'),
    weight_g: 100,
    length_mm: null,
    width_mm: null,
    height_mm: null,
    bin: who('Bin'),
    hs_code: null,
    origin: null,
    customs_text: who('Customs'),
    serial_required: false,
    no_barcode: false,
    barcodes: [{ barcode: `${mark}-EAN`, quantity: 1 }],
  }
  await admin.send(products.create, { body: thing })
  const components = [{ sku: thing.sku, quantity: 2 }]
  await admin.send(products.create, { body: { ...thing, sku: `${mark}-KIT`, barcodes: [], components } })
  await admin.send(cmsKeys.create, { body: { name: who('Key') } })
  await admin.send(cmsKeys.setHook, { source: 'shopify', shop: 'main', body: { secret: `${mark}-secret` } })
  await admin.send(savedViews.save, { screen: 'orders', body: { name: who('View'), query: {}, shared: true } })
  await admin.send(orderComments.add, { id: packed.id, type: 'info', body: { comment: who('Comment') } })
  const list = await admin.send(printers.list, {})
  const label_printer_id = list.printers.find(one => one.name.toLowerCase().includes('label'))?.id ?? null
  const station = `${mark} Bench`.slice(0, 20)
  for (const { id } of [packed, open]) {
    await admin.send(packing.start, { id, body: { station } })
    await admin.send(packing.bypass, { id, body: { reason: who('Reason') } })
  }
  const { outcome, text, values } = await admin.send(packing.close, { id: packed.id, body: { label_printer_id } })
  if (outcome !== 'labelled') throw new Error(`The order of ${mark} got no label: ${text} ${JSON.stringify(values)}`)
  if (company.id === operator.main.id) {
    const { locations, ...floor } = demoFloor()
    const drawing = {
      ...floor,
      locations: locations.map(one => ({ ...one, code: `${mark} ${one.code}` })),
      starts: [{ name: who('Start'), x: 2, y: 24 }],
    }
    await buildMap(testApp.services, scope, { title: who('Map'), drawing })
    await admin.send(crateTypes.create, {
      body: {
        name: who('Crate'),
        code: `${mark}-1`,
        barcode: `${mark}-CRATE`,
        inner_mm: [390, 290, 190],
        outer_mm: [400, 300, 200],
        tare_g: 210,
        max_g: 20_000,
        cost: 340,
        currency: 'DKK',
      },
    })
    await admin.send(additionalProducts.create, {
      body: {
        name: who('Sample'),
        barcode: `${mark}-SAMPLE`,
        texts: { en_GB: who('Text') },
        conditions: { v: 1, all: [] },
        handling: 'show',
        stock_left: 10,
      },
    })
  }
  for (const name of ['Buyer', 'Recipient'])
    await admin.send(customers.create, {
      body: { name: who(name), lookups: [{ check_type: 'email', check_value: `${name}.${mark}.${company.id}@example.test` }] },
    })
  await admin.send(orderLocks.lock, { id: held.id, body: { note: who('Lock') } })
  return { company, admin, orders: { packed: packed.id, open: open.id, held: held.id } }
}

interface Column {
  table: string
  column: string
  type: string
  required: boolean
  /** The first text that its check names: a value, or the regular expression of a patterned column. */
  checked: string | null
  /** Its text must match a regular expression. */
  patterned: boolean
  /** The greatest length of its text. */
  longest: number | null
  /** Table and column, where it is a key of another. */
  refers: string | null
}

/** Values of columns that a check ties to each other, or to more than a length or a list. */
const tiedValues = (company_id: number, mark: string): Record<string, Record<string, string>> => ({
  crate_baskets: { state: "'ignored'" },
  deadline_alarm_settings: { recipients: `'{${mark}}'` },
  deadlines: { company_ids: `'{${company_id}}'`, weekdays: "'{1}'", time_zone: "'Europe/Copenhagen'" },
  decision_links: {
    message_id: String(company_id),
    choices: "'{wait}'",
    seed: `decode(md5('${company_id}'), 'hex')`,
    token_hash: `sha256('${company_id}'::bytea)`,
    closed_reason: 'null',
    choice: 'null',
  },
  manual_rates: { from_currency: "'DKK'", to_currency: "'SEK'" },
  order_exports: { columns: "'{order_no}'" },
  parcel_weights: { outcome: "'overridden'" },
  pay_exports: { sha256: `'${'0'.repeat(64)}'` },
  pay_rules: { kind: "'tariff'" },
  portal_links: {
    order_id: `(select max(id) from orders where company_id = ${company_id})`,
    token_hash: `sha256('${company_id}'::bytea)`,
  },
  price_surcharges: { amount: '1', currency: "'DKK'" },
  price_zones: { countries: "'{DK}'" },
  product_links: { url: "'https://shop.example'", company_ids: `'{${company_id}}'` },
  punches: { started_at: 'now()' },
  return_portal_offers: { outcomes: "'{refund}'", methods: "'{own_label}'" },
  tags: { words: "'{word}'" },
  trade_invoices: { invoice_no: 'null', sha256: 'null', state: "'draft'" },
  station_self_tests: { days: "'{1}'" },
})

/** A text that matches the regular expression of a column. */
function sampleOf(column: string, pattern: string | null): string {
  const sample = ['DKK', 'DK', '08:00', 'abc', '1'].find(one => pattern !== null && new RegExp(pattern).test(one))
  if (sample === undefined) throw new Error(`No sample matches ${pattern} of ${column}: add one.`)
  return sample
}

/** Rows in those tables that no call of `fillCompany` reaches. */
export async function fillTheRest(root: pg.Client, operator_id: number, company_id: number, mark: string): Promise<void> {
  const { rows } = await root.query<Column>(`
    select c.relname "table", a.attname "column", t.typname "type",
      a.attnotnull and not a.atthasdef and a.attidentity = '' required,
      (select (regexp_match(pg_get_constraintdef(k.oid), '''([^'']+)''::text'))[1] from pg_constraint k where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]) checked,
      exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum] and pg_get_constraintdef(k.oid) like '% ~ %') patterned,
      (select min((regexp_match(pg_get_constraintdef(k.oid), 'length\\([^)]*\\) <?= (\\d+)'))[1]::int) from pg_constraint k where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]) longest,
      (select k.confrelid::regclass || ' ' || r.attname from pg_constraint k join pg_attribute r on r.attrelid = k.confrelid and r.attnum = k.confkey[2]
        where k.conrelid = c.oid and k.contype = 'f' and a.attnum = k.conkey[2] limit 1) refers
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' join pg_type t on t.oid = a.atttypid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and exists (select from pg_attribute o where o.attrelid = c.oid and o.attname = 'operator_id')
    order by c.relname, a.attnum`)
  const owned = new Set(rows.filter(row => row.column === 'company_id').map(row => row.table))
  let waiting = [...Map.groupBy(rows, row => row.table)]
  for (let attempt = 0; attempt < 5 && waiting.length > 0; attempt++) {
    const left: typeof waiting = []
    for (const [table, columns] of waiting) {
      const own = columns.some(one => one.column === 'company_id')
        ? ` and company_id = ${company_id}`
        : table === 'companies'
          ? ` and id = ${company_id}`
          : ''
      const { rows: some } = await root.query(`select 1 from ${table} where operator_id = ${operator_id}${own} limit 1`)
      if (some.length > 0) continue
      const values: Record<string, string> = {
        operator_id: String(operator_id),
        ...(own && { company_id: String(company_id) }),
        ...tiedValues(company_id, mark)[table],
      }
      const referred = new Map<string, number>()
      for (const { column, type, required, checked, patterned, longest, refers } of columns) {
        if (column in values || (!required && (type !== 'text' || patterned))) continue
        if (refers) {
          const [other, key] = refers.split(' ')
          // Prefer a row of the same company: a row that two companies share may accept only one of them.
          const near = own && owned.has(other as string) ? `company_id <> ${company_id}, ` : ''
          // A table that refers to another twice, as pairs do, gets different rows where there are.
          const nth = referred.get(refers) ?? 0
          referred.set(refers, nth + 1)
          const rowAt = (offset: number) =>
            `(select ${key} from ${other} where operator_id = ${operator_id} order by ${near}${key} limit 1 offset ${offset})`
          values[column] = nth === 0 ? rowAt(0) : `coalesce(${rowAt(nth)}, ${rowAt(0)})`
        } else if (patterned) values[column] = `'${sampleOf(column, checked)}'`
        else if (checked) values[column] = `'${checked}'`
        else if (type === 'text') values[column] = `'${`${mark} ${column} ${company_id}`.slice(0, longest ?? undefined)}'`
        else if (type === 'timestamptz' || type === 'date') values[column] = 'now()'
        else if (type === 'jsonb') values[column] = `'{"canary": "${mark}"}'`
        else if (type === 'bytea') values[column] = `'${mark} ${company_id}'`
        else if (type === 'uuid') values[column] = `'${randomUUID()}'`
        else if (type === 'bool') values[column] = 'false'
        else if (type.startsWith('_')) values[column] = `'{}'`
        else if (type === 'tsvector') values[column] = `''`
        else
          values[column] =
            column === 'order_id'
              ? `(select min(id) from orders where operator_id = ${operator_id})`
              : column === 'slot_no' || column === 'session_id'
                ? String(company_id)
                : '1'
      }
      const text = `insert into ${table} (${Object.keys(values).join(', ')}) values (${Object.values(values).join(', ')})`
      await root.query(text).catch((error: Error) => {
        if (attempt === 4) throw new Error(`${table} could not be filled: ${error.message} – ${text}`)
        left.push([table, columns])
      })
    }
    waiting = left
  }
}

/** Puts the mark into every text and every JSON object of an operator's rows. They cannot be worked with afterwards, only leaked. */
export async function markPersonalText(root: pg.Client, operator_id: number, mark: string): Promise<void> {
  const { rows } = await root.query<{ table: string; column: string; type: string }>(`
    select c.relname "table", a.attname "column", t.typname "type"
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped join pg_type t on t.oid = a.atttypid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and a.attgenerated = '' and t.typname in ('text', 'jsonb')
      and exists (select from pg_attribute o where o.attrelid = c.oid and o.attname = 'operator_id')
      and not exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'c' and a.attnum = any (k.conkey))`)
  for (const [table, columns] of Map.groupBy(rows, row => row.table)) {
    const changes = columns
      .filter(({ column }) => column !== 'sha256')
      .map(({ column, type }) =>
        type === 'text'
          ? `"${column}" = case when "${column}" is null then '${mark}' when "${column}" like '%${mark}%' then "${column}" else '${mark}-' || "${column}" end`
          : `"${column}" = case when jsonb_typeof("${column}") = 'object' then "${column}" || '{"canary": "${mark}"}' else "${column}" end`,
      )
    if (changes.length > 0) await root.query(`update ${table} set ${changes.join(', ')} where operator_id = ${operator_id}`)
  }
}

/**
 * Lets the identities of the database count on from a new place, so that the next rows share no id with earlier ones. The first rows of
 * companies get the id `start` in every table; tables that the companies of an operator share count from elsewhere.
 */
export async function spreadIds(root: pg.Client, start: number): Promise<void> {
  const { rows } = await root.query<{ table: string; own: boolean }>(`
    select c.relname "table", exists (select from pg_attribute o where o.attrelid = c.oid and o.attname = 'company_id') own
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attidentity <> '' where c.relnamespace = 'public'::regnamespace and not c.relispartition order by 1`)
  for (const { table, own } of rows)
    if (table !== 'operators' && table !== 'companies')
      await root.query(`alter table ${table} alter column id restart with ${own ? start : start + 1_000_000}`)
}

/** Everything that an operator has (or one of its companies), as one text a table. */
export async function dumpOf(root: pg.Client, operator_id: number, company_id?: number): Promise<Record<string, string>> {
  const { rows } = await root.query<{ table: string; own: boolean }>(`
    select c.relname "table", exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'company_id') own
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and exists (select from pg_attribute o where o.attrelid = c.oid and o.attname = 'operator_id') order by 1`)
  const dump: Record<string, string> = {}
  for (const { table, own } of rows) {
    if (company_id !== undefined && !own) continue
    const { rows: lines } = await root.query<{ line: string }>(
      `select t::text line from ${table} t where operator_id = ${operator_id}${company_id === undefined ? '' : ` and company_id = ${company_id}`} order by 1`,
    )
    dump[table] = lines.map(one => one.line).join('\n')
  }
  return dump
}
