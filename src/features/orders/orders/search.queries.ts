/** Finding orders: a search is routed by its shape, and every list is read along an index, company by company. */
import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely'
import { countCap } from '#contract/page.ts'
import { candidates } from '#domain/codes.ts'
import { elementAt } from '#domain/objects.ts'
import { foldings } from '#domain/order/search-terms.ts'
import { createCache } from '#platform/caches/caches.ts'
import type { Db } from '#platform/database/database.ts'
import type { DB } from '#platform/database/schema.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import type { Sort } from './orders.codes.ts'
import { duePhases, type Phase } from './orders.rules.ts'

/** What a text may mean. Each part is tried in turn; the first that finds something answers. */
interface Asked {
  /** An order's own code: `12:3456`. */
  order?: { company_id: number; order_id: number }
  /** The digits of a paperless code. */
  paperless?: string
  /** Spellings of a tracking number, a parcel's barcode or a serial number. */
  codes: string[]
  /** Whole words of which one is enough: numbers, phones, e-mail addresses, SKUs. */
  exact: string[]
  /** Words that must all occur, each in one of its spellings; the last may be a beginning. */
  words: Word[]
}
interface Word {
  spellings: string[][]
  prefix: boolean
}

const mostWords = 8
/** Shorter beginnings would name half the warehouse. */
const shortestPrefix = 3

