/** Words for what a packing video is, why there is none, and what its marks say. */
import type { MarkKind, VideoError, VideoState } from './packing-video.codes.ts'

export const stateLabels = {
  requested: 'Requested',
  recording: 'Filming',
  uploading: 'Uploading',
  processing: 'Processing',
  available: 'Ready',
  expired: 'Deleted',
  failed: 'Failed',
} as const satisfies Record<VideoState, string>

export const stateTones = {
  requested: 'quiet',
  recording: 'busy',
  uploading: 'busy',
  processing: 'busy',
  available: 'done',
  expired: 'quiet',
  failed: 'stop',
} as const satisfies Record<VideoState, string>

export const errorLabels = {
  no_data: 'Nothing of it arrived',
  not_video: 'What arrived is not a video',
  no_picture: 'It has no picture',
  several_pictures: 'It has several pictures at once',
  codec: 'Its format cannot be shown in a browser',
  too_long: 'It is longer than two hours',
  too_slow: 'It took too long to read',
  damaged: 'It is damaged',
  hash: 'It did not arrive as it was sent',
} as const satisfies Record<VideoError, string>

/** What happened at a mark; visitors of a link see it without the names of things. */
export function markWords(
  t: (sentence: string, values?: Record<string, string>) => string,
  { kind, text }: { kind: MarkKind; text?: string },
): string {
  const named = text !== undefined && text !== ''
  switch (kind) {
    case 'opened':
      return t('Order opened')
    case 'item':
      return named ? text : t('Item packed')
    case 'removed':
      return named ? t('Taken out: {{name}}', { name: text }) : t('Item taken out')
    case 'serial':
      return named ? t('Serial number {{serial}}', { serial: text }) : t('Serial number')
    case 'scan':
      return named ? t('Scan: {{code}}', { code: text }) : t('Scan')
    case 'wrong':
      return named ? t('Wrong scan: {{code}}', { code: text }) : t('Wrong scan')
    case 'label':
      return t('Label printed')
    case 'print':
      return named ? text : t('Document printed')
  }
}
