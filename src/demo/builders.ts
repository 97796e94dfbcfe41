/** Builders: operators, companies and people made in one breath, for the demo and for every test. */
import { type Permission, permissionId } from '#contract/access.ts'
import type { Database, Scope } from '#server/database.ts'
import { hashPassword } from '#server/keeper.ts'
import { CompanySettings } from '../features/company/company/company.contract.ts'

export interface BuiltCompany {
  id: number
  code: string
  name: string
}
export interface BuiltOperator {
  operator_id: number
  main: BuiltCompany
  shops: BuiltCompany[]
}

type CompanyPlan = { code: string; name: string; settings?: Partial<CompanySettings> }

/** An operator with its main company and any number of shops. */
export async function buildOperator(
  database: Database,
  plan: { name: string; demo?: boolean; main: CompanyPlan; shops?: CompanyPlan[] },
): Promise<BuiltOperator> {
  return database.asSystem('an operator stands above its companies', async db => {
    const { id: operator_id } = await db
      .insertInto('operators')
      .values({ name: plan.name, demo: plan.demo ?? false })
      .returning('id')
      .executeTakeFirstOrThrow()
    const company = async ({ code, name, settings }: CompanyPlan, is_main: boolean): Promise<BuiltCompany> => {
      const { id } = await db
        .insertInto('companies')
        .values({ operator_id, code, name, is_main, settings: JSON.stringify(CompanySettings.parse(settings ?? {})) })
        .returning('id')
        .executeTakeFirstOrThrow()
      return { id, code, name }
    }
    const main = await company(plan.main, true)
    const shops: BuiltCompany[] = []
    for (const shop of plan.shops ?? []) shops.push(await company(shop, false))
    return { operator_id, main, shops }
  })
}

export const scopeOfCompany = (operator: BuiltOperator, company: BuiltCompany = operator.main): Scope => ({
  operator_id: operator.operator_id,
  company_id: company.id,
  companies: company.id === operator.main.id ? [operator.main.id, ...operator.shops.map(shop => shop.id)] : [company.id],
})

/** Somebody who works there; without a password nobody can sign in as them. */
export async function buildUser(
  database: Database,
  scope: Scope,
  user: {
    name: string
    user_name?: string
    email?: string
    employee_no?: string
    role?: string
    password?: string
    permissions: readonly Permission[]
    locale?: string
  },
): Promise<number> {
  const password_hash = user.password ? await hashPassword(user.password) : null
  return database.within(scope, async db => {
    const { id } = await db
      .insertInto('users')
      .values({
        name: user.name,
        user_name: user.user_name ?? null,
        email: user.email ?? null,
        employee_no: user.employee_no ?? null,
        role: user.role ?? null,
        locale: user.locale ?? null,
        permission: user.permissions.map(permissionId),
        password_hash,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  })
}
