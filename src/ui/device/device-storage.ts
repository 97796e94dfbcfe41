/** What this device remembers, under the specification's keys; every read is checked, so that a stale or edited value is simply absent. */
import { useSyncExternalStore } from 'react'
import * as z from 'zod'
import { Locale, Station } from '#contract/limits.ts'
import { Init, SessionUser } from '#contract/session.schemas.ts'
import { keysOf } from '#domain/objects.ts'

const PrinterId = z.number().int().positive().nullable().default(null)
const AnyObject = z.record(z.string(), z.unknown())

const shapes = {
  user: SessionUser,
  'user-token': z.string().min(1),
  'api-host': z.url({ protocol: /^https?$/ }),
  /** The packing pattern of the company and the public address of this device, as last seen. */
  IP: z.object({ packing: z.string().default(''), public: z.string().default('') }),
  senderAddress: AnyObject,
  locale: Locale,
  printer: z.object({ A4Printer: PrinterId, labelPrinter: PrinterId }),
  packingStation: Station,
  dvr: AnyObject,
  /** The scanner's layout and suffix; its own module knows the shape. */
  scanner: AnyObject,
  theme: z.enum(['light', 'dark', 'auto']),
  density: z.enum(['compact', 'comfortable']),
  /** The last init answer: a reload shows the shell at once and asks again behind it. */
  init: Init,
  rail: z.enum(['wide', 'slim']),
  /** Single-letter shortcuts can be switched off (WCAG 2.1.4). */
  shortcuts: z.enum(['on', 'off']),
  /** Column choice, saved views and the like: `{user id}:{table name}` → whatever that part keeps. */
  views: z.record(z.string(), AnyObject),
  /** What is half written: `{user id}:{name}` → when, and what. */
  drafts: z.record(z.string(), z.object({ at: z.number(), value: AnyObject })),
}
export type DeviceKey = keyof typeof shapes
export type DeviceValue<K extends DeviceKey> = z.output<(typeof shapes)[K]>

/** These belong to the device and not to the person, so logging out keeps them (specification, section 4; decision 8). */
const keptAtLogout: readonly DeviceKey[] = ['locale', 'printer', 'dvr', 'senderAddress', 'packingStation', 'scanner']

/** Plain text is stored as it is, as the specification's client did; everything else as JSON. */
const plain = new Set<DeviceKey>(['user-token', 'api-host', 'locale', 'packingStation', 'theme', 'density', 'rail', 'shortcuts'])

const memory = new Map<string, string>()
/** Private windows may refuse storage: then the page still works, and forgets when it closes. */
const store = {
  get: (key: string): string | null => {
    try {
      return localStorage.getItem(key)
    } catch {
      return memory.get(key) ?? null
    }
  },
  set: (key: string, text: string): void => {
    try {
      localStorage.setItem(key, text)
    } catch {
      memory.set(key, text)
    }
  },
  remove: (key: string): void => {
    memory.delete(key)
    try {
      localStorage.removeItem(key)
    } catch {
      // Nothing was stored there.
    }
  },
}

const cache = new Map<DeviceKey, { text: string | null; value: unknown }>()
const watchers = new Set<() => void>()
const notify = () => {
  for (const watcher of watchers) watcher()
}

export const device = {
  /** The remembered value, or undefined when there is none or it does not have the expected shape. */
  read<K extends DeviceKey>(key: K): DeviceValue<K> | undefined {
    const text = store.get(key)
    const known = cache.get(key)
    if (known && known.text === text) return known.value as DeviceValue<K> | undefined
    const value = parse(key, text)
    cache.set(key, { text, value })
    return value as DeviceValue<K> | undefined
  },
  write<K extends DeviceKey>(key: K, value: z.input<(typeof shapes)[K]>): void {
    const text = plain.has(key) ? String(value) : JSON.stringify(value)
    if (store.get(key) === text) return
    store.set(key, text)
    notify()
  },
  forget(key: DeviceKey): void {
    store.remove(key)
    notify()
  },
  /** Forgets everything that belongs to the person. */
  logout(): void {
    for (const key of keysOf(shapes)) if (!keptAtLogout.includes(key)) store.remove(key)
    notify()
  },
  watch(watcher: () => void): () => void {
    watchers.add(watcher)
    return () => watchers.delete(watcher)
  },
}

function parse(key: DeviceKey, text: string | null): unknown {
  if (text === null) return undefined
  let value: unknown = text
  if (!plain.has(key)) {
    try {
      value = JSON.parse(text)
    } catch {
      return undefined
    }
  }
  return shapes[key].safeParse(value).data
}

/** The remembered value; the component renders again when it changes, also from another tab. */
export const useDevice = <K extends DeviceKey>(key: K): DeviceValue<K> | undefined =>
  useSyncExternalStore(device.watch, () => device.read(key))

if (typeof window !== 'undefined') window.addEventListener('storage', notify)
