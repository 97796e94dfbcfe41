/** The size of a text message: its encoding, its units and its parts, as gateways bill them (3GPP TS 23.038 and 23.040). */
import { SegmentedMessage } from 'sms-segments-calculator'
import type { SmsEncoding } from '#domain/sms-codes.ts'

export interface SmsSize {
  encoding: SmsEncoding
  /** Septets, or UTF-16 units. */
  characters: number
  parts: number
}

export function sizeOfSms(text: string): SmsSize {
  if (text === '') return { encoding: 'GSM-7', characters: 0, parts: 0 }
  // One letter with its mark counts once: `a` and a combining ring are `å`.
  const message = new SegmentedMessage(text.normalize('NFC'), 'auto')
  return {
    encoding: message.encodingName === 'GSM-7' ? 'GSM-7' : 'UCS-2',
    characters: message.numberOfCharacters,
    parts: message.segmentsCount,
  }
}
