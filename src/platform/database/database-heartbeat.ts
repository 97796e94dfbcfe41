/** Checks whether the database answers at all. One that hangs takes every connection and never speaks, so somebody must keep asking. */
import pg from 'pg'
import { errorOf } from '#domain/thrown.ts'

export interface DatabaseHeartbeat {
  /** True while it has not answered for longer than the patience; nothing should be asked of it then. */
  readonly unresponsive: boolean
  stop(): Promise<void>
}

const every = 2_000

/**
 * Asks over a connection of its own. `onSilent` is called once, when the patience has run out: what waits for an answer then waits in
 * vain. A database that refuses is not silent, and neither is one whose answer this process was too busy to read.
 */
export function startHeartbeat(url: string, { patience, onSilent }: { patience: number; onSilent: () => void }): DatabaseHeartbeat {
  let client: pg.Client | undefined
  let silent = false
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let asking: Promise<void> = Promise.resolve()

  async function ask(): Promise<void> {
    const began = performance.now()
    try {
      client ??= await connected(url, patience)
      await client.query({ text: 'select', query_timeout: patience })
      silent = false
    } catch (error) {
      void client?.end().catch(() => undefined)
      client = undefined
      const waited = performance.now() - began
      const ran = /timeout/i.test(errorOf(error).message) && waited >= patience
      // Much later than planned: this process was held up itself, and the answer may have lain here unread.
      if (ran && waited < patience + every && !silent && !stopped) {
        silent = true
        onSilent()
      }
      if (!ran) silent = false
    }
  }
  const next = () => {
    timer = setTimeout(() => {
      asking = ask().then(() => {
        if (!stopped) next()
      })
    }, every)
    timer.unref()
  }
  next()

  return {
    get unresponsive() {
      return silent
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      const over = asking.then(() => client?.end()).catch(() => undefined)
      // No one waits here for one that never answers.
      await Promise.race([over, new Promise(resolve => setTimeout(resolve, 500).unref())])
    },
  }
}

async function connected(url: string, patience: number): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    keepAlive: true,
    connectionTimeoutMillis: patience,
    application_name: 'pakhus heartbeat',
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return client
  } catch (error) {
    void client.end().catch(() => undefined)
    throw error
  }
}
