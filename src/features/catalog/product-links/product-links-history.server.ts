/** Product links in the history of settings, and setting them back. */
import * as z from 'zod'
import { codesOfCompanies, companiesByCode, type SettingList } from '#features/company/companies/setting-lists.server.ts'
import { createLink, removeLink, updateLink } from './product-links.commands.ts'
import { linksFor, ownLink } from './product-links.queries.ts'
import { ProductLinkFields } from './product-links.schemas.ts'

const Fields = ProductLinkFields.omit({ company_ids: true }).extend({ companies: z.array(z.string()).nullable() })
type Fields = z.output<typeof Fields>

export const productLinkList: SettingList<Fields> = {
  name: 'product_links',
  tenantScope: 'operator',
  Fields,
  title: fields => fields.title,
  async find(context, place) {
    const { db, principal } = context
    const id = Number(place)
    if (!(await linksFor(db, principal)).some(link => link.id === id)) return undefined
    const { id: _id, company_ids, version, ...fields } = await ownLink(db, principal, id)
    return { fields: { ...fields, companies: await codesOfCompanies(context, company_ids) }, version }
  },
  async add(context, place, { companies, ...fields }) {
    return createLink(context, { ...fields, company_ids: await companiesByCode(context, companies) }, Number(place))
  },
  async change(context, place, { companies, ...fields }, version) {
    return updateLink(context, Number(place), { ...fields, company_ids: await companiesByCode(context, companies), version })
  },
  remove: (context, place) => removeLink(context, Number(place)),
}
