/** The return portal: what the customers of a shop do without a login, and what a company offers them. */
import type { Permission } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import { mostFormBytes, mostPhotoBytes, portalTries } from './portal.codes.ts'
import type { portalSchemas } from './portal.schemas.ts'

const settings: readonly Permission[] = ['admin', 'rma_admin', 'settings_admin']
const guessed = { workClass: 'search', external: true, rateLimit: portalTries } as const
/** With a link that was found or mailed. */
const linked = { rateLimit: { max: 120, seconds: 60 } } as const

export const portal = contract<typeof portalSchemas>({ name: 'returnPortal', area: 'returns', access: 'anyone', internal: true }).calls({
  page: call('GET returns/portal', linked),
  // Each search may ask a courier.
  shops: call('GET returns/shops', { workClass: 'search', external: true, rateLimit: { max: 30, seconds: 600 } }),
  tracked: call('GET returns/portal/tracked', linked),
  find: call('POST returns/portal/find', guessed),
  order: call('GET returns/portal/order', linked),
  linePicture: call('GET returns/portal/picture/{line_id}', { ...linked, media: 'image/*', external: true }),
  photo: call('POST returns/portal/photo', { upload: mostPhotoBytes, external: true, rateLimit: { max: 60, seconds: 600 } }),
  quote: call('POST returns/portal/quote', linked),
  submit: call('POST returns/portal/submit', { rateLimit: { max: 30, seconds: 600 } }),
  withdraw: call('POST returns/portal/withdraw', { status: 202, external: true, rateLimit: portalTries }),
  form: call('GET returns/portal/form', { ...linked, media: 'text/html' }),
  sendForm: call('POST returns/portal/form', {
    ...{ upload: mostFormBytes, external: true, media: 'text/html', workClass: 'search' },
    // Searches and withdrawals in it count with those of the scripted page.
    rateLimit: { max: 60, seconds: 600 },
  }),
  progress: call('GET returns/portal/return', linked),
  cancel: call('POST returns/portal/cancel', linked),
  label: call('POST returns/portal/label', { external: true, timeout: 'long', rateLimit: { max: 20, seconds: 600 } }),
  renew: call('POST returns/portal/renew', { external: true, timeout: 'long', rateLimit: { max: 20, seconds: 600 } }),
  labelFile: call('GET returns/portal/label', { media: 'application/pdf', external: true, rateLimit: { max: 60, seconds: 600 } }),
  ownLabel: call('POST returns/portal/own_label', linked),
  labelMethods: call('GET returns/portal/label_methods', { access: settings }),
  offer: call('GET returns/portal/offer', { access: settings }),
  setOffer: call('POST returns/portal/offer', { access: settings }),
})
