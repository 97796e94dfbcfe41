/** Codes and limits that screens, the station and schemas of packing videos share. */

export const videoStates = ['requested', 'recording', 'uploading', 'processing', 'available', 'expired', 'failed'] as const
export type VideoState = (typeof videoStates)[number]

/** Why there is no clip, though one was begun. */
export const videoErrors = [
  'no_data',
  'not_video',
  'no_picture',
  'several_pictures',
  'codec',
  'too_long',
  'too_slow',
  'damaged',
  'hash',
] as const
export type VideoError = (typeof videoErrors)[number]

/** What a mark on a clip says: an item counted or taken out, a serial number, another scan, a wrong one, a label or another paper. */
export const markKinds = ['opened', 'item', 'removed', 'serial', 'scan', 'wrong', 'label', 'print'] as const
export type MarkKind = (typeof markKinds)[number]

/** What a sender may announce. */
export const videoMediaTypes = ['video/webm', 'video/mp4'] as const

export const chunkBytes = 1_048_576
export const mostChunkBytes = 4_194_304
/** The longest clip. */
export const mostSeconds = 7_200
export const mostShareHours = 168
/** Two, so that a recorder's key can be replaced without a gap. */
export const mostKeys = 2
/** Of the station's own camera. */
export const megabitsPerSecond = { '480p': 0.6, '720p': 1 } as const
