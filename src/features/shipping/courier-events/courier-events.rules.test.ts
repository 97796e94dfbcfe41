/** What the words of a courier's event say, and which settings are sound. */
import { describe, expect, it } from 'vitest'
import { audienceFault, courierEventOf, newestReason, reasonOf, usualAudience } from './courier-events.rules.ts'

describe('the words of an event', () => {
  it.each([
    ['in_transit', 'The parcel is awaiting customs clearance', 'customs'],
    ['', 'Sendung beim Zoll', 'customs'],
    ['in_transit', 'Pakken venter på fortoldning', 'customs'],
    ['in_transit', 'Released by customs', null],
    ['in_transit', 'Vom Zoll freigegeben', null],
    ['delivery_failed', 'The address is incorrect or incomplete', 'address_problem'],
    ['needs_attention', 'Adresse unbekannt', 'address_problem'],
    ['delivery_failed', 'Modtager ukendt på adressen', 'address_problem'],
    ['delivery_failed', 'No one was at home at this address', null],
    ['in_transit', 'The parcel is delayed', 'delayed'],
    ['in_transit', 'Pakken er forsinket', 'delayed'],
    ['delivered', 'Delivered after a delay', null],
    ['returning', 'Returned: wrong address', null],
    ['in_transit', 'Arrived at the terminal', null],
  ] as const)('%s “%s” name the reason %s', (state, text, reason) => {
    expect(reasonOf({ state, text })).toBe(reason)
  })

  it('of the newest event count, and at one moment those that name a reason', () => {
    const at = (hour: string) => `2026-11-20T${hour}:00:00.000Z`
    const customs = { state: 'in_transit', at: at('08'), text: 'Held in customs' }
    expect(newestReason([customs, { state: 'in_transit', at: at('09'), text: 'Left the terminal' }])).toBeNull()
    expect(newestReason([{ state: '', at: at('08'), text: 'Scanned' }, customs])).toBe('customs')
    expect(newestReason([])).toBeNull()
  })
})

describe('a setting', () => {
  it('needs a template where the event is no occasion of messages', () => {
    const audience = { ...usualAudience('customs'), to_recipient: true }
    expect(audienceFault('customs', audience)).toBe('no_template')
    expect(audienceFault('customs', { ...audience, template_id: 1 })).toBeUndefined()
    expect(audienceFault('delivered', { ...usualAudience('delivered'), to_recipient: true })).toBeUndefined()
  })

  it('opens an exception only for what somebody has to look into', () => {
    expect(audienceFault('delivered', { ...usualAudience('delivered'), to_us: true })).toBe('no_exception')
    expect(audienceFault('delayed', { ...usualAudience('delayed'), to_us: true })).toBeUndefined()
  })
})

it('knows the event of what leaves the product', () => {
  expect(courierEventOf('shipment.booked', null)).toBe('registered')
  expect(courierEventOf('shipment.returned_to_sender', null)).toBe('returned')
  expect(courierEventOf('shipment.problem_reported', 'customs')).toBe('customs')
  expect(courierEventOf('shipment.problem_reported', null)).toBeNull()
  expect(courierEventOf('shipment.cancelled', null)).toBeNull()
})
