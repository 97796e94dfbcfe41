/**
 * The least that can answer the kinds of the load: Fastify, pg, one statement each. No rights, no tenants' fences, no events, no labels; what is
 * written is durable. Started by the load as a process of its own; prints its port.
 */
import Fastify from 'fastify'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 })
const app = Fastify()

interface Asked {
  Params: { operator: string; id: string }
}

app.get<Asked>('/:operator/order/:id', async ({ params }) => {
  const { rows } = await pool.query({
    name: 'open',
    text: 'select * from orders where operator_id = $1 and id = $2',
    values: [params.operator, params.id],
  })
  return rows[0]
})
app.get<Asked>('/:operator/newest', async ({ params }) => {
  const { rows } = await pool.query({
    name: 'newest',
    text: 'select id, order_no, customer_name, phase, ordered_at, ship_to from orders where operator_id = $1 order by id desc limit 50',
    values: [params.operator],
  })
  return rows
})
app.get<Asked & { Querystring: { words: string } }>('/:operator/search', async ({ params, query }) => {
  const { rows } = await pool.query({
    name: 'search',
    text: `select o.id, o.order_no, o.customer_name from order_words w join orders o on o.operator_id = w.operator_id and o.id = w.order_id
           where w.operator_id = $1 and w.words @@ $2::tsquery limit 50`,
    values: [params.operator, query.words],
  })
  return rows
})
app.post<Asked>('/:operator/write/:id', async ({ params, body }) => {
  const { rows } = await pool.query({
    name: 'write',
    text: 'insert into bench_written (operator_id, order_id, content) values ($1, $2, $3) returning id',
    values: [params.operator, params.id, JSON.stringify(body)],
  })
  return rows[0]
})

const url = await app.listen({ port: 0, host: '127.0.0.1' })
console.log(`Listening on ${url}`)
process.once('SIGTERM', () => void app.close().then(() => pool.end()))
