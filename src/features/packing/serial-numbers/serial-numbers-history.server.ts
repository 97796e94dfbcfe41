/** The rules of products' serial numbers in the history of settings, and setting them back. */
import * as z from 'zod'
import { SerialScope } from '#features/company/companies/companies.schemas.ts'
import type { SettingList } from '#features/company/companies/setting-lists.server.ts'
import { removeCheck, setCheck } from './serial-checks.commands.ts'
import { serialCheckById } from './serial-numbers.queries.ts'
import { ExtractSteps } from './serial-numbers.schemas.ts'

const Fields = z.object({ barcode: z.string(), regex: z.string(), scope: SerialScope, extract: ExtractSteps })
type Fields = z.output<typeof Fields>

export const serialRuleList: SettingList<Fields> = {
  name: 'serial_rules',
  Fields,
  title: fields => fields.barcode,
  async find({ db }, place) {
    const rule = await serialCheckById(db, Number(place))
    if (!rule) return undefined
    const { barcode, regex, scope, extract } = rule
    return { fields: { barcode, regex, scope, extract } }
  },
  add: (context, place, fields) => setCheck(context, context.principal.company.id, { ...fields, restored: Number(place) }),
  change: (context, _place, fields) => setCheck(context, context.principal.company.id, fields),
  remove: (context, place) => removeCheck(context, Number(place)),
}
