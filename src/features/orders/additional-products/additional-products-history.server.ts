/** Additional products in the history of settings, and setting them back. */
import * as z from 'zod'
import { codesOfCompanies, companiesByCode, type SettingList } from '#features/company/companies/setting-lists.server.ts'
import { removeAdditionalProduct, restoreAdditionalProduct, updateAdditionalProduct } from './additional-products.commands.ts'
import { findAdditionalProduct } from './additional-products.queries.ts'
import { AdditionalProductSettings } from './additional-products.schemas.ts'

const Fields = AdditionalProductSettings.omit({ company_ids: true }).extend({ companies: z.array(z.string()).nullable() })
type Fields = z.output<typeof Fields>

export const additionalProductList: SettingList<Fields> = {
  name: 'additional_products',
  tenantScope: 'operator',
  Fields,
  title: fields => fields.name,
  async find(context, place) {
    const product = await findAdditionalProduct(context.db, Number(place))
    if (!product) return undefined
    const { company_ids, version, ...entered } = product
    const companies = await codesOfCompanies(context, company_ids)
    return { fields: Fields.parse({ ...settingsIn(entered), companies }), version }
  },
  async add(context, place, { companies, ...fields }) {
    const company_ids = await companiesByCode(context, companies)
    return restoreAdditionalProduct(context, Number(place), { ...fields, company_ids })
  },
  async change(context, place, { companies, ...fields }, version) {
    const company_ids = await companiesByCode(context, companies)
    return updateAdditionalProduct(context, Number(place), { ...fields, company_ids, version })
  },
  remove: (context, place) => removeAdditionalProduct(context, Number(place)),
}

/** Stock, picture and counts are no settings. */
const settingsIn = (product: object) => Object.fromEntries(Object.entries(product).filter(([name]) => name in Fields.shape))
