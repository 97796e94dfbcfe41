/** How customers are spoken of on every screen: flags, kinds of notes, and by what they are recognized. */
import {
  IconAlertTriangle,
  IconBulb,
  IconInfoCircle,
  IconMessageOff,
  IconSignature,
  IconThumbUp,
  IconUserExclamation,
} from '@tabler/icons-react'
import { StateBadge, type Tone } from '#ui/kit/StateBadge.tsx'
import { t, useT } from '#ui/kit/translate.ts'
import type { CheckType, CustomerFlag, NoteType, SuggestionReason } from './customers.codes.ts'

export const flagWord = (flag: CustomerFlag): string => {
  const words: Record<CustomerFlag, string> = {
    no_sms: t('No text messages'),
    no_email: t('No e-mail'),
    signature: t('Signature on delivery'),
    known_problem: t('Known problem'),
  }
  return words[flag]
}

const flagTones: Record<CustomerFlag, Tone> = { no_sms: 'quiet', no_email: 'quiet', signature: 'soon', known_problem: 'stop' }
const flagIcons = { no_sms: IconMessageOff, no_email: IconMessageOff, signature: IconSignature, known_problem: IconUserExclamation }

export function FlagBadge({ flag }: { flag: CustomerFlag }) {
  useT()
  return (
    <StateBadge tone={flagTones[flag]} icon={flagIcons[flag]}>
      {flagWord(flag)}
    </StateBadge>
  )
}

export const noteWord = (type: NoteType): string => {
  const words: Record<NoteType, string> = { info: t('Note'), praise: t('Praise'), advice: t('Advice'), warning: t('Warning') }
  return words[type]
}

const noteTones: Record<NoteType, Tone> = { info: 'plain', praise: 'done', advice: 'busy', warning: 'stop' }
const noteIcons = { info: IconInfoCircle, praise: IconThumbUp, advice: IconBulb, warning: IconAlertTriangle }

export function NoteBadge({ type }: { type: NoteType }) {
  useT()
  return (
    <StateBadge tone={noteTones[type]} icon={noteIcons[type]}>
      {noteWord(type)}
    </StateBadge>
  )
}

export const checkTypeWord = (type: CheckType): string => {
  const words: Record<CheckType, string> = { email: t('E-mail'), phone: t('Phone'), shop_customer: t('Shop number') }
  return words[type]
}

/** A shop number without the company's id; other values as they are. */
export const shownLookup = (type: CheckType, value: string): string => {
  if (type !== 'shop_customer') return value
  const [, shop = '', ...number] = value.split(':')
  return shop === 'main' ? number.join(':') : `${number.join(':')} (${shop})`
}

export const reasonWord = (reason: SuggestionReason): string => {
  const words: Record<SuggestionReason, string> = {
    email: t('An order has the e-mail of both'),
    phone: t('An order has the phone number of both'),
    shop_customer: t('An order has the shop number of both'),
    name_postcode: t('Same name and postcode'),
  }
  return words[reason]
}
