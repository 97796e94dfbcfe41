/** Many orders in the database of a Vendure: copies of one that was placed, with numbers, customers and times of their own. */
import pg from 'pg'
import type { Ask } from '../measure.ts'

const customers = 8_000

export interface VendureOrders {
  /** Until there are so many. */
  fill(total: number): Promise<void>
  /** A query of its admin API. */
  ask(query: string): Ask
  code(n: number): string
  lastName(n: number): string
  id(n: number): string
}

export async function openVendureOrders(database: pg.PoolConfig, order: string, url: string, token: string): Promise<VendureOrders> {
  const { pathname } = new URL(url)
  let filled = 0
  let ids: string[] = []

  /** Names of the columns of a table but these, quoted. */
  async function columns(client: pg.Client, table: string, ...but: string[]): Promise<string> {
    const { rows } = await client.query<{ name: string }>(
      `select quote_ident(column_name) name from information_schema.columns
       where table_schema = 'public' and table_name = $1 and column_name <> all ($2) order by ordinal_position`,
      [table, ['id', ...but]],
    )
    return rows.map(row => row.name).join(', ')
  }

  async function fillFrom(client: pg.Client, from: number, to: number): Promise<void> {
    if (from === 0) {
      const same = await columns(client, 'customer', 'firstName', 'lastName', 'emailAddress')
      await client.query(
        `insert into customer (${same}, "firstName", "lastName", "emailAddress")
         select ${same}, 'first' || n % 100, 'last' || n % 80, n || '@example.test'
         from customer c, generate_series(1, ${customers}) n where c.id = (select "customerId" from "order" where id = $1)`,
        [order],
      )
    }
    const same = await columns(client, 'order', 'code', 'customerId', 'orderPlacedAt')
    const { rows } = await client.query<{ least: string }>('select max(id) least from "order"')
    const least = rows[0]?.least
    await client.query(
      `insert into "order" (${same}, code, "customerId", "orderPlacedAt")
       select ${same}, 'P' || (100000 + n), (select min(id) from customer where "emailAddress" like '%@example.test' and "lastName" like 'last%') + n % ${customers},
         now() - n * interval '4 minutes'
       from "order" o, generate_series($2::integer, $3::integer) n where o.id = $1`,
      [order, from + 1, to],
    )
    await client.query(
      `insert into order_channels_channel ("orderId", "channelId")
       select o.id, c."channelId" from "order" o, order_channels_channel c where o.id > $2 and c."orderId" = $1`,
      [order, least],
    )
    for (const table of ['order_line', 'shipping_line', 'payment']) {
      const others = await columns(client, table, 'orderId')
      const list = others.replaceAll(/("?[\w]+"?)/g, 't.$1')
      await client.query(
        `insert into ${table} (${others}, "orderId") select ${list}, o.id from "order" o, ${table} t where o.id > $2 and t."orderId" = $1`,
        [order, least],
      )
    }
    await client.query('analyze')
    ids = (await client.query<{ id: string }>('select id from "order" where code like \'P%\' order by hashint8(id) limit 2000')).rows.map(
      row => String(row.id),
    )
  }

  return {
    async fill(total) {
      const client = new pg.Client(database)
      await client.connect()
      try {
        await fillFrom(client, filled, total)
        filled = total
      } finally {
        await client.end()
      }
    },
    ask: query => ({
      method: 'POST',
      path: pathname,
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ query }),
    }),
    code: n => `P${100_001 + ((n * 7_919) % filled)}`,
    lastName: n => `last${n % 40}`,
    id: n => ids[n % ids.length] ?? order,
  }
}
