/** The open change streams of this process: who listens to what, and what each is sent. */
import type { Notice } from '#platform/notifications/change-notifier.ts'

/** Milliseconds for which notices wait for more, so that a stream gets one frame instead of many. */
const gatherFor = 250
/** Notices of one frame; a screen that would get more reloads what it shows. */
const mostNotices = 500
/** Frames that wait for a slow reader. */
const mostFrames = 20

/** Tells a screen to reload everything that it shows. */
export const reloadFrame = 'event: ready\ndata: {}\n\n'

export interface Listener {
  operator_id: number
  user_id: number
  /** Of the user. */
  company_id: number
  /** Whose notices this user may get. */
  companies: readonly number[]
  session_id: number
  permissions: readonly string[]
  /** `order`, `order:42`; undefined is everything. */
  interests: readonly string[] | undefined
}

export interface OpenStream extends Listener {
  /** Frames that are not sent yet, the oldest first. */
  readonly frames: string[]
  closed: boolean
  /** Called when there is a frame, or the stream is closed. */
  onFrame: () => void
  readonly onClose: () => void
}

/** The streams of one operator. */
interface Group {
  streams: Set<OpenStream>
  /** Streams by what they listen to: `*`, `order`, `order:42`, and `order:` for those that want some orders. */
  byInterest: Map<string, Set<OpenStream>>
  /** Gathered notices by their text. */
  waiting: Map<string, Notice>
}

export class OpenStreams {
  readonly #groups = new Map<number, Group>()

  /** `onClose` is called once, when the stream is closed from either side. */
  open(listener: Listener, onClose: () => void): OpenStream {
    const group = this.#groups.get(listener.operator_id) ?? { streams: new Set(), byInterest: new Map(), waiting: new Map() }
    const stream: OpenStream = { ...listener, onClose, frames: [], closed: false, onFrame: () => undefined }
    group.streams.add(stream)
    for (const key of keysOf(listener.interests)) {
      const some = group.byInterest.get(key) ?? new Set()
      group.byInterest.set(key, some.add(stream))
    }
    this.#groups.set(listener.operator_id, group)
    return stream
  }

  close(stream: OpenStream): void {
    const group = this.#groups.get(stream.operator_id)
    if (!group?.streams.delete(stream)) return
    for (const key of keysOf(stream.interests)) {
      const some = group.byInterest.get(key)
      some?.delete(stream)
      if (some?.size === 0) group.byInterest.delete(key)
    }
    if (group.streams.size === 0) this.#groups.delete(stream.operator_id)
    stream.closed = true
    stream.onClose()
    stream.onFrame()
  }

  all(): OpenStream[] {
    return [...this.#groups.values()].flatMap(group => [...group.streams])
  }

  /** Gathers a notice for those who listen to it. */
  receive(notice: Notice): void {
    const group = this.#groups.get(notice.operator_id)
    if (!group || listenersOf(group, notice).every(some => some.size === 0)) return
    if (group.waiting.size === 0) setTimeout(() => this.#send(group), gatherFor).unref()
    group.waiting.set(textOf(notice), notice)
  }

  /** Notices of other servers may have been lost. */
  reloadAll(): void {
    for (const stream of this.all()) reload(stream)
  }

  #send(group: Group): void {
    const notices = [...group.waiting]
    group.waiting.clear()
    const wanted = new Map<OpenStream, string[]>()
    for (const [text, notice] of notices)
      for (const some of listenersOf(group, notice))
        for (const stream of some) {
          if (!stream.companies.includes(notice.company_id)) continue
          const texts = wanted.get(stream)
          if (texts === undefined) wanted.set(stream, [text])
          // A stream that wants all orders and also one of them.
          else if (texts.at(-1) !== text) texts.push(text)
        }
    for (const [stream, texts] of wanted) {
      if (texts.length > mostNotices) reload(stream)
      else push(stream, frameOf(texts))
    }
  }
}

/** The frame of notices that were sent a moment ago, for a stream that has just been opened; undefined where none concerns it. */
export function frameOfRecent(stream: OpenStream, notices: readonly Notice[]): string | undefined {
  const keys = new Set(keysOf(stream.interests))
  const texts = new Set<string>()
  for (const notice of notices)
    if (
      notice.operator_id === stream.operator_id &&
      stream.companies.includes(notice.company_id) &&
      interestsOf(notice).some(key => keys.has(key))
    )
      texts.add(textOf(notice))
  if (texts.size === 0) return undefined
  return texts.size > mostNotices ? reloadFrame : frameOf([...texts])
}

const textOf = ({ topic, id, company_id }: Notice): string => JSON.stringify({ topic, id, company_id })
const frameOf = (texts: readonly string[]): string => `event: changed\ndata: [${texts.join()}]\n\n`

/** The keys under which a stream is found. */
function keysOf(interests: readonly string[] | undefined): string[] {
  if (interests === undefined) return ['*']
  const some = interests.filter(interest => interest.includes(':')).map(interest => interest.slice(0, interest.indexOf(':') + 1))
  return [...new Set([...interests, ...some])]
}

/** The keys whose streams want a notice; one without an id concerns every stream that wants anything of its topic. */
const interestsOf = ({ topic, id }: Notice): string[] => ['*', topic, id === undefined ? `${topic}:` : `${topic}:${id}`]

const listenersOf = (group: Group, notice: Notice): ReadonlySet<OpenStream>[] =>
  interestsOf(notice).map(key => group.byInterest.get(key) ?? noStreams)
const noStreams: ReadonlySet<OpenStream> = new Set()

function push(stream: OpenStream, frame: string): void {
  if (stream.frames.length >= mostFrames) reload(stream)
  else {
    stream.frames.push(frame)
    stream.onFrame()
  }
}

function reload(stream: OpenStream): void {
  stream.frames.splice(0, stream.frames.length, reloadFrame)
  stream.onFrame()
}
