/** Codes and limits of the return portal. */
import type { ReturnOutcome } from '#features/returns/returns/returns.codes.ts'

export const portalOutcomes = ['refund', 'exchange', 'credit', 'repair'] as const satisfies readonly ReturnOutcome[]
export const sessionMinutes = 60
/** Days for which the page of a return can be opened. */
export const progressDays = 365
/** Photos of an order that belong to no return yet. */
export const mostPhotos = 100
export const mostPhotoBytes = 10_000_000
/** Of a form that is sent without scripts. */
export const mostFormBytes = 20_000
export const formSteps = ['find', 'choose', 'confirm', 'withdraw'] as const
/** Searches, and withdrawals, of one address. */
export const portalTries = { max: 10, seconds: 600 } as const
/** Parcel shops that a customer chooses from. */
export const mostShops = 5
export const photoSide = 1_600
/** Confirmations to one address in a day; later withdrawals count, and are confirmed on the page only. */
export const mostMailsOfAddress = 5

export const progressSteps = ['requested', 'sent', 'received', 'checked', 'money'] as const
export type ProgressStep = (typeof progressSteps)[number]

/** The mails that customers get. */
export const portalMails = ['requested', 'approved', 'label', 'withdrawn', 'rejected', 'missing', 'refunded', 'ending'] as const
export type PortalMail = (typeof portalMails)[number]

export const mostCountryPrices = 60
/** Said beside the field. */
export const countryTwice = 'This country has a price already.'
export const labelMissing = 'Choose a courier and a method.'
