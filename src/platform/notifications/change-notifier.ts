/** Live notices: what changed, for the screens that show it; never the data itself. */
import pg from 'pg'
import type { ChangeTopic } from '#contract/topics.ts'

export interface Notice {
  topic: ChangeTopic
  id?: number
  operator_id: number
  company_id: number
}

export interface ChangeNotifier {
  /** The name of this process. The connection holds an advisory lock for it, which the database releases when the process dies. */
  self: string
  /** Delivered here at once and to every other server of the deployment within a breath. */
  publish(notices: readonly Notice[]): void
  /** Answers how to stop listening. `missed` is called when notices of other servers may have been lost. */
  subscribe(hear: (notice: Notice) => void, missed: () => void): () => void
  /** The notices of so many milliseconds before now, for all of their readers; `undefined` when it is not remembered that far. */
  recent(milliseconds: number): Notice[] | undefined
  close(): Promise<void>
}

/** As many notices wait for the connection to the other servers; where there are more, their screens ask for everything anew. */
const mostWaiting = 5_000

/** A screen may have asked before it listened: so many notices are remembered. */
const remembered = { milliseconds: 10_000, notices: 1_000 }

const channel = 'pakhus_live'

/** Number of the advisory locks by which processes are known to live. */
export const processLockId = 732_422

/** `more`: notices that could not be sent one by one. */
interface Spoken {
  from: string
  items: Notice[]
  more: boolean
}

/** Milliseconds that notices for other servers wait for more: each NOTIFY costs the database as much as a small change. */
const togetherFor = 50

/**
 * Notices leave after the commit, over a connection of their own and a few at a time: NOTIFY inside the business
 * transaction would make all commits wait for one another. A notice lost with a crash is made good by the reconnecting
 * screen, which asks anew for what it shows.
 */
export async function openChangeNotifier(url: string, onError: (error: Error) => void): Promise<ChangeNotifier> {
  const hearers = new Map<(notice: Notice) => void, () => void>()
  const self = `${process.pid}-${Math.random().toString(36).slice(2)}`
  let sent: { at: number; notice: Notice }[] = []
  /** Since when everything is remembered. */
  let since = Date.now()
  let closed = false
  let client: pg.Client | undefined
  let outbox: Notice[] = []
  /** More than could wait: replaced by one notice that everything may have changed. */
  let tooMany = false
  let timer: NodeJS.Timeout | undefined

  async function connect(): Promise<void> {
    const fresh = new pg.Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
      query_timeout: 10_000,
      pipeline: true,
    })
    fresh.on('error', error => {
      onError(error)
      lose(fresh)
    })
    fresh.on('notification', ({ payload }) => {
      const { from, items, more } = JSON.parse(payload ?? '{}') as Spoken
      if (from === self) return
      for (const item of items) deliver(item)
      if (more) missAll()
    })
    try {
      await fresh.connect()
      await fresh.query('select pg_advisory_lock_shared($1, hashtext($2))', [processLockId, self])
      await fresh.query(`listen ${channel}`)
    } catch (error) {
      void fresh.end().catch(() => undefined)
      throw error
    }
    client = fresh
  }
  /** Until somebody listens again other servers' notices pass by, and the screens then ask for everything anew; this server's own wait. */
  function lose(lost: pg.Client): void {
    if (client !== lost) return
    client = undefined
    const again = (): void => {
      if (closed) return
      connect().then(
        () => {
          missAll()
          send()
        },
        error => {
          onError(error)
          setTimeout(again, 1_000).unref()
        },
      )
    }
    setTimeout(again, 1_000).unref()
  }
  function missAll(): void {
    since = Date.now()
    for (const missed of hearers.values()) missed()
  }
  function deliver(notice: Notice): void {
    sent.push({ at: Date.now(), notice })
    if (sent.length >= 2 * remembered.notices) {
      sent = sent.slice(-remembered.notices)
      since = sent[0]?.at ?? since
    }
    for (const hear of hearers.keys()) hear(notice)
  }
  function send(): void {
    timer = undefined
    const speaker = client
    if (!speaker) return
    // A payload holds at most 8,000 bytes.
    while (outbox.length > 0 || tooMany) {
      const spoken: Spoken = { from: self, items: outbox.splice(0, 50), more: tooMany }
      tooMany = false
      speaker.query('select pg_notify($1, $2)', [channel, JSON.stringify(spoken)]).catch(error => {
        onError(error)
        // Said once too often rather than never.
        outbox.unshift(...spoken.items)
        tooMany ||= spoken.more
        // It hangs: what it may still say comes too late.
        void speaker.end().catch(() => undefined)
        lose(speaker)
      })
    }
  }
  function post(notice: Notice): void {
    deliver(notice)
    outbox.push(notice)
    if (outbox.length > mostWaiting) {
      outbox = []
      tooMany = true
    }
    timer ??= setTimeout(send, togetherFor)
  }

  await connect()
  return {
    self,
    publish(notices) {
      for (const notice of notices) post(notice)
    },
    subscribe(hear, missed) {
      hearers.set(hear, missed)
      return () => hearers.delete(hear)
    },
    recent(milliseconds) {
      const from = Date.now() - milliseconds
      if (milliseconds > remembered.milliseconds || from <= since) return undefined
      return sent.filter(({ at }) => at >= from).map(({ notice }) => notice)
    },
    async close() {
      closed = true
      clearTimeout(timer)
      await Promise.race([client?.end().catch(() => undefined), new Promise(resolve => setTimeout(resolve, 500).unref())])
      outbox = []
    },
  }
}
