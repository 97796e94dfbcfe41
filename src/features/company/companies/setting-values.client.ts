/** Values of settings in words. */

import { locales } from '#contract/limits.ts'
import { stationActs } from '#contract/station-acts.ts'
import { isOneOf, isRecord } from '#domain/objects.ts'
import { areas } from '#features/company/users/permissions.labels.ts'
import { stationActWords } from '#features/company/users/station-acts.labels.ts'
import { country, instant, list, number, percent, weekday } from '#ui/kit/format.ts'
import { localeNames, t } from '#ui/kit/translate.ts'
import type { SettingChangeRow } from './setting-changes.schemas.ts'
import { entryField, fieldOf, hasPlace, ownedParts } from './setting-fields.rules.ts'

const evidence = { off: 'Not asked for', optional: 'May be added', required: 'Required' }

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
  'parcel_shop_replacement.mode': { ask: 'Ask at the station', nearest: 'Take the nearest one that is open' },
  'mail_account.security': { starttls: 'STARTTLS', tls: 'TLS from the start', none: 'None: only in your own network' },
  'sms_account.provider': { log: 'None: messages are only logged', gatewayapi: 'GatewayAPI', twilio: 'Twilio', inmobile: 'inMobile' },
  'sms_account.api': { classic: 'REST', messaging: 'Messaging API' },
  'sms_account.region': { com: 'gatewayapi.com', eu: 'gatewayapi.eu' },
  'order_alerts.hold_reason': {
    ...{ alert: 'Order alert', address: 'Address', customer: 'Customer', payment: 'Payment', fraud: 'Fraud', stock: 'Stock' },
    other: 'Other reason',
  },
  'pay.leave': { days: 'Days', hours: 'Hours' },
  'pay.floor_scope': { period: 'In each period', day: 'On each day' },
  'pay.columns': {
    ...{ employer: 'CVR number', employee_no: 'Employee number', pay_code: 'Pay code', units: 'Units', rate: 'Pay rate' },
    ...{ amount: 'Amount', from: 'First day', to: 'Last day', name: 'Name', text: 'Text' },
  },
  'addresses.kind': { sender: 'Sender', recipient: 'Recipient' },
  'additional_products.per': { order: 'Once for each order', customer: 'Once for each customer' },
  'additional_products.handling': {
    ...{ show: 'The station only shows it', confirm: 'The packer confirms it', scan: 'The packer scans it' },
  },
  'alerts.mode': { note: 'Warning at the order', hold: 'Hold the order', pin: 'Ask for a PIN at the station' },
  'alerts.threshold_mode': { inside: 'Between lowest and highest', outside: 'Below lowest or above highest' },
  'alerts.match': { any: 'One of them is enough', all: 'All of them together' },
  'approval_rules.subject': {
    line: 'Before each item that meets the rule',
    order: 'Before the first item of the order',
    label: 'Before the label is printed',
  },
  'approval_rules.methods': {
    ...{ pin: 'PIN of a lead', badge: 'Badge of a lead', photo: 'Photo by the packer, without a lead' },
    remote: 'A lead elsewhere, within 60 seconds',
  },
  'approval_rules.approver_codes': {
    ...{ admin: 'Administrators', scan_admin: 'Leads of packing', parcels_admin: 'Leads of orders', list_admin: 'Leads of picking' },
    settings_admin: 'Administrators of settings',
  },
  'message_templates.channel': { sms: 'Text message', email: 'E-mail' },
  'message_templates.trigger': {
    ...{ manual: 'Sent by people', order_received: 'Order received', on_hold_question: 'On hold: question' },
    ...{ item_missing_question: 'Item missing', partially_shipped: 'Packed in part', shipped: 'Packed', handed_over: 'Handed over' },
    ...{ out_for_delivery: 'Out for delivery', ready_for_pickup: 'Waits in the parcel shop', delivered: 'Parcel delivered' },
    ...{ all_delivered: 'All delivered', delivery_failed: 'Delivery failed', address_changed: 'Address changed' },
    ...{ parcel_shop_changed: 'Parcel shop changed', return_approved: 'Return approved', return_ends_soon: 'Return ends soon' },
    ...{ return_rejected: 'Return rejected', return_received: 'Return received', return_item_missing: 'Return: item missing' },
    refund_confirmed: 'Refunded',
  },
  'message_templates.choices': {
    ...{ ship_partially: 'Ship what is ready', wait: 'Wait', cancel_line: 'Cancel what is missing' },
    ...{ new_address: 'Enter a new address', other_shop: 'Choose another parcel shop' },
  },
  'message_templates.blocks': { items: 'Items of the order', parcels: 'Parcels', divider: 'Line' },
  'wagon_types.shape': {
    ...{ red: 'Red', orange: 'Orange', yellow: 'Yellow', green: 'Green', teal: 'Teal', blue: 'Blue', violet: 'Violet' },
    ...{ pink: 'Pink', brown: 'Brown', white: 'White', gray: 'Grey', black: 'Black' },
  },
  'campaigns.state': { draft: 'Draft', published: 'Published', paused: 'Paused', ended: 'Ended' },
  'campaigns.stages': {
    ...{ ordered: 'Ordered', packed: 'Packed', on_its_way: 'In transit', out_for_delivery: 'Out for delivery' },
    ...{ ready_for_pickup: 'Ready for collection', delivered: 'Delivered', problem: 'Problem with the parcel' },
  },
  'announcements.mode': { info: 'For information', must_agree: 'Must be agreed to' },
  'announcements.state': { draft: 'Draft', published: 'Published', withdrawn: 'Withdrawn' },
  'printers.language': { zpl: 'ZPL', pdf: 'PDF' },
  'surcharges.kind': { percent: 'Percent', amount: 'Amount' },
  'return_reasons.fault': { shop: 'The shop', customer: 'The customer', courier: 'The courier' },
  'return_reasons.evidence_text': evidence,
  'return_reasons.evidence_photo': evidence,
  'deadlines.target': { packed: 'Packed', handed_over: 'Handed over to the courier' },
  'serial_rules.scope': { product: 'Once per product', company: 'Once in the company', none: 'As often as it is scanned' },
  'pay.separator': { tab: 'Tab' },
  'hours.early': { from_plan: 'From the plan', from_punch: 'From the clock-in' },
}

