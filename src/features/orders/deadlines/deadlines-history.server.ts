/** Deadlines and the days that differ in the history of settings, and setting them back. */
import * as z from 'zod'
import { codesOfCompanies, companiesByCode, type SettingList } from '#features/company/companies/setting-lists.server.ts'
import { removeDay, removeDeadline, restoreDeadline, setDay, updateDeadline } from './deadlines.commands.ts'
import { dayOf, deadlineById, deadlineRows } from './deadlines.queries.ts'
import { DayFields, DeadlineFields } from './deadlines.schemas.ts'

const { company_ids: _companies, ...shape } = DeadlineFields.shape
/** An empty list of companies stands for all. */
const Fields = z.strictObject({ ...shape, companies: z.array(z.string()) })
type Fields = z.output<typeof Fields>

export const deadlineList: SettingList<Fields> = {
  name: 'deadlines',
  tenantScope: 'operator',
  Fields,
  title: fields => fields.name,
  async find(context, place) {
    const id = Number(place)
    if (!(await deadlineRows(context.db)).some(row => row.id === id)) return undefined
    const {
      id: _id,
      time_zone: _zone,
      version,
      updated_at: _at,
      next: _next,
      open_orders: _open,
      company_ids,
      ...fields
    } = await deadlineById(context, id)
    return { fields: { ...fields, companies: (await codesOfCompanies(context, company_ids)) ?? [] }, version }
  },
  async add(context, place, { companies, ...fields }) {
    return restoreDeadline(context, Number(place), { ...fields, company_ids: (await companiesByCode(context, companies)) ?? [] })
  },
  async change(context, place, { companies, ...fields }, version) {
    const company_ids = (await companiesByCode(context, companies)) ?? []
    return updateDeadline(context, Number(place), version, { ...fields, company_ids })
  },
  remove: (context, place) => removeDeadline(context, Number(place)),
}

export const placeOfDay = ({ deadline_id, day }: Pick<DayFields, 'deadline_id' | 'day'>): string => `${deadline_id ?? 'all'}.${day}`
function keyOf(place: string) {
  const [deadline = '', day = ''] = place.split('.')
  return { deadline_id: deadline === 'all' ? null : Number(deadline), day }
}

export const closedDayList: SettingList<DayFields> = {
  name: 'closed_days',
  tenantScope: 'operator',
  Fields: DayFields,
  title: fields => fields.day,
  async find({ db }, place) {
    const fields = await dayOf(db, keyOf(place))
    return fields && { fields }
  },
  add: (context, _place, fields) => setDay(context, fields),
  change: (context, _place, fields) => setDay(context, fields),
  remove: (context, place) => removeDay(context, keyOf(place)),
}
