/** What only the company that runs the warehouse may do. */
import type { Calls } from '#contract/endpoint.ts'
import { forbidden } from '#contract/errors.ts'
import type { Handlers } from '#platform/http/feature-module.ts'
import type { Principal } from './identity.ts'

/** @throws {AppError} 403 for people of another company of the operator */
export function mainCompanyOnly({ company }: Pick<Principal, 'company'>): void {
  if (!company.is_main) throw forbidden('main_company_only', 'Only the main company of an operator can do this')
}

/** The same handlers, each of them for people of the main company alone. */
export function forMainCompany<T extends Calls>(handlers: Handlers<T>): Handlers<T> {
  const asked = handlers as unknown as Record<string, (input: never, context: { principal: Principal }) => Promise<unknown>>
  return Object.fromEntries(
    Object.entries(asked).map(([name, handler]) => [
      name,
      async (input: never, context: { principal: Principal }) => {
        mainCompanyOnly(context.principal)
        return handler(input, context)
      },
    ]),
  ) as unknown as Handlers<T>
}