export const choicesOf = (name: string): Readonly<Record<string, string>> | undefined => choices[name]

const longest = 60
const short = (text: string): string => (text.length > longest ? `${text.slice(0, longest - 1)}…` : text)

/** Shares of right scans in hundredths of a percent, each before its factor in thousandths; the last factor counts below them. */
const qualityStep = (value: number, place: number, length: number): string =>
  place % 2 === 0 && place < length - 1 ? percent(value / 10_000, 2) : percent(value / 1_000, 1)

/** Pay codes of kinds of leave, each before the unit in which it counts; a kind without a code is left out. */
const leaveCodes = (values: readonly unknown[]): string =>
  list(
    values.flatMap((unit, place) =>
      place % 2 === 1 && values[place - 1] !== '' ? [`${values[place - 1]} (${settingValue('pay.leave', unit)})`] : [],
    ),
  )

/** Amounts in minor units. */
const hundredths: readonly string[] = [
  ...['returns.fee', 'boxes.cost', 'additional_products.value', 'prices.amount', 'prices.per_kg_amount', 'surcharges.amount'],
]

/** What an entry is called; reasons for returns that the product knows have words in each language. */
const placeTitle = (name: string, title: string): string => (name.startsWith('return_reason') ? t(title) : title)

/** A wagon by its rows and columns, then each slot by its colour and what it carries. */
function wagonInWords({ rows, columns, slots }: Readonly<Record<string, unknown>>): string {
  const each = Array.isArray(slots) ? slots.filter(isRecord).map(slotInWords) : []
  return short(`${rows} × ${columns}: ${list(each)}`)
}
const slotInWords = ({ colour, max_weight_g, max_volume_ml }: Readonly<Record<string, unknown>>): string =>
  [
    colour === null ? t('No colour') : settingValue('wagon_types.shape', colour),
    ...(max_weight_g === null ? [] : [`${number(Number(max_weight_g) / 1_000, 1)} kg`]),
    ...(max_volume_ml === null ? [] : [`${number(Number(max_volume_ml) / 1_000, 1)} l`]),
  ].join(' · ')

/** The printer of a kind of documents, its backup, and how often it prints each. */
const printersInWords = ({ printer, fallback, copies }: Readonly<Record<string, unknown>>): string => {
  const named = list([printer, fallback].flatMap(one => (typeof one === 'string' ? one : [])))
  return short(Number(copies) > 1 ? `${named} × ${number(Number(copies), 0)}` : named)
}

/** Permissions of a group as the form names them, the levels above before those that they include. */
function permissionsInWords(codes: readonly unknown[]): string {
  if (codes.includes('admin')) return t('Everything')
  return areas
    .flatMap(area => {
      const level = area.levels.findLast(one => codes.includes(one.code))
      if (!level) return []
      return area.levels.length > 1 ? `${t(area.title)} (${t(level.title)})` : t(area.title)
    })
    .join(', ')
}

const actsInWords = ({ acts, stations }: Readonly<Record<string, unknown>>): string => {
  const words = stationActs.filter(act => Array.isArray(acts) && acts.includes(act)).map(act => t(stationActWords[act].title))
  return short([...words, ...(words.length > 0 && Array.isArray(stations) ? stations.map(String) : [])].join(', ')) || t('empty')
}

