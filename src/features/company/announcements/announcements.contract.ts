/** Announcements to the people of a company: written by those with the settings, read by those whom they are for. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { announcementsSchemas } from './announcements.schemas.ts'

const reader = { access: 'user' } as const
const own = { internal: true } as const

export const announcements = contract<typeof announcementsSchemas>({
  name: 'announcements',
  area: 'company',
  access: access.settings,
}).calls({
  list: call('GET eula/list/', reader),
  get: call('GET eula/get/{id}', reader),
  waiting: call('GET eula/get_eula', reader),
  mine: call('GET eula/my_agreements', { ...own, access: 'person' }),
  create: call('POST eula/create'),
  update: call('POST eula/update/{id}'),
  agree: call('POST eula/agree_with/{id}', { access: 'person' }),
  remove: call('DELETE eula/delete/{id}'),
  export: call('GET eula/export', { ...own, media: 'text/csv' }),
  readers: call('GET eula/agreements/{id}', own),
  exportReaders: call('GET eula/agreements/{id}/export', { ...own, media: 'text/csv' }),
  remind: call('POST eula/remind/{id}', own),
})
