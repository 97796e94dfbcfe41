/**
 * GLS. The customer's agreement decides which of two systems books: ShipIT of GLS Group, or the national one of GLS Denmark. Neither has
 * a key against double bookings or a look-up that says surely no. Customs data is off: ShipIT wants Incoterms as numbers of its own.
 */
import { needsCustoms } from '#domain/customs/places.ts'
import { errorFinding, refuseUnsupported } from '../capabilities.ts'
import { type BookingDraft, type Capabilities, type Courier, CourierRefused, type Finding, type Method, type Service } from '../courier.ts'
import type { CourierHost } from '../courier-http.ts'
import { lengthFindings, notToShop, postcodeFindings } from '../request-parts.ts'
import { bookByDenmark, countryNumbers } from './gls-denmark.ts'
import { shopsByDenmark } from './gls-denmark-shops.ts'
import { askGroupAt, hasGroupLogin, name, type Settings } from './gls-group.ts'
import { bookByShipit, cancelByShipit, countryByShipit, orderByShipit, probeShipit, shopsByShipit } from './gls-shipit.ts'
import { trackGls } from './gls-tracking.ts'

const service = (code: string, title: string, options: Service['options'] = []): Service => ({ code, name: title, options })
const express = [service('express_10', 'Express before 10:00'), service('express_12', 'Express before 12:00')]
const signature = service('signature', 'Signature')
const inPerson = service('addressee_only', 'Only to the recipient in person')
const shipitOnly = [signature.code, inPerson.code]

const method = (code: string, title: string, services: readonly Service[] = []): Method => ({
  code,
  name: title,
  service_point: code === 'parcel_shop' ? 'required' : 'none',
  max_weight_g: 50_000,
  countries: 'all',
  services,
})

const methods: readonly Method[] = [
  method('parcel_shop', 'Parcel shop'),
  method('home', 'Home delivery', [
    service('flex_delivery', 'FlexDelivery'),
    service('deposit', 'Leave without signature', [{ name: 'place', type: 'text', required: true }]),
    signature,
    inPerson,
    ...express,
  ]),
  method('business', 'Business parcel', [signature, ...express]),
]

const capabilities: Capabilities = {
  agent_code: 'gls',
  name,
  methods,
  operations: ['outbound', 'return'],
  // A6. No document of GLS says the size of its PDF.
  sizes: { pdf: [105, 148] },
  numbers: 'theirs',
  recovery: 'none',
  cancel: 'before_hand_over',
  parcels_per_call: 20,
  needs: ['contact', 'weight'],
  parties: [],
  documents: ['label'],
  customs: null,
  pickups: 'order',
  tracking: true,
  parcel_shops: true,
  settings: [
    {
      name: 'system',
      label: 'System',
      hint: 'Your agreement with GLS names it',
      choices: [
        { value: 'shipit', name: 'GLS ShipIT' },
        { value: 'gls_dk', name: 'GLS Denmark' },
      ],
      refusal: 'Choose GLS ShipIT or GLS Denmark',
    },
    {
      name: 'mode',
      label: 'Bookings',
      hint: 'Only GLS ShipIT has a sandbox',
      choices: [
        { value: 'live', name: 'Live' },
        { value: 'sandbox', name: 'Sandbox' },
      ],
      refusal: 'Choose live or sandbox',
    },
    {
      name: 'contact_id',
      label: 'Contact ID',
      hint: 'GLS gives one for each address from which you send',
      required: true,
      pattern: '[0-9A-Za-z]{1,20}',
      refusal: 'A contact ID has up to 20 letters and digits',
    },
    { name: 'client_id', label: 'Client ID', hint: 'From the GLS developer portal. Tracking needs it in both systems' },
    { name: 'client_secret', label: 'Client secret', secret: true },
    { name: 'user', label: 'User name', hint: 'Only for GLS Denmark' },
    { name: 'password', label: 'Password', hint: 'Only for GLS Denmark', secret: true },
    { name: 'customer_id', label: 'Customer number', hint: 'Only for GLS Denmark' },
  ],
}

const isDanish = ({ system }: Settings): boolean => system === 'gls_dk'

/** What each of the systems needs to know. */
function settingFindings(settings: Settings): Finding[] {
  const needed = isDanish(settings) ? ['contact_id', 'user', 'password', 'customer_id'] : ['contact_id', 'client_id', 'client_secret']
  const missing = needed
    .filter(one => !settings[one])
    .map((field): Finding => ({ code: null, field, severity: 'error', text: 'Fill this in' }))
  if (isDanish(settings) && settings.mode === 'sandbox')
    missing.push({ code: null, field: 'mode', severity: 'error', text: 'GLS Denmark has no sandbox. Choose live.' })
  return missing
}