/** Everyone, or groups by their names and people by their number. */
const audienceInWords = ({ everyone, groups, user_ids }: Readonly<Record<string, unknown>>): string =>
  everyone === true
    ? t('Everyone')
    : short(
        list([
          ...(Array.isArray(groups) ? groups.filter(isRecord).map(one => String(one.name)) : []),
          ...(Array.isArray(user_ids) && user_ids.length > 0 ? [t('{{count}} people', { count: user_ids.length })] : []),
        ]),
      )

/** An entry by its title, a rule by how many conditions it has, and other groups by their values. */
function recordValue(name: string, value: Readonly<Record<string, unknown>>): string {
  if (name === 'wagon_types.shape') return wagonInWords(value)
  if (name === 'groups.station_acts') return actsInWords(value)
  if (name === 'announcements.audience') return audienceInWords(value)
  if (name === 'announcements.texts' && isRecord(value.languages)) return recordValue(name, value.languages)
  if (name === 'printers.fallback') return short(String(value.name))
  if (name.startsWith('station_printers.')) return printersInWords(value)
  // A block of an e-mail by its text, and one without a text by its kind.
  if (name === 'message_templates.blocks') return typeof value.text === 'string' ? value.text : settingValue(name, value.kind)
  if (name.endsWith(`.${entryField}`)) return short(placeTitle(name, String(value.title)))
  const conditions = value.all ?? value.any
  if (Array.isArray(conditions)) return t('{{count}} conditions', { count: conditions.length })
  const words = list(Object.values(value).flatMap(one => (one === null || one === '' ? [] : settingValue(name, one))))
  return short(words) || t('empty')
}

/** A value in words, short enough for a line. */
export function settingValue(of: string, value: unknown): string {
  const name = fieldOf(of)
  if (value === null && name.endsWith('.companies')) return t('All')
  if (value === null && name === 'printers.language') return t('Automatic')
  if (value === null && name.endsWith('.zone')) return t('Everywhere')
  if (value === null || value === undefined || value === '') return t('empty')
  if (typeof value === 'boolean') return value ? t('On') : t('Off')
  if (typeof value === 'number' && name.endsWith('_micro')) return number(value / 1_000_000, 6)
  if (typeof value === 'number' && name.endsWith('_milli')) return percent(value / 100_000, 3)
  if (typeof value === 'number') return hundredths.includes(name) ? number(value / 100, 2) : number(value, 0)
  if (Array.isArray(value)) {
    if (value.length === 0) return t('empty')
    if (name.endsWith('.entries')) return list(value.flatMap(one => (isRecord(one) ? placeTitle(name, String(one.title)) : [])))
    if (name === 'pay.quality') return short(list(value.map((one, place) => qualityStep(Number(one), place, value.length))))
    if (name === 'groups.permission') return short(permissionsInWords(value))
    if (name === 'pay.leave') return short(leaveCodes(value)) || t('empty')
    if (name === 'working_days' || name === 'deadlines.weekdays') return list(value.map(day => weekday(Number(day))))
    return short(list(value.map(one => settingValue(name, one))))
  }
  if (isRecord(value)) return recordValue(name, value)
  if (typeof value !== 'string') return short(JSON.stringify(value))
  // Colours have numbers, from 1.
  if (name === 'tags.color') return value.slice(1)
  const chosen = choices[name]?.[value]
  if (chosen !== undefined) return t(chosen)
  if (name.endsWith('.from_at') || name.endsWith('.to_at')) return instant(value)
  if (name.endsWith('_file_id')) return value === 'set' ? t('a picture') : t('no picture')
  if (isOneOf(locales, value)) return localeNames[value]
  if (name.endsWith('country') || name.endsWith('countries')) return country(value)
  return short(value)
}

/** The label of a setting's field, with its language or its webhook where it has a value for each. */
export function settingLabel({ name, label, place_name }: Pick<SettingChangeRow, 'name' | 'label' | 'place_name'>): string {
  if (name.endsWith(`.${entryField}`)) return t(label)
  if (place_name !== null) return `${t(label)} (${placeTitle(name, place_name)})`
  const field = fieldOf(name)
  const places = hasPlace(field) ? ownedParts(name).place.split('.') : [name.slice(field.length + 1)]
  // An entry that is gone has no name any more, and its number says nothing to people.
  const shown = places
    .filter(one => one !== '' && one !== 'main' && !/^\d+$/.test(one))
    .map(one => (isOneOf(locales, one) ? localeNames[one] : one))
  return shown.length > 0 && (hasPlace(field) || isOneOf(locales, places[0] ?? '')) ? `${t(label)} (${shown.join(', ')})` : t(label)
}
