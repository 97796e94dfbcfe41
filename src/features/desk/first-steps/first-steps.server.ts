/** First steps: settings, people, goods and parcels, each as done or not. */
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { lacksSender } from '#features/company/companies/companies.rules.ts'
import { implement } from '#platform/http/feature-module.ts'
import { addressMatches } from '#platform/http/tenant-host.ts'
import { firstSteps } from './first-steps.contract.ts'
import { alreadyHas } from './first-steps.queries.ts'
import { firstStepsSchemas } from './first-steps.schemas.ts'

export const firstStepsServer = implement(firstSteps, firstStepsSchemas, {
  async get(_, { db, principal, ip }) {
    const settings = await companySettings(db, principal.company.id)
    return {
      sender: !lacksSender(settings),
      network: addressMatches(settings.packing_ip_pattern, ip),
      ...(await alreadyHas(db)),
    }
  },
})
