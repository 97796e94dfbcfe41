/**
 * Pickups by DHL in Germany. Source: DHL's Parcel DE Pickup 3.0.0, whose calls take the token of DHL's login and no app key. A collection
 * is ordered on a billing number; those by contract, which have none, want the size of every parcel and are off.
 */

import { plainPostcode } from '#domain/order/postcodes.ts'
import { type Courier, CourierRefused, type PickupRequest } from '../courier.ts'
import { askCourier, type CourierAnswer, type CourierHost, type CourierQuestion, readReply, wordsIn } from '../courier-http.ts'
import { keptTokens } from '../kept-tokens.ts'
import { contactName, cutAtWord, partyName, recordedPickup } from '../request-parts.ts'
import { splitStreet } from '../split-street.ts'
import { PickupCancelReply, PickupErrors, PickupReply, Problem, TokenReply } from './dhl_de.schemas.ts'

const name = 'DHL'
const base = '/parcel/de/transportation/pickup/v3/orders'
/** Milliseconds for the login that comes before the order. */
const preparation = 8_000

type Settings = Record<string, string>

/** DHL's own words: which field, and why. */
function saidIn(answer: CourierAnswer): string {
  const errors = PickupErrors.safeParse(answer.body).data ?? []
  const said = errors.map(({ title, instance, detail }) => [instance && `${instance}:`, title, detail].filter(Boolean).join(' '))
  const problem = Problem.safeParse(answer.body).data
  return (said.slice(0, 3).join(' · ') || problem?.detail || problem?.title || wordsIn(answer)).slice(0, 300)
}

function orderBody({ settings, sender, date, from, to, parcels, weight_g, note, reference }: PickupRequest): object {
  const { street, house_number } = splitStreet(sender.address1)
  if (sender.country !== 'DE') throw new CourierRefused('DHL collects only in Germany')
  if (house_number === '') throw new CourierRefused('DHL needs the house number of the sender in the first line of the address')
  const billingNumber = settings.billing_08?.trim() ?? ''
  if (billingNumber === '' || !settings.app_secret)
    throw new CourierRefused('Enter the billing number of pickups and the app secret in the settings of DHL')
  const email = sender.email?.trim() ?? ''
  return {
    customerDetails: { billingNumber },
    pickupLocation: {
      type: 'Address',
      pickupAddress: {
        name1: cutAtWord(partyName(sender), 50),
        addressStreet: cutAtWord(street, 70),
        addressHouse: house_number.slice(0, 10),
        postalCode: plainPostcode(sender.postcode, sender.country).postcode.slice(0, 7),
        city: cutAtWord(sender.city, 35),
        country: 'DE',
      },
    },
    businessHours: [{ timeFrom: from, timeUntil: to }],
    contactPerson: [
      {
        name: cutAtWord(contactName(sender) ?? partyName(sender), 50),
        phone: (sender.phone ?? '').trim().slice(0, 50),
        ...(email !== '' && { email }),
      },
    ],
    pickupDetails: {
      pickupDate: { type: 'Date', value: date },
      ...(weight_g > 0 && { totalWeight: { uom: 'g', value: weight_g } }),
      ...(note !== null && { comment: cutAtWord(note, 100) }),
    },
    shipmentDetails: {
      shipments: Array.from({ length: parcels }, () => ({ transportationType: 'PAKET', customerReference: reference.slice(0, 20) })),
    },
  }
}

export function dhlPickup(hostOf: (settings: Settings) => CourierHost): NonNullable<Courier['pickup']> {
  const tokens = keptTokens()
  const credentials = (settings: Settings) => [hostOf(settings).url, settings.key, settings.app_secret, settings.user, settings.password]

  async function newToken(settings: Settings, signal: AbortSignal): Promise<string> {
    const host = hostOf(settings)
    const question = { courier: name, purpose: 'read' } as const
    const { user: username = '', password = '', key: client_id = '', app_secret: client_secret = '' } = settings
    const answer = await askCourier({
      ...question,
      url: `${host.url}/parcel/de/account/auth/ropc/v1/token`,
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ grant_type: 'password', username, password, client_id, client_secret }).toString(),
      signal: AbortSignal.any([signal, AbortSignal.timeout(preparation)]),
      fetch: host.fetch,
    })
    if (!answer.ok) throw new CourierRefused(saidIn(answer))
    const { access_token, expires_in } = readReply(TokenReply, answer, question)
    tokens.keep(credentials(settings), access_token, (expires_in - 60) * 1_000)
    return access_token
  }

  /** A token that DHL turned away did nothing: the call is made once more with a new one. */
  async function ask(
    question: Pick<CourierQuestion, 'purpose' | 'method' | 'body' | 'signal'> & { query?: string },
    settings: Settings,
  ): Promise<CourierAnswer> {
    const host = hostOf(settings)
    const { query = '', ...asked } = question
    const send = (token: string, reads: (answer: CourierAnswer) => boolean) =>
      askCourier({
        courier: name,
        ...asked,
        url: `${host.url}${base}${query}`,
        headers: {
          accept: 'application/json',
          'accept-language': 'en-US',
          authorization: `Bearer ${token}`,
          ...(asked.body !== undefined && { 'content-type': 'application/json' }),
        },
        fetch: host.fetch,
        reads: answer => {
          if (answer.status === 401) tokens.forget(credentials(settings))
          return reads(answer)
        },
      })
    const kept = tokens.of(credentials(settings))
    if (kept) {
      const answer = await send(kept, ({ status }) => status === 401)
      if (answer.status !== 401) return answer
    }
    return send(await newToken(settings, question.signal), () => false)
  }

  return {
    async order(request, signal) {
      const body = JSON.stringify(orderBody(request))
      const answer = await ask({ purpose: 'book', method: 'POST', body, signal }, request.settings)
      if (!answer.ok) throw new CourierRefused(saidIn(answer))
      const { orderID, pickupDate } = readReply(PickupReply, answer, { courier: name, purpose: 'book' }).confirmation.value
      return {
        courier_no: orderID,
        comes_on: pickupDate,
        exchange: { request: recordedPickup(request), response: { orderID, pickupDate } },
      }
    },

    async cancel({ courier_no, settings }, signal) {
      const query = `?${new URLSearchParams({ orderID: courier_no })}`
      const answer = await ask({ purpose: 'cancel', method: 'DELETE', query, signal }, settings)
      if (!answer.ok) throw new CourierRefused(saidIn(answer))
      const { confirmedCancellations } = readReply(PickupCancelReply, answer, { courier: name, purpose: 'cancel' })
      return (confirmedCancellations ?? []).some(one => one.orderID === courier_no)
    },
  }
}
