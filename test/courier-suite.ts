/** What holds for every courier that is asked over HTTP, whatever its protocol: a fault never makes two parcels of one, and never loses one. */
import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { capabilityFindings } from '#integrations/couriers/capabilities.ts'
import { type BookingRequest, type Courier, CourierRefused, CourierUnavailable, OutcomeUnknown } from '#integrations/couriers/courier.ts'
import type { CourierFault, FakeCourierServer } from '#integrations/couriers/courier-server.fake.ts'

export interface SuiteCourier {
  courier: Courier
  server: FakeCourierServer
  /** References of all parcels that the courier has booked. */
  booked: () => string[]
  close: () => Promise<void>
}

/** What an adapter has to make of a fault of its booking call. */
const outcomes: Record<CourierFault, new (message: string) => Error> = {
  lost: OutcomeUnknown,
  mute: OutcomeUnknown,
  garbage: OutcomeUnknown,
  html_200: OutcomeUnknown,
  '500': OutcomeUnknown,
  html_503: CourierUnavailable,
  '429': CourierUnavailable,
  '401': CourierRefused,
}

/** `request` makes a booking that the courier takes, with this reference; `secret` is the value of the account that no record may hold. */
export function describeCourier(
  open: () => Promise<SuiteCourier>,
  { request, secret }: { request: (reference: string) => BookingRequest; secret: string },
): void {
  describe('a booking', () => {
    let used: SuiteCourier
    beforeAll(async () => {
      used = await open()
    })
    afterAll(() => used.close())
    const never = new AbortController().signal
    let count = 0
    const next = () => request(`PKH-7-${++count}-out-1-1`)

    it('fits its own capabilities and finds no error', () => {
      const asked = next()
      const findings = [...capabilityFindings(used.courier.capabilities, asked), ...used.courier.validate(asked)]
      expect(findings.filter(finding => finding.severity === 'error')).toEqual([])
    })

    it('makes one parcel with a number, a barcode and a label as PDF', async () => {
      const asked = next()
      const before = used.booked().length
      const { parcels, reference = asked.reference } = await used.courier.book(asked, never)
      expect(reference).toBe(asked.reference)
      expect(parcels).toMatchObject([{ ok: true, tracking_no: expect.stringMatching(/./), barcode: expect.stringMatching(/./) }])
      const [parcel] = parcels
      const label = parcel?.ok ? parcel.documents.find(one => one.kind === 'label' && one.format === 'pdf') : undefined
      expect(Buffer.from(label?.bytes ?? []).toString('latin1', 0, 5)).toBe('%PDF-')
      expect(used.booked().length).toBe(before + 1)
    })

    it('of several parcels, where the courier takes them, makes each with a number and a label of its own', async () => {
      const { courier, server } = used
      const one = next()
      const [parcel] = one.parcels
      const most = courier.capabilities.parcels_per_call
      if (!parcel) throw new Error('The request has no parcel')
      const of = (count: number): BookingRequest => ({
        ...one,
        operation: 'outbound',
        parcels: Array.from({ length: count }, (_, i) => ({ ...parcel, parcel_no: i + 1, parcel_count: count, weight_g: 900 + i * 100 })),
      })
      const findings = capabilityFindings(courier.capabilities, of(most + 1))
      expect(findings.map(finding => finding.code)).toContain('too_many_parcels')
      if (most === 1) return
      const before = used.booked().length
      const asked = server.requests.length
      const { parcels } = await courier.book({ ...of(3), customs: null }, never)
      expect(parcels).toHaveLength(3)
      expect(used.booked().length).toBe(before + 3)
      const booked = parcels.flatMap(made => (made.ok ? [made] : []))
      expect(new Set(booked.map(made => made.tracking_no)).size).toBe(3)
      const labels = booked.map(made => made.documents.find(({ kind, format }) => kind === 'label' && format === 'pdf')?.bytes)
      expect(labels.map(bytes => Buffer.from(bytes ?? []).toString('latin1', 0, 5))).toEqual(['%PDF-', '%PDF-', '%PDF-'])
      const bookings = server.requests
        .slice(asked)
        .filter(request => ['POST', 'PUT'].includes(request.method) && request.text.includes(one.reference))
      expect(bookings).toHaveLength(1)
    })

    it('keeps the key of the account out of its record', async () => {
      const { exchange } = await used.courier.book(next(), never)
      expect(JSON.stringify(exchange)).not.toContain(secret)
      expect(JSON.stringify(exchange)).not.toContain(Buffer.from(secret).toString('base64'))
    })

    it.each(Object.entries(outcomes) as [CourierFault, new (message: string) => Error][])(
      'of which the answer is “%s” ends in the outcome that is known, and is sent once',
      async (fault, outcome) => {
        const asked = next()
        used.server.faults.push(fault)
        await expect(used.courier.book(asked, never)).rejects.toBeInstanceOf(outcome)
        expect(used.server.faults).toEqual([])
        expect(used.booked().filter(reference => reference === asked.reference).length).toBeLessThanOrEqual(1)
      },
    )

    it('of a courier that cannot be reached was not made', async () => {
      const gone = await open()
      await gone.close()
      withoutPauses()
      await expect(gone.courier.book(next(), never)).rejects.toBeInstanceOf(CourierUnavailable)
    })

    it('that was broken off before it was sent was not made', async () => {
      const asked = next()
      await expect(used.courier.book(asked, AbortSignal.abort())).rejects.toBeInstanceOf(CourierUnavailable)
      expect(used.booked()).not.toContain(asked.reference)
    })
  })
}

/** Until the end of the test, what pauses before it asks again goes on at once. */
function withoutPauses(): void {
  const { setTimeout: pause } = timers
  const spy = vi.spyOn(timers, 'setTimeout').mockImplementation((_, value, options) => pause(0, value, options))
  syncBuiltinESMExports()
  onTestFinished(() => {
    spy.mockRestore()
    syncBuiltinESMExports()
  })
}
