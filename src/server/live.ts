/** Live notices: what changed, told to the screens that show it – never the data itself. */
import pg from 'pg'

export interface Notice {
  topic: string
  id?: number
  operator_id: number
  company_id: number
}

export interface Live {
  /** Delivered here at once and to every other server of the deployment within a breath. */
  publish(notices: readonly Notice[]): void
  /** Answers how to stop listening. */
  listen(hear: (notice: Notice) => void): () => void
  /** Something every server must know, such as `rights changed`. */
  shout(word: string): void
  onShout(hear: (word: string) => void): void
  close(): Promise<void>
}

const channel = 'pakhus_live'

/**
 * Notices leave after the commit, over a connection of their own and a few at a time: NOTIFY inside the business
 * transaction would make all commits wait for one another. A notice lost with a crash is made good by the reconnecting
 * screen, which asks anew for what it shows.
 */
export async function openLive(url: string, onError: (error: Error) => void): Promise<Live> {
  const hearers = new Set<(notice: Notice) => void>()
  const shoutHearers: ((word: string) => void)[] = []
  const self = `${process.pid}-${Math.random().toString(36).slice(2)}`
  let closed = false
  let client: pg.Client | undefined
  let outbox: (Notice | string)[] = []
  let timer: NodeJS.Timeout | undefined

  async function connect(): Promise<void> {
    const fresh = new pg.Client({ connectionString: url, keepAlive: true })
    fresh.on('error', error => {
      onError(error)
      client = undefined
      if (!closed) setTimeout(() => void connect().catch(onError), 1_000).unref()
    })
    fresh.on('notification', ({ payload }) => {
      const { from, items } = JSON.parse(payload ?? '{}') as { from: string; items: (Notice | string)[] }
      if (from !== self) for (const item of items) deliver(item)
    })
    await fresh.connect()
    await fresh.query(`listen ${channel}`)
    client = fresh
  }
  function deliver(item: Notice | string): void {
    if (typeof item === 'string') for (const hear of shoutHearers) hear(item)
    else for (const hear of hearers) hear(item)
  }
  function send(): void {
    timer = undefined
    // A payload holds at most 8,000 bytes.
    while (outbox.length > 0) {
      const items = outbox.splice(0, 50)
      client?.query('select pg_notify($1, $2)', [channel, JSON.stringify({ from: self, items })]).catch(onError)
    }
  }
  function post(item: Notice | string): void {
    deliver(item)
    outbox.push(item)
    timer ??= setTimeout(send, 20)
  }

  await connect()
  return {
    publish(notices) {
      for (const notice of notices) post(notice)
    },
    listen(hear) {
      hearers.add(hear)
      return () => hearers.delete(hear)
    },
    shout: post,
    onShout: hear => void shoutHearers.push(hear),
    async close() {
      closed = true
      clearTimeout(timer)
      await client?.end().catch(() => undefined)
      outbox = []
    },
  }
}
