/** Campaigns on the tracking page: written by the settings, shown to recipients. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import { limits } from '#contract/limits.ts'
import type { campaignsSchemas } from './campaigns.schemas.ts'

const picture = { access: 'anyone', readsSession: true, media: 'image/*', external: true } as const
const visits = { access: 'anyone', rateLimit: { max: 120, seconds: 60 }, internal: true } as const

export const campaigns = contract<typeof campaignsSchemas>({ name: 'campaigns', area: 'shipping', access: access.settings }).calls({
  search: call('GET campaign_on_tracking/campaign/search/', { workClass: 'search' }),
  get: call('GET campaign_on_tracking/get/{id}'),
  getCampaign: call('GET campaign_on_tracking/campaign/get/{id}', { internal: true }),
  export: call('GET campaign_on_tracking/export', { media: 'text/csv', internal: true }),
  picture: call('GET campaign_on_tracking/img/{parts}', picture),
  campaignPicture: call('GET campaign_on_tracking/campaign/img/{parts}', { ...picture, internal: true }),
  frontend: call('GET campaign_on_tracking/frontend/{id}', { access: 'anyone', readsSession: true, rateLimit: { max: 60, seconds: 60 } }),
  create: call('POST campaign_on_tracking/create'),
  update: call('POST campaign_on_tracking/update/{id}'),
  remove: call('POST campaign_on_tracking/delete/{id}'),
  setActive: call('POST campaign_on_tracking/update/{id}/status/{active}'),
  setPicture: call('POST campaign_on_tracking/img/{id}/{locale}/{variant}', { upload: limits.picture, external: true, internal: true }),
  removePicture: call('DELETE campaign_on_tracking/img/{id}/{locale}/{variant}', { internal: true }),
  preview: call('POST campaign_on_tracking/preview/{id}', { internal: true }),
  seen: call('POST campaign_on_tracking/seen', visits),
  click: call('GET c/{public_key}/{signed}', { ...visits, external: true, status: 302 }),
})