export function readQuery(query: string): Asked | null {
  const text = query.normalize('NFC').trim()
  if (text === '') return null
  const order = /^(\d{1,15}):(\d{1,15})$/.exec(text)
  if (order) return { order: { company_id: Number(order[1]), order_id: Number(order[2]) }, codes: [], exact: [], words: [] }
  const tokens = text.toLowerCase().split(/\s+/).slice(0, mostWords)
  const asked: Asked = { codes: [], exact: [], words: [] }
  const paperless = /^pp(\d{1,20})$/i.exec(text)?.[1]
  if (paperless) asked.paperless = paperless
  const phone = digitsOf(text)
  if (phone) asked.exact.push(...phone)
  if (tokens.length === 1 && /[\d@#]/.test(text)) {
    const bare = text.toLowerCase()
    asked.exact.push(...foldings(bare), ...foldings(bare.replace(/^#+/, '')))
    asked.codes.push(...new Set([text, text.toUpperCase(), ...candidates(text)]))
  } else if (phone) asked.codes.push(text.replace(/\s/g, ''))
  // Some makers write blanks into serial numbers.
  else if (/\d/.test(text)) asked.codes.push(text)
  asked.exact = [...new Set(asked.exact)].filter(word => word !== '')
  asked.words = tokens.flatMap((token, place): Word[] => {
    const last = place === tokens.length - 1
    const spellings = spellingsOf(token)
    return spellings.length === 0 ? [] : [{ spellings, prefix: last && token.length >= shortestPrefix }]
  })
  return asked
}

/** A phone number in any spelling, as the digits under which it may be stored; null for anything else. */
function digitsOf(text: string): string[] | null {
  if (!/^\+?[\d\s().\-/]+$/.test(text)) return null
  const digits = text.replace(/\D/g, '')
  if (digits.length < 6 || digits.length > 20) return null
  return [digits, digits.replace(/^00/, ''), digits.replace(/^0/, '')]
}

/** One typed word as stored ones: whole in each folding, or all the parts that punctuation makes of it. */
function spellingsOf(token: string): string[][] {
  const whole = foldings(token).map(word => [word])
  const parts = token.split(/[^\p{L}\p{M}\p{N}]+/u).filter(part => part.length > 1)
  if (parts.length === 0) return token.length > 1 || /\p{N}/u.test(token) ? whole : []
  // `o'neill` is stored as `neill`; what holds a digit is a code, and a part of it means another one.
  if (parts.length === 1 && parts[0] !== token)
    return /\d/.test(token) ? whole : [...whole, ...foldings(elementAt(parts, 0)).map(word => [word])]
  return parts.length > 1 ? [...whole, parts.map(part => elementAt(foldings(part), 0))] : whole
}

/** One lexeme of a tsquery; each begins with its company, so that a common name of one company costs another nothing. */
const lexeme = (company_id: number, word: string, prefix: boolean): string =>
  `'${`${company_id}/${word.slice(0, 100)}`.replaceAll('\\', '\\\\').replaceAll("'", "''")}'${prefix ? ':*' : ''}`

export const anyExact = (companies: readonly number[], words: readonly string[]): string =>
  companies.flatMap(company => words.map(word => lexeme(company, word, false))).join(' | ')

const allWords = (companies: readonly number[], words: readonly Word[]): string =>
  companies
    .map(
      company =>
        `(${words
          .map(
            ({ spellings, prefix }) =>
              `(${spellings
                .map(parts => `(${parts.map((part, place) => lexeme(company, part, prefix && place === parts.length - 1)).join(' & ')})`)
                .join(' | ')})`,
          )
          .join(' & ')})`,
    )
    .join(' | ')

/** Words as `find_orders` takes them: all of them, all but the last one, and the last one where it may be a beginning. */
export function askedWords(companies: readonly number[], words: readonly Word[]) {
  const last = words.at(-1)
  return {
    all: words.length === 0 ? '' : allWords(companies, words),
    whole: last?.prefix && words.length > 1 ? allWords(companies, words.slice(0, -1)) : null,
    beginning: last?.prefix ? allWords(companies, [last]) : null,
  }
}

export const beyondAll = Number.MAX_SAFE_INTEGER

/** The newest orders that a text means, as ids; at most `most`. */
async function foundBy(db: Db, scope: TenantScope, companies: readonly number[], asked: Asked, most: number): Promise<number[]> {
  if (asked.order) {
    const { company_id, order_id } = asked.order
    if (!companies.includes(company_id)) return []
    const row = await db
      .selectFrom('orders')
      .select('id')
      .where('id', '=', order_id)
      .where('company_id', '=', company_id)
      .executeTakeFirst()
    return row ? [row.id] : []
  }
  const exact = asked.exact.length + asked.codes.length > 0 ? await byCodes(db, scope, companies, asked, most) : []
  if (asked.paperless) exact.push(...(await byPaperless(db, companies, asked.paperless)))
  if (exact.length > 0 || asked.words.length === 0) return [...new Set(exact)].sort((a, b) => b - a).slice(0, most)
  const { all, whole, beginning } = askedWords(companies, asked.words)
  if (all === '') return []
  const { rows } = await sql<{
    id: number
  }>`select find_orders(${all}::tsquery, ${beyondAll}, ${most}, true, ${whole}::tsquery, ${beginning}::tsquery) id`.execute(db)
  return rows.map(({ id }) => id)
}

/** By whole words, through the function that keeps its index under row-level security (migration 0002), and by the codes on parcels and pieces. */
async function byCodes(
  db: Db,
  { operator_id }: TenantScope,
  companies: readonly number[],
  { exact, codes }: Asked,
  most: number,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select find_orders(${anyExact(companies, exact)}::tsquery, ${beyondAll}, ${most}, false) id
    union all (select order_id from shipments where operator_id = ${operator_id} and company_id = any(${companies}) and tracking_no = any(${codes}) limit ${most})
    union all (select order_id from shipments where operator_id = ${operator_id} and company_id = any(${companies}) and barcode = any(${codes}) limit ${most})
    union all (select order_id from order_serials where operator_id = ${operator_id} and company_id = any(${companies}) and serial = any(${codes}) and removed_at is null limit ${most})`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

async function byPaperless(db: Db, companies: readonly number[], digits: string): Promise<number[]> {
  const row = await db
    .selectFrom('paperless_codes')
    .select(['order_id', 'order_company_id'])
    .where('digits', '=', digits)
    .executeTakeFirst()
  return row?.order_id && row.order_company_id && companies.includes(row.order_company_id) ? [row.order_id] : []
}

/** Instants between which an order has to leave; without a first one any time before. */
export interface Due {
  from: string | null
  before: string
}

interface Span {
  from: string
  until: string
}

/** A tag as it was asked for, the tags of that name, and the companies that have one. */
export interface TagNarrowing {
  word: string
  ids: readonly number[]
  companies: readonly number[]
}

/** Everything that narrows a list, with what only the database or the clock knows filled in. */
export interface Narrowed {
  companies: readonly number[]
  /** The sender's country of each company, in the same order. */
  homes: readonly string[]
  text: string
  phases: readonly Phase[]
  due: Due | null
  abroad: boolean
  countries: readonly string[]
  agent_code?: string | undefined
  shipping_method?: string | undefined
  shop?: string | undefined
  tag?: TagNarrowing | undefined
  badge?: 'warning' | 'error' | 'alert' | undefined
  deadline_id?: number | undefined
  /** Instants, both included. */
  pickup_from?: string | undefined
  pickup_until?: string | undefined
  /** Instants, the last one not included. */
  received?: Span | undefined
  packed?: Span | undefined
  packed_in_time?: 'yes' | 'no' | undefined
  hold_reason?: string | undefined
  pinned: boolean
  /** Only these orders: found by hand, such as one's own. */
  among: readonly number[] | null
  /** All of them are known to be orders of these companies. */
  among_seen?: boolean
}

/** Those of two sets that both hold; of one alone its own. */
export function inBoth(one: readonly number[] | null, other: readonly number[] | null): readonly number[] | null {
  if (one === null || other === null) return one ?? other
  const both = new Set(other)
  return one.filter(id => both.has(id))
}

const eb = expressionBuilder<DB & { o: DB['orders'] } & { c: { id: number; home: string } }, 'o' | 'c'>()

/** Phases stand in the statement as they are: only so can the partial indexes by phase be used. */
const phaseIs = (phases: readonly Phase[]) =>
  phases.length === 1
    ? sql<SqlBool>`o.phase = ${sql.lit(phases[0])}`
    : sql<SqlBool>`o.phase in (${sql.join(phases.map(phase => sql.lit(phase)))})`

/** Companies that have no such tag know the word that their shop wrote. */
function hasTag({ word, ids, companies }: TagNarrowing): Expression<SqlBool> {
  const written = sql<SqlBool>`o.tags @> array[${word}]::text[]`
  if (ids.length === 0) return written
  const tagged = sql<SqlBool>`exists (select from order_tags x where x.operator_id = o.operator_id and x.order_id = o.id and x.tag_id = any(${ids}::bigint[]))`
  return sql<SqlBool>`(${tagged} or o.company_id <> all(${companies}::bigint[]) and ${written})`
}

/** An order is packed when its first parcel is. */
function firstPacked({ from, until }: Span, in_time: 'yes' | 'no' | undefined): Expression<SqlBool> {
  const due = sql`coalesce(o.deadline_at, o.ship_by, 'infinity')`
  const when = in_time === undefined ? sql`` : in_time === 'yes' ? sql` and s.ended_at <= ${due}` : sql` and s.ended_at > ${due}`
  return sql<SqlBool>`exists (select from packing_sessions s where s.operator_id = o.operator_id and s.order_id = o.id and s.state = 'done'
    and s.ended_at >= ${from} and s.ended_at < ${until}${when}
    and not exists (select from packing_sessions e where e.operator_id = s.operator_id and e.order_id = s.order_id and e.state = 'done'
      and (e.ended_at, e.id) < (s.ended_at, s.id)))`
}

function conditionsOf(by: Narrowed): Expression<SqlBool> {
  const all: Expression<SqlBool>[] = []
  if (by.phases.length > 0) all.push(phaseIs(by.phases))
  if (by.due !== null) {
    all.push(phaseIs(duePhases), eb('o.ship_by', '<', by.due.before))
    if (by.due.from !== null) all.push(eb('o.ship_by', '>=', by.due.from))
  }
  if (by.abroad) all.push(eb('o.ship_country', '<>', eb.ref('c.home')))
  if (by.countries.length > 0) all.push(eb('o.ship_country', '=', sql<string>`any(${by.countries})`))
  if (by.agent_code) all.push(eb('o.agent_code', '=', by.agent_code))
  if (by.shipping_method) all.push(eb('o.shipping_method', '=', by.shipping_method))
  if (by.shop) all.push(eb('o.shop', '=', by.shop.toLowerCase()))
  if (by.tag) all.push(hasTag(by.tag))
  if (by.badge === 'error') all.push(sql<SqlBool>`o.badges @> '[{"severity":"error"}]'`)
  if (by.badge === 'warning') all.push(sql<SqlBool>`o.badges @> '[{"severity":"warning"}]' and not o.badges @> '[{"severity":"error"}]'`)
  if (by.badge === 'alert')
    all.push(
      phaseIs(duePhases),
      sql<SqlBool>`exists (select from order_alert_hits h where h.operator_id = o.operator_id and h.order_id = o.id and h.state = 'open')`,
    )
  if (by.deadline_id !== undefined) all.push(eb('o.deadline_id', '=', by.deadline_id))
  if (by.pickup_from) all.push(eb('o.deadline_at', '>=', by.pickup_from))
  if (by.pickup_until) all.push(eb('o.deadline_at', '<=', by.pickup_until))
  if (by.received)
    all.push(eb('o.split_of', 'is', null), eb('o.created_at', '>=', by.received.from), eb('o.created_at', '<', by.received.until))
  if (by.packed || by.packed_in_time) all.push(firstPacked(by.packed ?? { from: '-infinity', until: 'infinity' }, by.packed_in_time))
  if (by.hold_reason !== undefined)
    all.push(
      phaseIs(['held']),
      sql<SqlBool>`(select coalesce(k.reason, k.kind) from order_locks k where k.operator_id = o.operator_id and k.order_id = o.id
        and k.released_at is null order by k.id desc limit 1) = ${by.hold_reason}`,
    )
  if (by.pinned) all.push(eb('o.pinned_at', 'is not', null))
  return eb.and(all)
}

type SortColumn = 'id' | 'ship_by' | 'order_no'
/** The column behind a sort. */
export const sortColumn = (sort: Sort): SortColumn => (sort.endsWith('ship_by') ? 'ship_by' : sort.endsWith('order_no') ? 'order_no' : 'id')

/** A row of a sorted list: its id, and what it is sorted by; null where that is the id, as behind the orders that wait for a date. */
export interface Cursor {
  id: number
  key: string | null
}

export interface Wanted {
  sort: Sort
  offset: number
  limit: number
  /** The row behind which the page begins. */
  after?: Cursor
}

/**
 * Ids of orders in the order asked for. Each company's rows are read along its own index and then merged: for a main
 * company with fifty companies that is a hundred times faster than sorting all of theirs (measured: 1.3 against 580 ms).
 */
export const listIds = (db: Db, by: Narrowed, wanted: Wanted): Promise<number[]> =>
  sortColumn(wanted.sort) === 'ship_by' ? idsByShipBy(db, by, wanted) : sortedIds(db, by, wanted)

/** Orders that wait and have a date, by that date. */
const isDated = eb.and([phaseIs(duePhases), eb('o.ship_by', 'is not', null)])

/** First what waits, by its date; behind it all others, the newest first. */
async function idsByShipBy(db: Db, by: Narrowed, wanted: Wanted): Promise<number[]> {
  const { offset, limit, after } = wanted
  const inRest = after?.key === null
  const dated = inRest ? [] : await sortedIds(db, by, wanted, isDated)
  if (dated.length === limit || by.due !== null) return dated
  const skipped = offset === 0 || dated.length > 0 ? 0 : offset - (await countIds(db, by, offset, isDated))
  const rest: Wanted = { sort: 'newest', offset: skipped, limit: limit - dated.length, ...(inRest && { after }) }
  return [...dated, ...(await sortedIds(db, by, rest, eb.not(isDated)))]
}

async function sortedIds(db: Db, by: Narrowed, { sort, offset, limit, after }: Wanted, part?: Expression<SqlBool>): Promise<number[]> {
  const column = sortColumn(sort)
  const direction = sort === 'newest' || sort.startsWith('-') ? 'desc' : 'asc'
  const listed = (some: Narrowed): Expression<SqlBool> =>
    eb.and([conditionsOf(some), ...(part ? [part] : []), ...(after ? [behind(after, column, direction)] : [])])
  if (by.among) {
    const rows = await lookedUp(db, by, by.among, direction, listed(by), column)
      .select('o.id')
      .orderBy(column === 'id' ? 'known.id' : 'o.key', direction)
      .$if(column !== 'id', q => q.orderBy('o.id', direction))
      .limit(limit)
      .offset(offset)
      .execute()
    return rows.map(({ id }) => id)
  }
  const rows = await ofCompanies(db, by)
    .innerJoinLateral(
      eb => {
        const firstOf = (some: Narrowed) =>
          eb
            .selectFrom('orders as o')
            .select(['o.id', `o.${column} as key`])
            .whereRef('o.company_id', '=', 'c.id')
            .where(listed(some))
            .orderBy(`o.${column}`, direction)
            .$if(column !== 'id', q => q.orderBy('o.id', direction))
            .limit(offset + limit)
            .as('o')
        // The other orders have one index for all phases.
        if (column !== 'id' || by.phases.length < 2) return firstOf(by)
        return eb
          .selectFrom(eachPhase(by, one => eb.selectFrom(firstOf(one)).select(['o.id', 'o.key'])).as('o'))
          .select(['o.id', 'o.key'])
          .orderBy('o.key', direction)
          .limit(offset + limit)
          .as('o')
      },
      join => join.onTrue(),
    )
    .select('o.id')
    .orderBy('o.key', direction)
    .$if(column !== 'id', q => q.orderBy('o.id', direction))
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Orders that are known by their ids, each looked up by itself: without the offset the database takes few of them to be of the company, and reads
 * an index of its orders to the end.
 */
const lookedUp = (
  db: Db,
  by: Narrowed,
  ids: readonly number[],
  direction: 'asc' | 'desc',
  condition: Expression<SqlBool>,
  column: SortColumn = 'id',
) =>
  db
    .selectFrom(
      sql<{ id: number }>`(select id from unnest(${[...new Set(ids)]}::bigint[]) as one(id) order by id ${sql.raw(direction)})`.as('known'),
    )
    .innerJoinLateral(
      eb =>
        eb
          .selectFrom('orders as o')
          .innerJoin(homesOf(by).as('c'), 'c.id', 'o.company_id')
          .select(['o.id', `o.${column} as key`])
          .whereRef('o.id', '=', 'known.id')
          .where(condition)
          .offset(0)
          .as('o'),
      join => join.onTrue(),
    )

/** The same of each phase, one behind the other: an index is sorted within a phase, and of several together the database sorts all orders anew. */
function eachPhase<Q extends { unionAll(other: Q): Q }>(by: Narrowed, of: (one: Narrowed) => Q): Q {
  const some = by.phases.length < 2 ? [by] : [...new Set(by.phases)].map(phase => ({ ...by, phases: [phase] }))
  return some.map(of).reduce((all, one) => all.unionAll(one))
}

/** Written as one comparison of rows, so that the index of the order is read from there on. */
function behind({ id, key }: Cursor, column: SortColumn, direction: 'asc' | 'desc'): Expression<SqlBool> {
  const after = direction === 'asc' ? '>' : '<'
  if (column === 'id') return eb('o.id', after, id)
  return column === 'ship_by'
    ? sql<SqlBool>`(o.ship_by, o.id) ${sql.raw(after)} (${key}::timestamptz, ${id}::bigint)`
    : sql<SqlBool>`(o.order_no, o.id) ${sql.raw(after)} (${key}::text, ${id}::bigint)`
}

const homesOf = ({ companies, homes }: Pick<Narrowed, 'companies' | 'homes'>) =>
  sql<{ id: number; home: string }>`(select * from unnest(${companies}::bigint[], ${homes}::text[]) as of_company(id, home))`
const ofCompanies = (db: Db, by: Pick<Narrowed, 'companies' | 'homes'>) => db.selectFrom(homesOf(by).as('c'))

/** To here every page counts anew; larger numbers may be some seconds old. */
export const countedAnew = 1_000
const rememberedFor = 5_000
const remembered = createCache<string, { n: number; until: number; operator_id: number }>('list_totals', {
  most: 1_000,
  operatorOf: ({ operator_id }) => operator_id,
})

/**
 * How many there are, for the foot of a list. Counting to the end is most of what a page of a large list costs, and no one
 * sees whether it says 7,312 or 7,314: small numbers are exact, large ones are remembered for some seconds.
 */
async function countShown(db: Db, scope: TenantScope, by: Narrowed): Promise<number> {
  const few = await countIds(db, by, countedAnew + 1)
  return few <= countedAnew ? few : countRemembered(db, scope, by)
}

async function countRemembered(db: Db, { operator_id }: TenantScope, by: Narrowed): Promise<number> {
  const key = JSON.stringify([operator_id, by])
  const known = remembered.peek(key)
  const found = known !== undefined && known.until > Date.now()
  remembered.count(found)
  if (found) return known.n
  const n = await countIds(db, by)
  remembered.set(key, { n, until: Date.now() + rememberedFor, operator_id })
  return n
}

/** How many orders companies have, where more than `countedAnew` were counted. */
export const countMany = (db: Db, scope: TenantScope, companies: readonly number[]): Promise<number> =>
  countRemembered(db, scope, { ...everything, companies, homes: companies.map(() => '') })

/** A question that leaves out nothing. */
export const everything: Omit<Narrowed, 'companies' | 'homes'> = {
  text: '',
  phases: [],
  due: null,
  abroad: false,
  countries: [],
  pinned: false,
  among: null,
}

/** How many there are, counted to `most`; only those of a part where one is given. */
export async function countIds(db: Db, by: Narrowed, most = countCap + 1, part?: Expression<SqlBool>): Promise<number> {
  const met = (some: Narrowed) => (part ? eb.and([conditionsOf(some), part]) : conditionsOf(some))
  const few = by.among
    ? lookedUp(db, by, by.among, 'desc', met(by)).select('o.id').limit(most)
    : ofCompanies(db, by)
        .innerJoinLateral(
          eb =>
            eachPhase(by, one => eb.selectFrom('orders as o').select('o.id').whereRef('o.company_id', '=', 'c.id').where(met(one))).as('o'),
          join => join.onTrue(),
        )
        .select('o.id')
        .limit(most)
  const { n } = await db
    .selectFrom(few.as('few'))
    .select(eb => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** Words that very many orders share are counted to here: no one reads on, everybody adds a word. */
export const foundTo = 200

export interface Found {
  ids: number[]
  total: number
  total_is_more: boolean
}

const isPlain = (by: Narrowed): boolean =>
  by.phases.length === 0 &&
  by.due === null &&
  !by.abroad &&
  by.countries.length === 0 &&
  !by.agent_code &&
  !by.shipping_method &&
  !by.shop &&
  !by.tag &&
  !by.badge &&
  by.deadline_id === undefined &&
  !by.pickup_from &&
  !by.pickup_until &&
  !by.received &&
  !by.packed &&
  !by.packed_in_time &&
  by.hold_reason === undefined &&
  !by.pinned &&
  by.among === null

/** One page of a list, searched or not, as ids. */
export async function searchOrders(
  db: Db,
  scope: TenantScope,
  by: Narrowed,
  { sort, offset, limit }: { sort: Sort; offset: number; limit: number },
): Promise<Found> {
  const asked = readQuery(by.text)
  if (asked) {
    const counted = Math.max(foundTo, offset + limit)
    const most = isPlain(by) && sort === 'newest' ? counted + 1 : countCap + 1
    const met = await foundBy(db, scope, by.companies, asked, most)
    if (isPlain(by) && sort === 'newest')
      return { ids: met.slice(offset, offset + limit), total: Math.min(met.length, counted), total_is_more: met.length > counted }
    if (met.length === 0) return { ids: [], total: 0, total_is_more: false }
    const narrowed = { ...by, among: inBoth(met, by.among) }
    const ids = await listIds(db, narrowed, { sort, offset, limit })
    const total = isLast(ids, offset, limit) ? offset + ids.length : await countShown(db, scope, narrowed)
    return { ids, total: Math.min(total, countCap), total_is_more: met.length >= most || total > countCap }
  }
  if (by.among && by.among_seen && isPlain({ ...by, among: null }) && (sort === 'newest' || sort === 'oldest')) {
    const sorted = by.among.toSorted((a, b) => (sort === 'newest' ? b - a : a - b))
    return {
      ids: sorted.slice(offset, offset + limit),
      total: Math.min(sorted.length, countCap),
      total_is_more: sorted.length > countCap,
    }
  }
  const ids = await listIds(db, by, { sort, offset, limit })
  // The last page counts itself.
  const total = isLast(ids, offset, limit) ? offset + ids.length : await countShown(db, scope, by)
  return { ids, total: Math.min(total, countCap), total_is_more: total > countCap }
}

const isLast = (ids: readonly number[], offset: number, limit: number): boolean => ids.length < limit && (offset === 0 || ids.length > 0)

/** What a text finds for an export: all of it, up to `most`. */
export async function textIds(db: Db, scope: TenantScope, by: Narrowed, most: number): Promise<number[] | null> {
  const asked = readQuery(by.text)
  return asked ? foundBy(db, scope, by.companies, asked, most) : null
}

/** What this person packs at the moment, or keeps in the warehouse. */
export async function ownIds(db: Db, user_id: number): Promise<number[]> {
  const rows = await db
    .selectFrom('packing_sessions')
    .select('order_id')
    .where('ended_at', 'is', null)
    .where('user_id', '=', user_id)
    .union(db.selectFrom('order_locks').select('order_id').where('released_at', 'is', null).where('created_by', '=', user_id))
    .limit(countCap)
    .execute()
  return rows.map(row => row.order_id)
}

/** Orders packed with a scan that was let pass, the newest. */
export async function bypassedIds(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('packing_scans')
    .select('order_id')
    .distinct()
    .where('method', '=', sql.lit('bypass' as const))
    .where('undone_by', 'is', null)
    .orderBy('order_id', 'desc')
    .limit(countCap)
    .execute()
  return rows.map(row => row.order_id)
}
