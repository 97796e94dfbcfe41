/** Groups of users, whose permissions their members have, and the record of changes of permissions. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { groupsSchemas } from './groups.schemas.ts'

export const groups = contract<typeof groupsSchemas>({ name: 'groups', area: 'company', access: access.users }).calls({
  list: call('GET res_user_group/list/res_user_group', { access: access.groups }),
  users: call('GET res_user_group/list/res_users', { access: access.groups }),
  get: call('GET res_user_group/get/{id}'),
  create: call('POST res_user_group/create/{name}'),
  setName: call('POST res_user_group/update/{id}/set_name/{name}'),
  addUser: call('POST res_user_group/update/{id}/add_user/{user_id}'),
  removeUser: call('POST res_user_group/update/{id}/remove_user/{user_id}'),
  remove: call('DELETE res_user_group/delete/{id}'),
  setPermission: call('POST res_user_group/update/{id}/set_permission', { internal: true }),
  stations: call('GET res_user_group/stations', { internal: true }),
  audit: call('GET user/audit', { internal: true }),
  exportAudit: call('GET user/audit/export', { media: 'text/csv', internal: true }),
})
