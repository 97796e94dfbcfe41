/** First steps: settings, people, goods and parcels, each as done or not. */
import { addressMatches } from '#platform/http/tenant-host.ts'
import { serve } from '#platform/http/feature-module.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { firstSteps } from './first-steps.contract.ts'
import { alreadyHas } from './first-steps.queries.ts'

export const firstStepsServer = serve(firstSteps, {
  async get(_, { db, person, ip }) {
    const { sender, packing_ip_pattern } = await companySettings(db, person.company.id)
    return {
      sender: sender.address1 !== '',
      network: addressMatches(packing_ip_pattern, ip),
      ...(await alreadyHas(db)),
    }
  },
})
