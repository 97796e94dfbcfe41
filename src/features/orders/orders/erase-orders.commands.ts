/** Erasing the person of orders: the order keeps number, country, lines and amounts. */
import { sql } from 'kysely'
import { type ErasurePart, rowsOf } from '#platform/database/erasure.ts'

const nameOfErased = 'Erased person'

const erasedAddress = JSON.stringify({
  name: nameOfErased,
  attention: null,
  company: null,
  address1: '',
  address2: null,
  postcode: '',
  city: '',
  region: null,
  phone: null,
  phone_raw: null,
  email: null,
  instruction: null,
  door_code: null,
})

export const eraseOrders: ErasurePart = {
  tables: ['orders', 'order_lines', 'order_words', 'order_locks', 'order_comments', 'order_status_histories'],
  async erase(db, { order_ids }, now) {
    const ids = sql`any (${order_ids}::bigint[])`
    const orders = await sql`
      update orders set customer_name = ${nameOfErased}, customer_email = null, customer_phone = null, customer_external_id = null,
        ship_to = ${erasedAddress}::jsonb || jsonb_build_object('country', ship_country), bill_to = null, service_point = null, customs = '{}',
        attributes = '{}', badges = '[]', erased_at = ${now.toISOString()}, version = version + 1
      where operator_id = current_operator_id() and id = ${ids} and erased_at is null`.execute(db)
    const lines = await sql`update order_lines set custom = '{}'
      where operator_id = current_operator_id() and order_id = ${ids} and custom <> '{}'`.execute(db)
    // Found by its numbers and goods only.
    const words = await sql`
      update order_words w set words = n.words
      from (select o.id, array_to_tsvector(array_remove(array_agg(distinct o.company_id || '/' || t.word), null)) as words
        from orders o, lateral (
          values (lower(o.order_no)), (lower(ltrim(o.order_no, '#'))), (lower(o.external_id))
          union all select lower(l.sku) from order_lines l where l.operator_id = o.operator_id and l.order_id = o.id and l.sku <> '') t(word)
        where o.operator_id = current_operator_id() and o.id = ${ids} group by o.id) n
      where w.operator_id = current_operator_id() and w.order_id = n.id and w.words <> n.words`.execute(db)
    const locks = await sql`update order_locks set note = '', body = '{}'
      where operator_id = current_operator_id() and order_id = ${ids} and (note <> '' or body <> '{}')`.execute(db)
    const comments = await sql`update order_comments set comment = ''
      where operator_id = current_operator_id() and order_id = ${ids} and comment <> ''`.execute(db)
    const histories = await sql`update order_status_histories set comment = ''
      where operator_id = current_operator_id() and order_id = ${ids} and comment <> ''`.execute(db)
    return {
      orders: Number(orders.numAffectedRows ?? 0),
      order_lines: Number(lines.numAffectedRows ?? 0),
      order_words: Number(words.numAffectedRows ?? 0),
      order_locks: Number(locks.numAffectedRows ?? 0),
      order_comments: Number(comments.numAffectedRows ?? 0),
      order_status_histories: Number(histories.numAffectedRows ?? 0),
    }
  },

  async read(db, { order_ids }) {
    const ids = sql`any (${order_ids}::bigint[])`
    return {
      orders: await rowsOf(
        db,
        sql`select id, shop, external_id, order_no, phase, currency, locale, ordered_at, packed_at, delivered_at, cancelled_at, customer_name, customer_email,
          customer_phone, customer_external_id, ship_to, bill_to, service_point, customs, attributes, badges, tags
          from orders where operator_id = current_operator_id() and id = ${ids} order by id`,
      ),
      order_lines: await rowsOf(
        db,
        sql`select order_id, line_no, sku, name, variant, qty, unit_price_incl_vat, custom from order_lines
          where operator_id = current_operator_id() and order_id = ${ids} order by order_id, line_no`,
      ),
      order_words: await rowsOf(
        db,
        sql`select order_id, words::text as words from order_words where operator_id = current_operator_id() and order_id = ${ids} order by order_id`,
      ),
      order_locks: await rowsOf(
        db,
        sql`select order_id, kind, reason, note, body, created_at, released_at from order_locks where operator_id = current_operator_id() and order_id = ${ids} order by id`,
      ),
      order_status_histories: await rowsOf(
        db,
        sql`select order_id, status, comment, created_at from order_status_histories where operator_id = current_operator_id() and order_id = ${ids} order by id`,
      ),
      order_comments: await rowsOf(
        db,
        sql`select order_id, type, comment, created_at from order_comments where operator_id = current_operator_id() and order_id = ${ids} order by id`,
      ),
    }
  },
}
