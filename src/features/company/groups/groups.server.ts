/** Handlers of groups and of the record of changes of permissions. */
import { isAllowed } from '#contract/access.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { addEntry, changeEntry } from '#features/company/companies/setting-lists.server.ts'
import { csv } from '#platform/http/csv.ts'
import { implement } from '#platform/http/feature-module.ts'
import { addMember, createGroup, removeGroup, removeMember, renameGroup, setGroupPermission } from './groups.commands.ts'
import { groups } from './groups.contract.ts'
import { groupById, listAudit, listGroups, listPeople, stationNames } from './groups.queries.ts'
import { groupsSchemas } from './groups.schemas.ts'
import { groupList } from './groups-history.server.ts'

export const groupsServer = implement(groups, groupsSchemas, {
  list: ({ query }, { db, principal }) => listGroups(db, principal.company.id, query, !isAllowed(principal.permissions, ['users_admin'])),
  users: (query, { db, principal }) => listPeople(db, principal.company.id, query),
  get: ({ id }, { db, principal }) => groupById(db, principal.company.id, id),
  create: ({ name }, context) =>
    addEntry(
      groupList,
      context,
      () => createGroup(context, name),
      group => group.group_id,
    ),
  setName: ({ id, name }, context) => changeEntry(groupList, context, id, () => renameGroup(context, id, name)),
  addUser: ({ id, user_id }, context) => addMember(context, id, user_id),
  removeUser: ({ id, user_id }, context) => removeMember(context, id, user_id),
  remove: ({ id }, context) => changeEntry(groupList, context, id, () => removeGroup(context, id)),
  stations: (_, { db }) => stationNames(db),
  setPermission: ({ id, body }, context) => changeEntry(groupList, context, id, () => setGroupPermission(context, id, body)),

  async audit(filter, { db, principal }) {
    const { time_zone } = await companySettings(db, principal.company.id)
    return listAudit(db, principal.company.id, time_zone, filter)
  },

  async exportAudit(filter, { db, principal }) {
    const { time_zone } = await companySettings(db, principal.company.id)
    const { rows } = await listAudit(db, principal.company.id, time_zone, { ...filter, page: 1, limit: 50_000 })
    return {
      bytes: csv(
        ['at', 'kind', 'changed_by', 'subject', 'with', 'given', 'taken'],
        rows.map(row => [row.at, row.kind, row.actor, row.subject, row.with, row.given.join(' '), row.taken.join(' ')]),
      ),
      media_type: 'text/csv; charset=utf-8',
      name: `permissions-${principal.company.code}.csv`,
    }
  },
})
