/**
 * Burd: delivery in the evening, in parts of Denmark. Source: its own modules for Magento and WooCommerce. Where and when Burd delivers
 * is known; how labels are made is published nowhere, so no parcel is booked.
 */
import { type Capabilities, type Courier, CourierRefused, CourierUnavailable } from '../courier.ts'
import { askCourier, type CourierAnswer, type CourierHost, readReply, wordsIn } from '../courier-http.ts'
import { DatesReply, PostcodeReply } from './burd.schemas.ts'

const name = 'Burd'

const capabilities: Capabilities = {
  agent_code: 'burd',
  name,
  methods: [],
  operations: [],
  sizes: {},
  numbers: 'theirs',
  recovery: 'none',
  cancel: 'no',
  parcels_per_call: 1,
  needs: [],
  parties: [],
  documents: [],
  customs: null,
  pickups: 'none',
  tracking: false,
  parcel_shops: false,
  settings: [
    { name: 'user', label: 'User', required: true },
    { name: 'password', label: 'Password', secret: true, required: true },
  ],
}

type Settings = Record<string, string>

export interface BurdHosts {
  /** Postcodes, for shops. */
  postcodes: CourierHost
  /** Delivery dates. */
  orders: CourierHost
}

/** Dates that are asked for at once. */
const mostDates = 5

export function burdAt({ postcodes, orders }: BurdHosts): Courier {
  const ask = (host: CourierHost, path: string, { user = '', password = '' }: Settings, signal: AbortSignal): Promise<CourierAnswer> =>
    askCourier({
      courier: name,
      purpose: 'read',
      url: host.url + path,
      headers: { accept: 'application/json', authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` },
      signal,
      fetch: host.fetch,
    })

  async function deliveryDates(settings: Settings, signal: AbortSignal): Promise<string[]> {
    const answer = await ask(orders, `/v1/DeliveryDates?take=${mostDates}`, settings, signal)
    if (!answer.ok) throw new CourierRefused(wordsIn(answer))
    return readReply(DatesReply, answer, { courier: name, purpose: 'read' })
  }

  return {
    capabilities,
    validate: () => [],
    book: async () => {
      throw new CourierRefused('No labels are made with Burd', null, 'operation_not_offered')
    },
    find: async () => null,
    cancel: async () => ({ cancelled: false, cancelled_at_carrier: false, refunded: false }),
    track: async () => [],
    parcelShops: async () => [],
    deliveryDates,

    /** A postcode that Burd does not know is one where it does not deliver. */
    async coverage({ postcode, settings }, signal) {
      const answer = await ask(postcodes, `/v1/postcode/${encodeURIComponent(postcode)}?api=1`, settings, signal)
      if (answer.status < 400 && !answer.ok) throw new CourierUnavailable('Burd answers from another address')
      if (!answer.ok) return { covered: false, area: null }
      const { area } = readReply(PostcodeReply, answer, { courier: name, purpose: 'read' })
      return { covered: true, area: area || null }
    },

    async probe(settings, signal) {
      const dates = await deliveryDates(settings, signal)
      return { ok: true, words: [name, ...dates.slice(0, 1)].join(', ') }
    },
  }
}

export const burd = burdAt({
  postcodes: { url: 'https://burdecommerceapiprod.azurewebsites.net' },
  orders: { url: 'https://productionburdapi.azurewebsites.net' },
})
