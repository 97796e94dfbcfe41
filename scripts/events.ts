/** Prints every kind of event as `kind<TAB>publishers<TAB>subscribers`, features named by their folders. */
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { type EventKind, eventKinds } from '../src/contract/events.ts'

const features = join(import.meta.dirname, '../src/features')

/** A quoted kind; as the key of an object it belongs to a subscription, or to a table of words. */
const quoted = /(^\s*|[{,]\s*)?'([a-z_]+\.[a-z_]+)'(:?)/gm
/** Kinds whose names are put together from a state: `pick_list.${state}`. */
const composed = /(?:kind: |, )`([a-z_]+\.(?:[a-z]+_)?)\$\{/g

export interface EventUse {
  kind: EventKind
  publishers: string[]
  subscribers: string[]
}

/** Who records each kind and who subscribes to it, read from the sources. */
export async function eventUses(): Promise<EventUse[]> {
  const kinds = Object.keys(eventKinds) as EventKind[]
  const publishers = new Map(kinds.map(kind => [kind as string, new Set<string>()]))
  const subscribers = new Map(kinds.map(kind => [kind as string, new Set<string>()]))
  const prefixes: [prefix: string, folder: string][] = []
  for (const file of await readdir(features, { recursive: true, withFileTypes: true })) {
    if (!file.isFile() || !/^(?!.*\.(?:test|client)\.).*\.ts$/.test(file.name)) continue
    const source = await readFile(join(file.parentPath, file.name), 'utf8')
    const folder = relative(features, file.parentPath)
    const subscribes = /\b(?:subscribe|Subscriptions)\b/.test(source)
    for (const [, before, kind, colon] of source.matchAll(quoted)) {
      if (before === undefined || colon !== ':') publishers.get(kind!)?.add(folder)
      else if (subscribes) subscribers.get(kind!)?.add(folder)
    }
    for (const [, prefix] of source.matchAll(composed)) prefixes.push([prefix!, folder])
  }
  // A composed name may mean any kind that nothing records by its full name.
  for (const kind of kinds.filter(one => publishers.get(one)!.size === 0))
    for (const [prefix, folder] of prefixes)
      if (kind.startsWith(prefix) && !prefixes.some(([other]) => other.length > prefix.length && kind.startsWith(other)))
        publishers.get(kind)!.add(folder)
  return kinds.map(kind => ({ kind, publishers: [...publishers.get(kind)!].sort(), subscribers: [...subscribers.get(kind)!].sort() }))
}

if (import.meta.main)
  for (const { kind, publishers, subscribers } of await eventUses())
    console.log(`${kind}\t${publishers.join(', ')}\t${subscribers.join(', ')}`)
