/** Values of settings in words. */

import { locales } from '#contract/limits.ts'
import { isOneOf } from '#domain/objects.ts'
import { country, list, number, weekday } from '#ui/kit/format.ts'
import { localeNames, t } from '#ui/kit/translate.ts'
import type { SettingChangeRow } from './setting-changes.schemas.ts'
import { fieldOf, hasPlace, ownedParts } from './setting-fields.rules.ts'

/** The words of a choice, as the field offers them. */
const choices: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  on_short: {
    ask: 'Someone decides',
    wait: 'The order waits',
    ship_partial: 'Ships without the missing items',
    ask_customer: 'The order waits for the customer',
    cancel_line: 'They are cancelled',
  },
  second_factor: {
    off: 'As each person chooses',
    admins: 'Needed by administrators',
    everyone: 'Needed by everyone, except at shared devices',
  },
  postcode_check: { warn: 'The order shows a warning', strict: 'The order is held' },
  label_when: { parcel: 'Print as soon as each parcel is full', order: 'Print when the order is complete' },
  partial_notice: { ask: 'The packer is asked', always: 'Always say it', never: 'Never say it' },
  parcel_photos: { off: 'None', key: 'When the packer takes one', required: 'Each parcel, before it is closed' },
  weigh_parcels: { off: 'Never', scale: 'Where the station has a scale', always: 'Every parcel' },
  'serials.ask_at': { pack: 'With each item', close: 'When everything is packed' },
  'serials.mode': { outbound: 'All that fit their rule', stock: 'Only imported ones' },
  'serials.letters': { keep: 'a1 and A1 are two numbers', upper: 'a1 and A1 are the same number' },
  'returns.review': { never: 'At once', always: 'By a person' },
  'returns.exchange_at': { never: 'By hand', arrival: 'When the parcel arrives', decision: 'When the items are decided' },
  'returns.propose_at': { inspection: 'After the inspection, by the desk', first_scan: 'At the courier’s first scan' },
  'hours.early': { from_plan: 'From the plan', from_punch: 'From the clock-in' },
}

export const choicesOf = (name: string): Readonly<Record<string, string>> | undefined => choices[name]

const longest = 60
const short = (text: string): string => (text.length > longest ? `${text.slice(0, longest - 1)}…` : text)

/** A value in words, short enough for a line. */
export function settingValue(name: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return t('empty')
  if (typeof value === 'boolean') return value ? t('On') : t('Off')
  if (typeof value === 'number') return number(name === 'returns.fee' ? value / 100 : value, name === 'returns.fee' ? 2 : 0)
  if (Array.isArray(value)) {
    if (value.length === 0) return t('empty')
    if (name === 'working_days') return list(value.map(day => weekday(Number(day))))
    return short(list(value.map(one => settingValue(fieldOf(name), one))))
  }
  if (typeof value !== 'string') return short(JSON.stringify(value))
  const chosen = choices[name]?.[value]
  if (chosen !== undefined) return t(chosen)
  if (name.endsWith('_file_id')) return value === 'set' ? t('a picture') : t('no picture')
  if (isOneOf(locales, value)) return localeNames[value]
  if (name.endsWith('country') || name.endsWith('countries')) return country(value)
  return short(value)
}

/** The label of a setting's field, with the language where the setting has a value for each. */
export function settingLabel({ name, label }: Pick<SettingChangeRow, 'name' | 'label'>): string {
  const field = fieldOf(name)
  const places = hasPlace(field) ? ownedParts(name).place.split('.') : [name.slice(field.length + 1)]
  const shown = places.filter(one => one !== '' && one !== 'main').map(one => (isOneOf(locales, one) ? localeNames[one] : one))
  return shown.length > 0 && (hasPlace(field) || isOneOf(locales, places[0] ?? '')) ? `${t(label)} (${shown.join(', ')})` : t(label)
}
