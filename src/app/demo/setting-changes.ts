/** A demo's history of settings: values that were tried and set back, so that everything else of the demo stays as it is. */
import { changeSettings } from '#features/company/companies/companies.commands.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import type { Services } from '#platform/http/feature-module.ts'

const day = 86_400_000

export async function buildSettingChanges(
  services: Services,
  scope: TenantScope,
  people: { owner: string; office: string },
): Promise<void> {
  const now = services.now().getTime()
  await services.database.transaction(scope, async db => {
    for (const [change, name, days] of [
      [{ close_after_days: 21 }, people.office, 34],
      [{ weight_tolerance_g: 350 }, people.office, 20],
      [{ close_after_days: 14 }, people.owner, 12],
      [{ weight_tolerance_g: 200 }, people.owner, 3],
    ] as const)
      await changeSettings(db, scope.company_id, change, { name, at: new Date(now - days * day) })
  })
}
