/** Why customers send things back: the reasons that the product knows. A company changes words and rules, and adds its own. */
import type { Evidence, Fault } from './returns.codes.ts'

export interface ReturnReason {
  code: string
  /** By locale; an absent one is the product's own. */
  words: Readonly<Record<string, string>>
  evidence_text: Evidence
  evidence_photo: Evidence
  /** Who bears it: a fault of the shop or the courier costs the customer no fee. */
  fault: Fault
  position: number
  active: boolean
  version: number
}

type Known = Pick<ReturnReason, 'code' | 'fault'> & { text?: Evidence; photo?: Evidence }

const known: readonly Known[] = [
  { code: 'does_not_fit', fault: 'customer' },
  { code: 'not_as_described', fault: 'shop', text: 'required', photo: 'optional' },
  { code: 'damaged_in_transit', fault: 'courier', photo: 'required' },
  { code: 'defective', fault: 'shop', text: 'required', photo: 'optional' },
  { code: 'wrong_item', fault: 'shop', photo: 'optional' },
  { code: 'late', fault: 'courier' },
  { code: 'ordered_twice', fault: 'customer' },
  { code: 'changed_mind', fault: 'customer' },
  { code: 'missing_part', fault: 'shop', text: 'required', photo: 'optional' },
  { code: 'withdrawal', fault: 'customer', text: 'off' },
]

export const knownReasons: readonly ReturnReason[] = known.map(({ code, fault, text = 'optional', photo = 'off' }, position) => ({
  code,
  fault,
  evidence_text: text,
  evidence_photo: photo,
  words: {},
  position,
  active: true,
  version: 0,
}))

/** The English words of the reasons that the product knows, which are their translation keys. */
export const reasonWords = {
  does_not_fit: 'Does not fit',
  not_as_described: 'Not as described',
  damaged_in_transit: 'Damaged in transit',
  defective: 'Defective',
  wrong_item: 'Wrong item',
  late: 'Arrived too late',
  ordered_twice: 'Ordered twice',
  changed_mind: 'Changed my mind',
  missing_part: 'A part is missing',
  withdrawal: 'Withdrawal from the contract',
} as const
