/** Groups in the history of settings, and setting them back. Members stay beside a removed group and come back with it; changes of them stand in the permission log. */
import * as z from 'zod'
import { permissionCode, permissionId, permissions } from '#contract/access.ts'
import { stationActs } from '#contract/station-acts.ts'
import type { SettingList } from '#features/company/companies/setting-lists.server.ts'
import { removeGroup, renameGroup, restoreGroup, setGroupPermission } from './groups.commands.ts'
import { findGroup } from './groups.queries.ts'

const Fields = z.object({
  name: z.string(),
  permission: z.array(z.enum(permissions)),
  /** Acts and their stations never come back without each other. */
  station_acts: z.object({ acts: z.array(z.enum(stationActs)), stations: z.array(z.string()).nullable() }),
})
type Fields = z.output<typeof Fields>

export const groupList: SettingList<Fields> = {
  name: 'groups',
  Fields,
  title: fields => fields.name,
  async find({ db, principal }, place) {
    const group = await findGroup(db, principal.company.id, Number(place))
    if (!group) return undefined
    const { group_name: name, permission, acts, stations, version } = group
    const codes = permission.flatMap(id => permissionCode(id) ?? [])
    return { fields: { name, permission: codes, station_acts: { acts, stations } }, version }
  },
  add: (context, place, { name }) => restoreGroup(context, Number(place), name),
  async change(context, place, { name, permission, station_acts }, version) {
    const id = Number(place)
    const current = await this.find(context, place)
    if (current && current.fields.name !== name) return renameGroup(context, id, name)
    return setGroupPermission(context, id, { version, permission: permission.map(permissionId), ...station_acts })
  },
  remove: (context, place) => removeGroup(context, Number(place)),
  async isUsed({ db, principal }, place) {
    const group = await findGroup(db, principal.company.id, Number(place))
    return (group?.members ?? 0) > 0
  },
}
