/** Boxes and the rules about them in the history of settings, and setting them back. */
import * as z from 'zod'
import { codesOfCompanies, companiesByCode, type SettingList } from '#features/company/companies/setting-lists.server.ts'
import { removeCrateRule, setCrateRule } from './crate-rules.commands.ts'
import { crateRuleById } from './crate-rules.queries.ts'
import { CrateRuleFields } from './crate-rules.schemas.ts'
import { removeCrateType, restoreCrateType, updateCrateType } from './crate-types.commands.ts'
import { crateTypeById, findCrateType, isUsedCrate } from './crate-types.queries.ts'
import { CrateTypeFields } from './crate-types.schemas.ts'

/** The stock is no setting: parcels take from it. */
const BoxFields = CrateTypeFields.omit({ stock: true, company_ids: true }).extend({ companies: z.array(z.string()).nullable() })
type BoxFields = z.output<typeof BoxFields>

export const boxList: SettingList<BoxFields> = {
  name: 'boxes',
  tenantScope: 'operator',
  Fields: BoxFields,
  title: fields => fields.name,
  async find(context, place) {
    const type = await findCrateType(context.db, Number(place))
    if (!type) return undefined
    const { id: _id, stock: _stock, has_image: _image, version, company_ids, ...fields } = type
    return { fields: { ...fields, companies: await codesOfCompanies(context, company_ids) }, version }
  },
  async add(context, place, fields) {
    const id = Number(place)
    const { version } = await restoreCrateType(context, id)
    return boxList.change(context, place, fields, version)
  },
  async change(context, place, { companies, ...fields }, version) {
    const company_ids = await companiesByCode(context, companies)
    return updateCrateType(context, Number(place), { ...fields, company_ids, version })
  },
  remove: (context, place) => removeCrateType(context, Number(place)),
  isUsed: ({ db }, place) => isUsedCrate(db, Number(place)),
}

const RuleFields = z.object({
  sku: z.string(),
  /** Null for every box. */
  box: z.number().int().nullable(),
  ...CrateRuleFields.shape,
})
type RuleFields = z.output<typeof RuleFields>

export const boxRuleList: SettingList<RuleFields> = {
  name: 'box_rules',
  Fields: RuleFields,
  title: fields => fields.sku,
  async find({ db, principal }, place) {
    const rule = await crateRuleById(db, principal.company.id, Number(place))
    if (!rule) return undefined
    const { sku, kind, crate, pieces, percent, conditions } = rule
    return { fields: { sku, kind, box: crate?.id ?? null, pieces, percent, conditions } }
  },
  async add(context, place, { sku, box, ...fields }) {
    if (box !== null) await crateTypeById(context.db, null, box)
    return setCrateRule(context, box ?? 0, sku, CrateRuleFields.parse(fields), Number(place))
  },
  change: (context, _place, { sku, box, ...fields }) => setCrateRule(context, box ?? 0, sku, CrateRuleFields.parse(fields)),
  remove: (context, place) => removeCrateRule(context, Number(place)),
}
