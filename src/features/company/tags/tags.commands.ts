/** Writing tags, and setting them on orders, products and customers. */
import { sql } from 'kysely'
import { conflict, orNotFound, unprocessable } from '#contract/errors.ts'
import type { Db } from '#platform/database/database.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { mostNamed, mostTags, type TagObject } from './tags.codes.ts'
import { tagById } from './tags.queries.ts'
import type { Tag, TagChange, TagFields } from './tags.schemas.ts'

const missing = 'Tag not found'
const tables = { order: 'order_tags', product: 'product_tags', customer: 'customer_tags' } as const satisfies Record<TagObject, string>

/** Two at once must not go beyond the limit, nor take the same name. */
const lockCompany = ({ db, principal }: Context) =>
  db.selectFrom('companies').select('id').where('id', '=', principal.company.id).forUpdate().execute()

async function mustBeFree(db: Db, name: string, id: number): Promise<void> {
  const taken = await db
    .selectFrom('tags')
    .select('name')
    .where('code', '=', sql<string>`lower(${name})`)
    .where('id', '<>', id)
    .executeTakeFirst()
  const text = 'There is a tag with this name already'
  if (taken) throw conflict('tag_exists', text, {}, { fields: { name: text } })
}

async function changed(context: Context, id: number): Promise<Tag> {
  const tag = orNotFound(await tagById(context.db, id), 'tag_not_found', missing)
  await context.recordEvent({ kind: 'tag.set', subject: 'tag', subject_id: id, data: { name: tag.name, color: tag.color } })
  context.notify('tag')
  return tag
}

/** Orders that the shop gave one of the tag's words get the tag; another tag no longer stands for these words. */
async function adoptWords(db: Db, id: number): Promise<void> {
  await sql`update tags o set words = array(select w from unnest(o.words) w where w <> t.code), version = o.version + 1
    from tags t where t.operator_id = current_operator_id() and t.id = ${id} and o.operator_id = t.operator_id and o.company_id = t.company_id
      and o.id <> t.id and t.code = any (o.words) and o.code <> t.code`.execute(db)
  await sql`insert into order_tags (company_id, tag_id, order_id, source)
    select o.company_id, t.id, o.id, 'import' from tags t join orders o on o.operator_id = t.operator_id and o.company_id = t.company_id
    where t.operator_id = current_operator_id() and t.company_id = any (current_company_ids()) and t.id = ${id}
      and o.tags <> '{}' and exists (select from unnest(o.tags) w where lower(w) = t.code)
    on conflict do nothing`.execute(db)
}

