/** What the picker needs of the device and the server. */
import type { send as sendCall } from '#ui/query/calls.ts'
import type { Sound } from '#ui/scanner/sounds.ts'
import type { PickStore } from './offline-store.client.ts'

export interface PickerServices {
  send: typeof sendCall
  store: PickStore
  play: (sound: Sound) => void
  vibrate: (pattern: number | number[]) => void
  user_id: () => number | undefined
  newId: () => string
}
