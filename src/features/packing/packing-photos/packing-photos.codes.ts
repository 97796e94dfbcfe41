/** Codes and limits that the station, screens and schemas of packing photos share. */

/** Why a parcel was closed without the photo that the company asks for: as the browser says it. */
export const missingPhotoReasons = ['insecure', 'missing', 'refused', 'busy', 'failed'] as const
export type MissingPhotoReason = (typeof missingPhotoReasons)[number]

/** What a photo shows: the open box, or what an approval rule asks about. */
export const photoKinds = ['box', 'approval'] as const
export type PhotoKind = (typeof photoKinds)[number]

/** Longest side in pixels. */
export const photoSide = 1_600
/** Of one parcel. */
export const mostPhotos = 20
