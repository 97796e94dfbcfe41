/** Codes of returns and their pieces, and the limits of what may be sent. */

export const returnStatuses = [
  'requested',
  'approved',
  'in_transit',
  'arrived',
  'awaiting_review',
  'decided',
  'resolved',
  'rejected',
  'cancelled',
  'expired',
] as const
export type ReturnStatus = (typeof returnStatuses)[number]

export const returnSources = ['portal', 'desk', 'undelivered', 'orphan'] as const
export type ReturnSource = (typeof returnSources)[number]

export const returnMethods = ['label', 'qr', 'own_label', 'bring', 'none'] as const
export type ReturnMethod = (typeof returnMethods)[number]

export const returnOutcomes = ['refund', 'exchange', 'credit', 'repair'] as const
export type ReturnOutcome = (typeof returnOutcomes)[number]

/** Where a piece is. */
export const custodies = [
  'advised',
  'in_transit',
  'received',
  'added',
  'inspected',
  'restocked',
  'scrapped',
  'sent_back',
  'repaired',
  'kept',
  'missing',
  'cancelled',
  'rejected',
  'expired',
] as const
export type Custody = (typeof custodies)[number]

/** What becomes of its money. */
export const moneyStates = ['none', 'pending', 'proposed', 'in_doubt', 'confirmed', 'denied'] as const
export type MoneyState = (typeof moneyStates)[number]

export const conditions = ['A', 'B', 'C', 'scrap'] as const
export type Condition = (typeof conditions)[number]

export const decisions = ['restock', 'send_back', 'scrap', 'repair', 'keep'] as const
export type Decision = (typeof decisions)[number]

export const serialChecks = ['right', 'wrong', 'accepted', 'unreadable'] as const
export type SerialCheck = (typeof serialChecks)[number]

export const returnFileKinds = ['customer', 'arrival', 'condition', 'paper'] as const

export const proposalStates = ['proposed', 'confirmed', 'denied', 'in_doubt'] as const
export type ProposalState = (typeof proposalStates)[number]

export const faults = ['shop', 'customer', 'courier'] as const
export type Fault = (typeof faults)[number]

export const evidences = ['off', 'optional', 'required'] as const
export type Evidence = (typeof evidences)[number]

export const returnLimits = {
  ...{ pieces: 500, lines: 200, note: 2_000, itemNote: 500, reason: 500, photosOfPiece: 5, reference: 100 },
  /** Reasons of a company, and what customers read of one. */
  ...{ reasons: 50, reasonWords: 60 },
} as const

/** A withdrawal needs no reason: what stands for it does not change. */
export const withdrawalReason = 'withdrawal'

/** A tracking number as it is compared: its letters and digits, in capitals. */
export const trackingKey = (text: string): string =>
  text
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .slice(0, 100)

export const returnViews = ['open', 'approve', 'expected', 'arrived', 'decide', 'money', 'overdue', 'orphans', 'closed', 'all'] as const

export const returnSorts = ['-requested', 'requested', 'due', '-due'] as const

/** How customers may send in the portal. */
export const portalMethods = ['label', 'qr', 'own_label', 'bring'] as const satisfies readonly ReturnMethod[]
export type PortalMethod = (typeof portalMethods)[number]

/** For these a courier is asked, at a price. */
export const courierMethods = ['label', 'qr'] as const satisfies readonly PortalMethod[]
export type CourierMethod = (typeof courierMethods)[number]

/** Goods without a right of withdrawal: Directive 2011/83/EU, Article 16. */
export const exemptions = ['custom_made', 'hygiene', 'perishable', 'media'] as const
export type Exemption = (typeof exemptions)[number]

/** Times that a courier is asked for a label of one return, where it refuses or the customer loses one. */
export const mostLabelAttempts = 5

/** What the customer reads. */
export const labelRefusals = {
  notOffered: 'There is no courier label for this return.',
  failed: 'The courier has made no label. Use a label of your own, or try again later.',
  made: 'This return has its label already.',
  sent: 'The parcel is on its way.',
  limit: 'You have had several labels. Write to the shop.',
  gone: 'This label can no longer be used: its parcel has arrived, or it was cancelled.',
} as const

/** How far the label of a return is. */
export const labelStates = ['none', 'waiting', 'ready', 'failed'] as const
export type LabelState = (typeof labelStates)[number]

export const policyLimits = { rules: 50, name: 80, words: 300, bin: 40, answer: 500 } as const
