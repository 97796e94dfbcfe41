/** What the kiosk needs of the browser: its store, its clocks and its sealing. */
import { entryStore, openOfflineDatabase } from '#ui/offline/offline-store.client.ts'
import { send } from '#ui/query/calls.ts'
import { currentSession } from '#ui/query/session.ts'
import { createKiosk, type KeptKiosk, type QueuedTap } from './kiosk.client.ts'

const database = openOfflineDatabase('punch-clock', { taps: 'client_id', kept: null })
const keptKey = 'kiosk'

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(base64), letter => letter.charCodeAt(0))
const base64Of = (bytes: ArrayBuffer): string => btoa(String.fromCharCode(...new Uint8Array(bytes)))

async function seal(public_key: string, text: string): Promise<string> {
  const key = await crypto.subtle.importKey('spki', bytesOf(public_key), { name: 'RSA-OAEP', hash: 'SHA-256' }, false, ['encrypt'])
  return base64Of(await crypto.subtle.encrypt({ name: 'RSA-OAEP' }, key, new TextEncoder().encode(text)))
}

async function hash(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  return [...digest].map(byte => byte.toString(16).padStart(2, '0')).join('')
}

/** Sealing needs a secure page. */
export const canBeKiosk = (): boolean => globalThis.isSecureContext && 'subtle' in crypto

export const openKiosk = () =>
  createKiosk({
    send,
    store: entryStore<QueuedTap>(database, 'taps'),
    kept: {
      load: () => database.get<KeptKiosk>('kept', keptKey),
      save: kept => database.put('kept', kept, keptKey),
    },
    user_id: () => currentSession()?.user.user_id,
    newId: () => crypto.randomUUID(),
    monotonic: () => performance.now(),
    deviceClock: () => Date.now(),
    seal,
    hash,
  })
