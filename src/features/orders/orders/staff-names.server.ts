/** How staff of the warehouse appear to a shop: the operator chooses. */
import { mainCompanySettings } from '#features/company/companies/companies.queries.ts'
import type { Context } from '#platform/http/feature-module.ts'
import type { StaffNames } from './timeline.queries.ts'

export const staffNamesFor = async ({
  principal,
  scope,
  services,
}: Pick<Context, 'principal' | 'scope' | 'services'>): Promise<StaffNames> =>
  principal.company.is_main || (await mainCompanySettings(services.database, scope.operator_id)).first_names_for_shops
    ? 'first_names'
    : 'warehouse'
