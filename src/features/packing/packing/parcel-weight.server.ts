/** The weight with which a parcel gets its label. */
import { conflict } from '#contract/errors.ts'
import type { CompanySettings } from '#features/company/companies/companies.schemas.ts'
import { weightOfParcel } from '#features/packing/weighings/weighings.queries.ts'
import type { Context } from '#platform/http/feature-module.ts'

/** Where the company has every parcel weighed: its weight, or a refusal. Elsewhere its weight where it was weighed. */
export async function weightForLabel(
  { db }: Pick<Context, 'db'>,
  { order_id, parcel_no }: { order_id: number; parcel_no: number },
  { weigh_parcels }: Pick<CompanySettings, 'weigh_parcels'>,
): Promise<number | undefined> {
  if (weigh_parcels === 'off') return undefined
  const weight_g = await weightOfParcel(db, order_id, parcel_no)
  if (weight_g !== null) return weight_g
  if (weigh_parcels === 'always') throw conflict('weight_required', 'Parcel {{parcel}} has to be weighed first', { parcel: parcel_no })
  return undefined
}
