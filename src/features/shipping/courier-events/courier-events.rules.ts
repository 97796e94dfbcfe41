/** Who learns of an event by default, and what the words of an event say. */
import { isOneOf } from '#domain/objects.ts'
import {
  type CourierEvent,
  courierEvents,
  type EventReason,
  exceptionEvents,
  occasionEvents,
  type UsAction,
} from './courier-events.codes.ts'

export interface EventAudience {
  to_shop: boolean
  to_recipient: boolean
  to_us: boolean
  us_action: UsAction
  /** Which tag the order gets. */
  tag_id: number | null
  template_id: number | null
}

/** A webhook names its events itself and a message needs an active template: both get theirs unless the courier is excepted. */
export const usualAudience = (event: CourierEvent): EventAudience => ({
  to_shop: true,
  to_recipient: isOneOf(occasionEvents, event),
  to_us: isOneOf(exceptionEvents, event) && event !== 'delayed' && event !== 'returned',
  us_action: 'exception',
  tag_id: null,
  template_id: null,
})

export type AudienceFault = 'no_exception' | 'no_template' | 'no_tag'

/** What is wrong with a setting; undefined where it is sound. */
export function audienceFault(
  event: CourierEvent,
  { to_recipient, to_us, us_action, tag_id, template_id }: EventAudience,
): AudienceFault | undefined {
  if (to_us && us_action === 'tag' && tag_id === null) return 'no_tag'
  if (to_us && us_action === 'exception' && !isOneOf(exceptionEvents, event)) return 'no_exception'
  if (to_recipient && template_id === null && !isOneOf(occasionEvents, event)) return 'no_template'
  return undefined
}

export const audienceWords = {
  no_exception: 'This event opens no exception.',
  no_template: 'Choose a template.',
  no_tag: 'Choose a tag',
  tag: 'This tag was removed.',
  template: 'This template was removed.',
} as const

/** The event of a public event of a shipment; null where couriers report none. */
export function courierEventOf(type: string, reason: unknown): CourierEvent | null {
  if (type === 'shipment.problem_reported') return isOneOf(courierEvents, reason) ? reason : null
  const name = type.replace(/^shipment\./, '')
  const event = name === 'booked' ? 'registered' : name === 'returned_to_sender' ? 'returned' : name
  return isOneOf(courierEvents, event) ? event : null
}

const customs =
  /\b(?:customs|douane|tolden|tollen|tullen|tollvesenet|toldvæsenet|tullverket|zoll|zollamt|fortoldning|fortolling|förtullning|verzollung)/i
const cleared =
  /\b(?:released|cleared|clearance (?:is )?(?:complete|finished)|complete clearance|freigegeben|verzollt|abgeschlossen|frigivet|frigitt|frigjord|klareret|klarert|fortoldet|fortollet|förtullad)/i
const address =
  /\b(?:address|adresse|adressen|adress|postcode|postal code|postnummer|postleitzahl|empfänger|modtager|mottaker|mottagare|recipient)\b/i
const wrong =
  /(?:\b|un|in)(?:incorrect|wrong|incomplete|insufficient|unknown|invalid|missing|not found|falsch|unbekannt|unvollständig|fehlerhaft|nicht ermittel|forkert|ukendt|mangelfuld|ufuldstændig|ufullstendig|ukjent|feil|felaktig|ofullständig|okänd)/i
const delayed = /\b(?:delay|delayed|late|forsinket|forsinkelse|forsinka|försenad|försening|verspätet|verspätung|verzögert|verzögerung)\b/i

/** States in which the words of an event can name a reason; what was delivered or goes back has none. */
const reasonStates = ['', 'in_transit', 'needs_attention', 'delivery_failed']

/** Why a parcel does not go on, as the courier writes it in the languages of its countries. */
export function reasonOf({ state, text }: { state: string; text: string }): EventReason | null {
  if (!reasonStates.includes(state)) return null
  if (customs.test(text)) return cleared.test(text) ? null : 'customs'
  if (address.test(text) && wrong.test(text)) return 'address_problem'
  return delayed.test(text) ? 'delayed' : null
}

/** The reason of the newest of these events; of several at one moment, of one that names a reason. */
export function newestReason(events: readonly { state: string; at: string; text: string }[]): EventReason | null {
  const newest = Math.max(...events.map(event => Date.parse(event.at)))
  for (const event of events) {
    const reason = Date.parse(event.at) === newest ? reasonOf(event) : null
    if (reason) return reason
  }
  return null
}
