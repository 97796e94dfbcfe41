/** Sessions of the database: their settings, and whether a pooler between shares them among programs. */
import pg from 'pg'

/** For `onConnect` of a pool. By a statement: poolers refuse settings in the first message of a connection. */
export const applySettings =
  (settings: Readonly<Record<string, string>>) =>
  async (client: pg.ClientBase): Promise<void> => {
    const text = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', false)`)
    await client.query({ text: `select ${text.join(', ')}`, query_timeout: 10_000 })
  }

/**
 * Throws a sentence where a pooler gives one connection to several clients, transaction by transaction: settings, prepared statements,
 * notifications and locks belong to a session. Two clients that are connected at once then meet the same process of the database.
 */
export async function requireOwnSessions(url: string): Promise<void> {
  const clients = [1, 2].map(() => new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000, query_timeout: 10_000 }))
  const processes = clients.map(() => new Set<number>())
  try {
    for (let attempt = 0; attempt < 3; attempt++)
      for (const [place, client] of clients.entries()) {
        if (attempt === 0) await client.connect()
        const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() pid')
        processes[place]?.add(rows[0]?.pid ?? 0)
      }
  } finally {
    for (const client of clients) await client.end().catch(() => undefined)
  }
  if (new Set(processes.flatMap(pids => [...pids])).size !== clients.length || processes.some(pids => pids.size !== 1))
    throw new Error(
      'DATABASE_URL leads to a pooler that shares connections between transactions. Use session pooling (pgbouncer: pool_mode = session), or connect to PostgreSQL itself.',
    )
}