const settingWords = ({ field, text }: Finding): string =>
  `Settings of GLS, ${capabilities.settings.find(one => one.name === field)?.label ?? field}: ${text}`

function validate(request: BookingDraft): Finding[] {
  const { parties, method: code, service_point, services, operation, settings } = request
  const danish = isDanish(settings)
  const title = methods.find(one => one.code === code)?.name ?? code
  const findings: Finding[] = []
  for (const role of ['sender', 'recipient'] as const) {
    const { country } = parties[role]
    findings.push(...postcodeFindings(request, [role]))
    // The Danish system knows countries by their numbers.
    if (danish && !Object.hasOwn(countryNumbers, country))
      findings.push(
        errorFinding('country_not_served', '{{method}} does not go to or from {{country}}', `${role}.country`, { method: title, country }),
      )
  }
  if (!danish && needsCustoms(parties.sender, parties.recipient))
    findings.push(errorFinding('customs_not_offered', '{{courier}} takes no customs data', 'recipient.country', { courier: name }))
  for (const [i, { code: chosen }] of services.entries())
    if (operation === 'return' || (danish && shipitOnly.includes(chosen)))
      findings.push(
        errorFinding('service_not_offered', '{{courier}} does not offer the service {{service}} with {{method}}', `services.${i}.code`, {
          courier: name,
          service: chosen,
          method: title,
        }),
      )
  if (service_point && code !== 'parcel_shop') findings.push(notToShop(title))
  const limits = { name: 40, company: 40, address1: 40, address2: 40, city: 40, instruction: danish ? 40 : 50 }
  return [...findings, ...lengthFindings(name, request, limits)]
}

export interface GlsHosts {
  group: CourierHost
  sandbox: CourierHost
  denmark: CourierHost
  shops: CourierHost
}

export function glsAt({ group, sandbox, denmark, shops }: GlsHosts): Courier {
  const ask = askGroupAt(group, sandbox)
  const mustHaveLogin = (settings: Settings, sentence: string): void => {
    if (!hasGroupLogin(settings)) throw new CourierRefused(sentence)
  }

  return {
    capabilities,
    validate,
    checkSettings: settingFindings,

    async book(request, signal) {
      refuseUnsupported(capabilities, request)
      const [wrong] = settingFindings(request.settings)
      if (wrong) throw new CourierRefused(settingWords(wrong))
      return isDanish(request.settings) ? bookByDenmark(denmark, request, signal) : bookByShipit(ask, request, signal)
    },

    find: async () => null,

    cancel: async ({ tracking_no, settings }, signal) =>
      isDanish(settings)
        ? { cancelled: false, cancelled_at_carrier: false, refunded: false }
        : cancelByShipit(ask, tracking_no, settings, signal),

    pickup: {
      async order(request, signal) {
        const [wrong] = settingFindings(request.settings)
        if (wrong) throw new CourierRefused(settingWords(wrong))
        if (isDanish(request.settings)) throw new CourierRefused('GLS takes pickups only through GLS ShipIT')
        return orderByShipit(ask, request, signal)
      },
    },

    async track({ tracking_no, settings }, signal) {
      mustHaveLogin(settings, 'Tracking needs a client ID and a client secret in the settings of GLS')
      return trackGls(ask, tracking_no, settings, signal)
    },

    // The number of a shop belongs to the system that books: ShipIT has others than GLS Denmark.
    parcelShops: async (search, signal) =>
      isDanish(search.settings) ? shopsByDenmark(shops, search, signal) : shopsByShipit(ask, search, signal),

    allShops: {
      countries: ['DK', 'DE'],
      // Of GLS Denmark.
      others: '^[0-9]{1,6}$',
      // How the finder of GLS Denmark takes the country of a whole list is not known.
      read: async (search, signal) => (isDanish(search.settings) ? null : countryByShipit(ask, search, signal)),
    },

    async probe(settings, signal) {
      const [wrong] = settingFindings(settings)
      if (wrong) return { ok: false, words: settingWords(wrong) }
      return isDanish(settings)
        ? { ok: false, words: 'GLS Denmark has no call that tests the login. The first label does.' }
        : probeShipit(ask, settings, signal)
    },
  }
}

export const gls = glsAt({
  group: { url: 'https://api.gls-group.net' },
  sandbox: { url: 'https://api-sandbox.gls-group.net' },
  denmark: { url: 'https://api.gls.dk' },
  shops: { url: 'https://www.gls.dk' },
})
