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

const reason = (code: string, fault: Fault, evidence: { text?: Evidence; photo?: Evidence } = {}) => ({
  code,
  fault,
  evidence_text: evidence.text ?? 'optional',
  evidence_photo: evidence.photo ?? 'off',
})

const known = [
  reason('does_not_fit', 'customer'),
  reason('not_as_described', 'shop', { text: 'required', photo: 'optional' }),
  reason('damaged_in_transit', 'courier', { text: 'optional', photo: 'required' }),
  reason('defective', 'shop', { text: 'required', photo: 'optional' }),
  reason('wrong_item', 'shop', { photo: 'optional' }),
  reason('late', 'courier'),
  reason('ordered_twice', 'customer'),
  reason('changed_mind', 'customer'),
  reason('missing_part', 'shop', { text: 'required', photo: 'optional' }),
  reason('withdrawal', 'customer', { text: 'off' }),
]

export const knownReasons: readonly ReturnReason[] = known.map((one, position) => ({
  ...one,
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