/** `id` is that of a tag that comes back. */
export async function createTag(
  context: Context,
  { client_id, ...fields }: TagFields & { client_id?: string | undefined; id?: number },
): Promise<Tag> {
  const { db } = context
  await lockCompany(context)
  if (client_id !== undefined) {
    const before = await db.selectFrom('tags').select('id').where('client_id', '=', client_id).executeTakeFirst()
    if (before) return orNotFound(await tagById(db, before.id), 'tag_not_found', missing)
  }
  const { n } = await db
    .selectFrom('tags')
    .select(eb => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  if (n >= mostTags) throw conflict('tags_full', 'There are {{count}} tags already. Remove or merge some first.', { count: mostTags })
  await mustBeFree(db, fields.name, 0)
  const code = sql<string>`lower(${fields.name})`
  const { id } = await db
    .insertInto('tags')
    .values({ ...fields, code, words: sql<string[]>`array[${code}]`, ...(client_id !== undefined && { client_id }) })
    .returning('id')
    .executeTakeFirstOrThrow()
  await adoptWords(db, id)
  return changed(context, id)
}

export async function updateTag(context: Context, id: number, { version, ...fields }: TagFields & { version: number }): Promise<Tag> {
  const { db } = context
  await lockCompany(context)
  const current = orNotFound(await tagById(db, id), 'tag_not_found', missing)
  if (current.version !== version)
    throw conflict('settings_changed', 'Someone else changed this. Check the saved version.', {}, { current })
  await mustBeFree(db, fields.name, id)
  const code = sql<string>`lower(${fields.name})`
  await db
    .updateTable('tags')
    .set(eb => ({
      ...fields,
      code,
      // The newest of them where there were very many.
      words: sql<string[]>`(array[${code}] || array_remove(words, ${code}))[1:50]`,
      version: eb('version', '+', 1),
      updated_at: sql<string>`now()`,
    }))
    .where('id', '=', id)
    .execute()
  await adoptWords(db, id)
  return changed(context, id)
}

/** What has the tag gets the other one. */
export async function mergeTag(context: Context, id: number, into: number): Promise<Tag> {
  const { db } = context
  await lockCompany(context)
  const gone = orNotFound(await tagById(db, id), 'tag_not_found', missing)
  const kept = orNotFound(await tagById(db, into), 'tag_not_found', missing)
  if (id === into) throw unprocessable('tag_merge_self', 'Choose another tag', {}, { fields: { into: 'Choose another tag' } })
  for (const object of ['order', 'product', 'customer'] as const) {
    const key = sql.ref(`${object}_id`)
    const extra = object === 'order' ? sql`, source` : sql``
    await sql`insert into ${sql.table(tables[object])} (company_id, tag_id, ${key}${extra})
      select company_id, ${into}, ${key}${extra} from ${sql.table(tables[object])}
      where operator_id = current_operator_id() and company_id = any (current_company_ids()) and tag_id = ${id} on conflict do nothing`.execute(
      db,
    )
  }
  await sql`update tags t set words = (t.words || array(select w from unnest(g.words) w where w <> all (t.words)))[1:50], version = t.version + 1,
      updated_at = now()
    from tags g where t.operator_id = current_operator_id() and t.company_id = any (current_company_ids()) and t.id = ${into}
      and g.operator_id = t.operator_id and g.id = ${id}`.execute(db)
  await discard(db, id)
  await context.recordEvent({
    kind: 'tag.merged',
    subject: 'tag',
    subject_id: into,
    data: { tag_id: id, name: gone.name, into: kept.name },
  })
  notifyObjects(context)
  return orNotFound(await tagById(db, into), 'tag_not_found', missing)
}

/** What is gone already stays gone. */
export async function removeTag(context: Context, id: number): Promise<void> {
  const { db } = context
  await lockCompany(context)
  const tag = await tagById(db, id)
  if (!tag) return
  await discard(db, id)
  await context.recordEvent({ kind: 'tag.removed', subject: 'tag', subject_id: id, data: { name: tag.name } })
  notifyObjects(context)
}

async function discard(db: Db, id: number): Promise<void> {
  await db.deleteFrom('order_tags').where('tag_id', '=', id).execute()
  await db.deleteFrom('product_tags').where('tag_id', '=', id).execute()
  await db.deleteFrom('customer_tags').where('tag_id', '=', id).execute()
  await db.deleteFrom('tags').where('id', '=', id).execute()
}

function notifyObjects({ notify }: Pick<Context, 'notify'>): void {
  for (const topic of ['tag', 'order', 'product', 'customer'] as const) notify(topic)
}

// Setting tags

type Tools = Pick<Context, 'db' | 'principal' | 'notify' | 'recordEvents'>
interface Target {
  id: number
  company_id: number
}
/** What one object got and lost. */
export interface Tagged extends Target {
  added: string[]
  removed: string[]
}

/** Those among the ids that the caller sees, with the company whose tags they get. */
async function targetsOf({ db, principal }: Tools, object: TagObject, ids: readonly number[]): Promise<Target[]> {
  const among = sql<number>`any(${[...ids]}::bigint[])`
  if (object === 'order') return db.selectFrom('orders').select(['id', 'company_id']).where('id', '=', among).orderBy('id').execute()
  if (object === 'product') return db.selectFrom('products').select(['id', 'company_id']).where('id', '=', among).orderBy('id').execute()
  const { rows } = await sql<{ id: number }>`select c.id from customers c
    where c.operator_id = current_operator_id() and c.id = any (${[...ids]}::bigint[]) and c.erased_at is null
      and exists (select from customer_companies k where k.operator_id = c.operator_id and k.customer_id = c.id and k.company_id = any (current_company_ids()))
    order by c.id`.execute(db)
  return rows.map(({ id }) => ({ id, company_id: principal.company.id }))
}

/** Each of these companies has a tag by each of these names, as another company of the caller has it. */
async function spread({ db, principal }: Tools, companies: readonly number[], names: readonly string[]): Promise<void> {
  if (names.length === 0 || companies.length === 0) return
  const { rows: known } = await sql<{ code: string; name: string | null; color: string | null }>`
    select distinct on (a.code) a.code, t.name, t.color from (select lower(n) as code from unnest(${[...names]}::text[]) n) a
      left join tags t on t.operator_id = current_operator_id() and t.company_id = any (current_company_ids()) and t.code = a.code
    order by a.code, t.company_id = ${principal.company.id} desc nulls last`.execute(db)
  const unknown = known.find(tag => tag.name === null)
  if (unknown) throw unprocessable('tag_unknown', 'There is no tag {{name}}', { name: unknown.code })
  await sql`insert into tags (company_id, name, code, words, color)
    select c.id, k.name, k.code, array[k.code], k.color
    from unnest(${[...companies]}::bigint[]) as c(id), unnest(${known.map(tag => tag.code)}::text[], ${known.map(tag => tag.name)}::text[],
      ${known.map(tag => tag.color)}::text[]) as k(code, name, color)
    where (select count(*) from tags t where t.operator_id = current_operator_id() and t.company_id = c.id) < ${mostTags}
    order by c.id, k.code on conflict (operator_id, company_id, code) do nothing`.execute(db)
}

/** Sets and removes tags; answers the objects that got or lost one. */
export async function applyTags(tools: Tools, { object, ids, add, remove }: TagChange): Promise<Tagged[]> {
  const { db, principal, recordEvents, notify } = tools
  const targets = await targetsOf(tools, object, ids)
  if (targets.length === 0) return []
  const companies = [...new Set(targets.map(target => target.company_id))]
  await spread(tools, companies, add)
  const table = sql.table(tables[object])
  const key = sql.ref(`${object}_id`)
  const given = sql`unnest(${targets.map(one => one.id)}::bigint[], ${targets.map(one => one.company_id)}::bigint[]) as g(id, company_id)`
  const coded = (names: readonly string[]) => sql`(select lower(n) from unnest(${[...names]}::text[]) n)`
  const source = object === 'order' ? { column: sql`, source`, value: sql`, 'person'` } : { column: sql``, value: sql`` }
  const none: { rows: { id: number; name: string }[] } = { rows: [] }
  const { rows: added } =
    add.length === 0
      ? none
      : await sql<{ id: number; name: string }>`with new as (
          insert into ${table} (company_id, tag_id, ${key}${source.column})
          select g.company_id, t.id, g.id${source.value} from ${given}
            join tags t on t.operator_id = current_operator_id() and t.company_id = g.company_id and t.code in ${coded(add)}
          order by g.id, t.id on conflict do nothing returning tag_id, ${key} as id)
        select new.id, t.name from new join tags t on t.operator_id = current_operator_id() and t.id = new.tag_id`.execute(db)
  const { rows: removed } =
    remove.length === 0
      ? none
      : await sql<{ id: number; name: string }>`delete from ${table} x using tags t
          where x.operator_id = current_operator_id() and x.company_id = any (current_company_ids()) and t.operator_id = x.operator_id
            and t.id = x.tag_id and t.code in ${coded(remove)} and x.${key} = any (${targets.map(one => one.id)}::bigint[])
            ${object === 'customer' ? sql`and x.company_id = ${principal.company.id}` : sql``}
          returning x.${key} as id, t.name`.execute(db)
  const addedOf = Map.groupBy(added, row => row.id)
  const removedOf = Map.groupBy(removed, row => row.id)
  const namesIn = (rows: Map<number, { name: string }[]>, id: number) => (rows.get(id) ?? []).map(row => row.name)
  const changes = targets
    .map(target => ({ ...target, added: namesIn(addedOf, target.id), removed: namesIn(removedOf, target.id) }))
    .filter(one => one.added.length > 0 || one.removed.length > 0)
  if (changes.length === 0) return []
  if (object === 'order')
    await recordEvents(
      changes.map(({ id, company_id, added: got, removed: lost }) => ({
        kind: 'order.tagged',
        order_id: id,
        company_id,
        data: { tags: [...got.map(name => `+ ${name}`), ...lost.map(name => `− ${name}`)].join(', ') },
      })),
    )
  else
    await recordEvents(
      changes.map(({ id, company_id, added: got, removed: lost }) => ({
        kind: object === 'product' ? 'product.tagged' : 'customer.tagged',
        subject: object,
        subject_id: id,
        company_id,
        data: { tags: [...got.map(name => `+ ${name}`), ...lost.map(name => `− ${name}`)].join(', ') },
      })),
    )
  notifyTagged(notify, object, changes)
  return changes
}

function notifyTagged(notify: Context['notify'], object: TagObject, changes: readonly Target[]): void {
  if (changes.length > 100) for (const company_id of new Set(changes.map(one => one.company_id))) notify(object, undefined, company_id)
  else for (const { id, company_id } of changes) notify(object, id, company_id)
}

/** The products of the company by these SKUs have exactly these tags afterwards; answers whose changed, and names that no tag has. */
export async function setProductTags(
  { db, recordEvents, notify }: Pick<Context, 'db' | 'recordEvents' | 'notify'>,
  wanted: readonly { sku_key: string; names: readonly string[] }[],
): Promise<{ changed: Set<string>; unknown: { sku_key: string; name: string }[] }> {
  const changed = new Set<string>()
  const unknown: { sku_key: string; name: string }[] = []
  if (wanted.length === 0) return { changed, unknown }
  const [tags, { rows: products }] = await Promise.all([
    db.selectFrom('tags').select(['id', 'name', 'words', 'company_id']).execute(),
    sql<{ id: number; company_id: number; sku_key: string; tags: number[] }>`
      select p.id, p.company_id, p.sku_key, array(select x.tag_id from product_tags x where x.operator_id = p.operator_id and x.product_id = p.id) as tags
      from products p where p.operator_id = current_operator_id() and p.company_id = current_company_id()
        and p.sku_key = any (${wanted.map(one => one.sku_key)}::text[]) order by p.id for update of p`.execute(db),
  ])
  const tagOf = new Map(tags.flatMap(tag => tag.words.map(word => [word, tag] as const)))
  const nameOf = new Map(tags.map(tag => [tag.id, tag.name]))
  const productOf = new Map(products.map(product => [product.sku_key, product]))
  const pairs: Record<'added' | 'removed', { product: (typeof products)[number]; tag_id: number }[]> = { added: [], removed: [] }
  for (const { sku_key, names } of wanted) {
    const product = productOf.get(sku_key)
    if (!product) continue
    const next = new Set<number>()
    for (const name of names) {
      const tag = tagOf.get(name.toLowerCase())
      if (!tag) unknown.push({ sku_key, name })
      else if (next.size < mostNamed) next.add(tag.id)
    }
    for (const tag_id of next) if (!product.tags.includes(tag_id)) pairs.added.push({ product, tag_id })
    for (const tag_id of product.tags) if (!next.has(tag_id)) pairs.removed.push({ product, tag_id })
  }
  const columns = (some: readonly { product: { id: number }; tag_id: number }[]) =>
    sql`unnest(${some.map(one => one.product.id)}::bigint[], ${some.map(one => one.tag_id)}::bigint[]) as g(product_id, tag_id)`
  if (pairs.added.length > 0)
    await sql`insert into product_tags (tag_id, product_id) select g.tag_id, g.product_id from ${columns(pairs.added)}
      on conflict do nothing`.execute(db)
  if (pairs.removed.length > 0)
    await sql`delete from product_tags x using ${columns(pairs.removed)} where x.operator_id = current_operator_id()
      and x.company_id = current_company_id() and x.product_id = g.product_id and x.tag_id = g.tag_id`.execute(db)
  const saidOf = new Map<(typeof products)[number], string[]>()
  for (const [kind, sign] of [
    ['added', '+'],
    ['removed', '−'],
  ] as const)
    for (const { product, tag_id } of pairs[kind])
      saidOf.set(product, [...(saidOf.get(product) ?? []), `${sign} ${nameOf.get(tag_id) ?? ''}`])
  if (saidOf.size === 0) return { changed, unknown }
  await recordEvents(
    [...saidOf].map(([{ id, company_id }, said]) => ({
      kind: 'product.tagged',
      subject: 'product',
      subject_id: id,
      company_id,
      data: { tags: said.join(', ') },
    })),
  )
  notifyTagged(notify, 'product', [...saidOf.keys()])
  for (const product of saidOf.keys()) changed.add(product.sku_key)
  return { changed, unknown }
}

/** Who is named at a tag that a rule gave. */
const ruleActor = 'Tag rule'

/** Tags that rules give to orders; those that an order has already change nothing. */
export async function addTagsByRule(
  { db, recordEvents, notify }: Pick<Context, 'db' | 'recordEvents' | 'notify'>,
  given: readonly { order_id: number; company_id: number; tag_id: number }[],
  actor: string = ruleActor,
): Promise<void> {
  if (given.length === 0) return
  const { rows } = await sql<{ order_id: number; company_id: number; name: string }>`with new as (
      insert into order_tags (company_id, tag_id, order_id, source)
      select g.company_id, g.tag_id, g.order_id, 'rule'
      from unnest(${given.map(one => one.order_id)}::bigint[], ${given.map(one => one.company_id)}::bigint[], ${given.map(one => one.tag_id)}::bigint[])
        as g(order_id, company_id, tag_id)
      order by g.order_id, g.tag_id on conflict do nothing returning order_id, company_id, tag_id)
    select new.order_id, new.company_id, t.name from new join tags t on t.operator_id = current_operator_id() and t.id = new.tag_id
    order by new.order_id, t.code`.execute(db)
  const byOrder = [...Map.groupBy(rows, row => row.order_id)].map(([order_id, some]) => ({
    order_id,
    company_id: some[0]?.company_id ?? 0,
    tags: some.map(row => `+ ${row.name}`).join(', '),
  }))
  if (byOrder.length === 0) return
  await recordEvents(
    byOrder.map(({ tags, ...order }) => ({ kind: 'order.tagged', ...order, data: { tags } })),
    { actor },
  )
  notifyTagged(
    notify,
    'order',
    byOrder.map(({ order_id, company_id }) => ({ id: order_id, company_id })),
  )
}

/** An erased person has no tags any more. Names of tags are the company's own words. */
export async function removeTagsOfCustomers(db: Db, customer_ids: readonly number[]): Promise<number> {
  const { numAffectedRows } = await sql`delete from customer_tags
    where operator_id = current_operator_id() and company_id = current_company_id() and customer_id = any (${[...customer_ids]}::bigint[])`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0)
}

// What shops send

/** Orders that are being stored get the tags that their shop's words mean. `from` gives `order_id`, `company_id` and the words in lower case. */
export const insertImportedTagsText = (from: string) => `insert into order_tags (company_id, tag_id, order_id, source)
  select i.company_id, t.id, i.order_id, 'import' from (${from}) i
  join tags t on t.operator_id = current_operator_id() and t.company_id = i.company_id and t.words && i.words
  on conflict do nothing`
