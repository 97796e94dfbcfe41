/** Rules about crates: handlers. */

import { conflict } from '#contract/errors.ts'
import { addEntry, changeEntry } from '#features/company/companies/setting-lists.server.ts'
import { csv } from '#platform/http/csv.ts'
import { implement } from '#platform/http/feature-module.ts'
import { removeCrateRule, setCrateRule } from './crate-rules.commands.ts'
import { crateRules } from './crate-rules.contract.ts'
import { crateRuleOf, findCrateRules, productsWithoutSize, unmatchedSkus } from './crate-rules.queries.ts'
import { crateRulesSchemas } from './crate-rules.schemas.ts'
import { findCrateTypes, readerOf } from './crate-types.queries.ts'
import { crateRuleKinds } from './crates.codes.ts'
import { boxRuleList } from './crates-history.server.ts'

const mostExported = 20_000

export const crateRulesServer = implement(crateRules, crateRulesSchemas, {
  list: (query, { db, principal }) => findCrateRules(db, principal.company.id, query),
  async options(_, { db, principal }) {
    const company = principal.company.id
    const { rows } = await findCrateTypes(db, readerOf(principal), { query: '', active: true, sort: 'position', page: 1, limit: 500 })
    return {
      crates: rows.map(({ id, name, code }) => ({ id, name, code })),
      kinds: [...crateRuleKinds],
      products_without_size: await productsWithoutSize(db, company),
      unmatched_skus: await unmatchedSkus(db, company),
    }
  },
  async set({ id, sku, body }, context) {
    const known = await crateRuleOf(context.db, context.principal.company.id, { sku, kind: body.kind, crate: id })
    const set = () => setCrateRule(context, id, sku, body)
    return known ? changeEntry(boxRuleList, context, known, set) : addEntry(boxRuleList, context, set, rule => rule.id)
  },
  remove: ({ id }, context) => changeEntry(boxRuleList, context, id, () => removeCrateRule(context, id)),
  async export(asked, { db, principal, now }) {
    const { rows } = await findCrateRules(db, principal.company.id, { ...asked, page: 1, limit: mostExported + 1 })
    if (rows.length > mostExported)
      throw conflict('export_too_large', 'More than {{rows}} rows. Choose fewer, such as one month.', { rows: mostExported })
    return {
      bytes: csv(
        ['sku', 'product', 'rule', 'box', 'pieces', 'percent', 'conditions'],
        rows.map(row => [
          ...[row.sku, row.product, row.kind, row.crate?.code, row.pieces, row.percent],
          row.conditions === null ? null : JSON.stringify(row.conditions),
        ]),
      ),
      media_type: 'text/csv; charset=utf-8',
      name: `box-rules-${now().toISOString().slice(0, 10)}.csv`,
    }
  },
})
