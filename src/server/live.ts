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
  /** Answers how to stop listening. `missed` is told when notices of other servers may have been lost. */
  listen(hear: (notice: Notice) => void, missed: () => void): () => void
  /** What was told in so many milliseconds before now, to whomever; `undefined` when it is not remembered that far. */
  lately(milliseconds: number): Notice[] | undefined
  close(): Promise<void>
}

/** A screen may have asked before it listened: so much of what was told is remembered. */
const remembered = { milliseconds: 10_000, notices: 1_000 }

const channel = 'pakhus_live'

/** Milliseconds that notices for other servers wait for more: each NOTIFY costs the database as much as a small change. */
const togetherFor = 50

/**
 * Notices leave after the commit, over a connection of their own and a few at a time: NOTIFY inside the business
 * transaction would make all commits wait for one another. A notice lost with a crash is made good by the reconnecting
 * screen, which asks anew for what it shows.
 */
export async function openLive(url: string, onError: (error: Error) => void): Promise<Live> {
  const hearers = new Map<(notice: Notice) => void, () => void>()
  const self = `${process.pid}-${Math.random().toString(36).slice(2)}`
  let told: { at: number; notice: Notice }[] = []
  /** Since when everything is remembered. */
  let since = Date.now()
  let closed = false
  let client: pg.Client | undefined
  let outbox: Notice[] = []
  let timer: NodeJS.Timeout | undefined

  async function connect(): Promise<void> {
    const fresh = new pg.Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
      query_timeout: 10_000,
      pipeline: true,
    } as pg.ClientConfig)
    fresh.on('error', error => {
      onError(error)
      lose(fresh)
    })
    fresh.on('notification', ({ payload }) => {
      const { from, items } = JSON.parse(payload ?? '{}') as { from: string; items: Notice[] }
      if (from !== self) for (const item of items) deliver(item)
    })
    try {
      await fresh.connect()
      await fresh.query(`listen ${channel}`)
    } catch (error) {
      void fresh.end().catch(() => undefined)
      throw error
    }
    client = fresh
  }
  /** Until somebody listens again notices pass by: the screens then ask for everything anew. */
  function lose(lost: pg.Client): void {
    if (client !== lost) return
    client = undefined
    const again = (): void => {
      if (closed) return
      connect().then(
        () => {
          since = Date.now()
          for (const missed of hearers.values()) missed()
        },
        error => {
          onError(error)
          setTimeout(again, 1_000).unref()
        },
      )
    }
    setTimeout(again, 1_000).unref()
  }
  function deliver(notice: Notice): void {
    told.push({ at: Date.now(), notice })
    if (told.length >= 2 * remembered.notices) {
      told = told.slice(-remembered.notices)
      since = told[0]?.at ?? since
    }
    for (const hear of hearers.keys()) hear(notice)
  }
  function send(): void {
    timer = undefined
    // A payload holds at most 8,000 bytes.
    while (outbox.length > 0) {
      const items = outbox.splice(0, 50)
      const speaker = client
      speaker?.query('select pg_notify($1, $2)', [channel, JSON.stringify({ from: self, items })]).catch(error => {
        onError(error)
        // It hangs: what it may still say comes too late.
        void speaker.end().catch(() => undefined)
        lose(speaker)
      })
    }
  }
  function post(notice: Notice): void {
    deliver(notice)
    outbox.push(notice)
    timer ??= setTimeout(send, togetherFor)
  }

  await connect()
  return {
    publish(notices) {
      for (const notice of notices) post(notice)
    },
    listen(hear, missed) {
      hearers.set(hear, missed)
      return () => hearers.delete(hear)
    },
    lately(milliseconds) {
      const from = Date.now() - milliseconds
      if (milliseconds > remembered.milliseconds || from <= since) return undefined
      return told.filter(({ at }) => at >= from).map(({ notice }) => notice)
    },
    async close() {
      closed = true
      clearTimeout(timer)
      await Promise.race([client?.end().catch(() => undefined), new Promise(resolve => setTimeout(resolve, 500).unref())])
      outbox = []
    },
  }
}
