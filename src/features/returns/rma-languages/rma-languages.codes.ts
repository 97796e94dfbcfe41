/** Codes and limits of the return portal's languages. */

/** Pictures of a language, by what they are for. */
export const rmaTargets = ['logo', 'header', 'background'] as const
export type RmaTarget = (typeof rmaTargets)[number]

/** Characters of each text. */
export const rmaTextLimits = { greeting: 300, return_address: 500, confirmation: 2_000, legal: 5_000, support: 300 } as const
export type RmaText = keyof typeof rmaTextLimits

/** Without these a portal is not enabled: where parcels go, and what the confirming e-mail says. */
export const neededTexts = ['return_address', 'confirmation'] as const satisfies readonly RmaText[]

/** The portal for orders of shops that have none of their own. */
export const mainShop = 'main'
/** Bytes of a picture that is uploaded. */
export const mostPictureUpload = 10_000_000
/** Pixels of the longer side of what is kept. */
export const pictureSides: Readonly<Record<RmaTarget, number>> = { logo: 400, header: 1_600, background: 1_920 }
export const previewMinutes = 30
