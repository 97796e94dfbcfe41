/** Writes the rules for serial numbers. */
import type { SerialSettings } from '#features/company/companies/companies.schemas.ts'
import type { Db } from '#platform/database/database.ts'
import type { ExtractStep } from './serial-numbers.schemas.ts'

type SerialScope = SerialSettings['default_scope']

/**
 * Puts a product, by its barcode or SKU, under the rule with this pattern, which is made where the company has none.
 * `scope` and `extract` change the rule; a new one gets `default_scope` and no steps without them.
 */
export async function setSerialRule(
  db: Db,
  company_id: number,
  {
    regex,
    barcode,
    scope,
    extract,
    default_scope,
    restored,
  }: {
    regex: string
    barcode: string
    scope?: SerialScope | undefined
    extract?: readonly ExtractStep[] | undefined
    default_scope: SerialScope
    /** The number of a product's entry that comes back. */
    restored?: number
  },
): Promise<number> {
  const { id: rule_id } = await db
    .insertInto('serial_rules')
    .values({ company_id, regex, scope: scope ?? default_scope, extract: JSON.stringify(extract ?? []) })
    .onConflict(conflict =>
      conflict
        .columns(['operator_id', 'company_id', 'regex'])
        // An update without a change still answers the id.
        .doUpdateSet({ regex, ...(scope && { scope }), ...(extract && { extract: JSON.stringify(extract) }) }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id } = await db
    .insertInto('serial_rule_products')
    .values({ company_id, rule_id, barcode, ...(restored !== undefined && { id: restored }) })
    .onConflict(conflict => conflict.columns(['operator_id', 'company_id', 'barcode']).doUpdateSet({ rule_id }))
    .returning('id')
    .executeTakeFirstOrThrow()
  await removeUnusedRules(db, company_id)
  return id
}

/** Removes a product from its rule, and the rule with its last product. Undefined where there is no such product. */
export async function removeSerialRule(db: Db, id: number): Promise<{ company_id: number; regex: string; barcode: string } | undefined> {
  const row = await db
    .deleteFrom('serial_rule_products')
    .where('id', '=', id)
    .returning(['company_id', 'rule_id', 'barcode'])
    .executeTakeFirst()
  if (!row) return undefined
  const { regex } = await db.selectFrom('serial_rules').select('regex').where('id', '=', row.rule_id).executeTakeFirstOrThrow()
  await removeUnusedRules(db, row.company_id)
  return { company_id: row.company_id, regex, barcode: row.barcode }
}

async function removeUnusedRules(db: Db, company_id: number): Promise<void> {
  await db
    .deleteFrom('serial_rules')
    .where('company_id', '=', company_id)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('serial_rule_products as p')
            .select('p.id')
            .whereRef('p.operator_id', '=', 'serial_rules.operator_id')
            .whereRef('p.rule_id', '=', 'serial_rules.id'),
        ),
      ),
    )
    .execute()
}
