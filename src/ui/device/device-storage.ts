/** What this device remembers, under the specification's keys; every read is checked, so that a stale or edited value is simply absent. */
import { useSyncExternalStore } from 'react'
import { type Permission, permissions } from '#contract/access.ts'
import { type Locale, locales, stationName } from '#contract/limits.ts'
import type { Init, SessionUser } from '#contract/session.schemas.ts'
import { among, type Guard, isFlag, isNumber, isText, isWholeNumber, listOf, mapOf, nullable, objectOf, optional } from '#domain/guards.ts'
import { isRecord, keysOf } from '#domain/objects.ts'
import { type PrinterRole, paperOfRole } from '#domain/printer-choice.ts'

type AnyObject = Record<string, unknown>

interface DeviceValues {
  user: SessionUser
  'user-token': string
  'api-host': string
  /** The packing pattern of the company and the public address of this device, as last seen. */
  IP: { packing: string; public: string }
  senderAddress: AnyObject
  locale: Locale
  /** The device's own choice, and what the server last said of each role at its station. */
  printer: { A4Printer?: number | null; labelPrinter?: number | null; roles?: Partial<Record<string, number>> }
  packingStation: string
  dvr: AnyObject
  /** The scanner's layout and suffix; its own module knows the shape. */
  scanner: AnyObject
  theme: 'light' | 'dark' | 'auto'
  /** How close the rows of lists stand; `normal` without one. */
  density: 'compact' | 'normal' | 'comfortable'
  /** The last init answer: a reload shows the shell at once and asks again behind it. */
  init: Init
  rail: 'wide' | 'slim'
  /** Single-letter shortcuts can be switched off (WCAG 2.1.4). */
  shortcuts: 'on' | 'off'
  /** Column choice, saved views and the like: `{user id}:{table name}` → whatever that part keeps. */
  views: Record<string, AnyObject>
  /** What is half written: `{user id}:{name}` → when, and what. */
  drafts: Record<string, { at: number; value: object }>
}
export type DeviceKey = keyof DeviceValues
export type DeviceValue<K extends DeviceKey> = DeviceValues[K]

const isLocale = among(locales)
const isPrinterId = (value: unknown): value is number | null => value === null || (isWholeNumber(value) && value > 0)
const isWebAddress = (value: unknown): value is string => isText(value) && /^https?:/.test(value) && URL.canParse(value)
const isLookup = objectOf({ id: isWholeNumber, code: isText })

const isUser = objectOf<SessionUser>({
  user_id: isWholeNumber,
  name: isText,
  user_name: nullable(isText),
  email: nullable(isText),
  employee_no: nullable(isText),
  locale: nullable(isLocale),
  company_id: isWholeNumber,
  company: isText,
  is_main_company: isFlag,
  permission: listOf(isWholeNumber),
  has_image: isFlag,
  // Devices that stored their user before these existed stay signed in.
  acts: (value): value is SessionUser['acts'] => value === undefined || Array.isArray(value),
  device: (value): value is SessionUser['device'] => value === undefined || value === true,
  second_factor_by: (value): value is string | null => value === undefined || value === null || isText(value),
  start_page: (value): value is string | null => value === undefined || value === null || isText(value),
})

const isInit = objectOf<Init>({
  CountryLookup: listOf(objectOf({ id: isWholeNumber, name: isText, iso_code_2: isText })),
  ParcelAgentCode: listOf(objectOf({ agent_code: isText, name: isText })),
  PermissionLookup: listOf(objectOf({ id: isWholeNumber, code: among<Permission>(permissions) })),
  ScheduleReasonLookup: listOf(isLookup),
  CompanyLookup: listOf(objectOf({ id: isWholeNumber, code: isText, name: isText, main: isFlag })),
  MainCompanyId: isWholeNumber,
  PackingApiIpBind: isText,
  packing_ip_matches: isFlag,
  settings: objectOf({
    company_name: isText,
    locale: isLocale,
    currency: isText,
    time_zone: isText,
    color: nullable(isText),
    has_logo: isFlag,
    languages: listOf(isLocale),
    home_country: isText,
    phone_countries: listOf(isText),
    sender_missing: isFlag,
  }),
})

const guards: { [K in DeviceKey]: Guard<DeviceValues[K]> } = {
  user: isUser,
  'user-token': (value): value is string => isText(value) && value !== '',
  'api-host': isWebAddress,
  IP: objectOf({ packing: isText, public: isText }),
  senderAddress: isRecord,
  locale: isLocale,
  printer: objectOf({ A4Printer: optional(isPrinterId), labelPrinter: optional(isPrinterId), roles: optional(mapOf(isWholeNumber)) }),
  packingStation: (value): value is string => isText(value) && stationName(value) === value,
  dvr: isRecord,
  scanner: isRecord,
  theme: among(['light', 'dark', 'auto']),
  density: among(['compact', 'normal', 'comfortable']),
  init: isInit,
  rail: among(['wide', 'slim']),
  shortcuts: among(['on', 'off']),
  views: mapOf(isRecord),
  drafts: mapOf(objectOf({ at: isNumber, value: isRecord })),
}

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
  write<K extends DeviceKey>(key: K, value: DeviceValue<K>): void {
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
    for (const key of keysOf(guards)) if (!keptAtLogout.includes(key)) store.remove(key)
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
  return guards[key](value) ? value : undefined
}

/** The remembered value; the component renders again when it changes, also from another tab. */
export const useDevice = <K extends DeviceKey>(key: K): DeviceValue<K> | undefined =>
  useSyncExternalStore(device.watch, () => device.read(key))

const printerIn = (chosen: DeviceValue<'printer'> | undefined, role: PrinterRole): number | null =>
  chosen?.roles?.[role] ?? (paperOfRole(role) === 'label' ? chosen?.labelPrinter : chosen?.A4Printer) ?? null

/** The printer of a kind of document here: the station's, else the device's own by paper. */
export const devicePrinter = (role: PrinterRole): number | null => printerIn(device.read('printer'), role)
export const useDevicePrinter = (role: PrinterRole): number | null => printerIn(useDevice('printer'), role)

if (typeof window !== 'undefined') window.addEventListener('storage', notify)
