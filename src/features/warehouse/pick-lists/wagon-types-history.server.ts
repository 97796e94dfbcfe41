/** Wagon types in the history of settings, and setting them back. Pick lists keep their own copy of a wagon. */
import * as z from 'zod'
import type { SettingList } from '#features/company/companies/setting-lists.server.ts'
import { notValid } from '#features/company/companies/setting-owners.server.ts'
import { WagonSlot, WagonTypeFields } from './pick-lists.schemas.ts'
import { createWagonType, deleteWagonType, updateWagonType } from './wagon-types.commands.ts'
import { wagonTypes } from './wagon-types.queries.ts'

const Fields = z.object({
  name: z.string(),
  /** Rows, columns and slots never come back without each other. */
  shape: z.object({ rows: z.number().int(), columns: z.number().int(), slots: z.array(WagonSlot) }),
  max_weight_g: z.number().int().nullable(),
  active: z.boolean(),
})
type Fields = z.output<typeof Fields>

function written({ shape, ...fields }: Fields): WagonTypeFields {
  const read = WagonTypeFields.safeParse({ ...fields, ...shape })
  if (!read.success) throw notValid()
  return read.data
}

export const wagonTypeList: SettingList<Fields> = {
  name: 'wagon_types',
  Fields,
  title: fields => fields.name,
  async find({ db }, place) {
    const type = (await wagonTypes(db)).find(one => one.id === Number(place))
    if (!type) return undefined
    const { name, rows, columns, slots, max_weight_g, active, version } = type
    return { fields: { name, shape: { rows, columns, slots }, max_weight_g, active }, version }
  },
  add: (context, place, fields) => createWagonType(context, written(fields), Number(place)),
  change: (context, place, fields, version) => updateWagonType(context, Number(place), { ...written(fields), version }),
  remove: (context, place) => deleteWagonType(context, Number(place)),
}
