/** Claims: handlers. */
import { notFound } from '#contract/errors.ts'
import { pageOffset } from '#contract/page.ts'
import { fromMinor } from '#domain/money.ts'
import { courier } from '#integrations/couriers/couriers.ts'
import { csv } from '#platform/http/csv.ts'
import { implement } from '#platform/http/feature-module.ts'
import { changeClaim, createClaim, setClaimRules, setClaimState } from './claims.commands.ts'
import { claimRules, claims } from './claims.contract.ts'
import { claimById, claimRulesOf, claimsPage, countClaims } from './claims.queries.ts'
import { claimRulesSchemas, claimsSchemas } from './claims.schemas.ts'

const mostExported = 10_000

export const claimsServer = implement(claims, claimsSchemas, {
  async list({ page, limit, ...question }, { db, now }) {
    const offset = pageOffset({ page, limit })
    return { ...(await claimsPage(db, question, now(), { offset, limit })), offset, limit }
  },
  count: (_, { db, now }) => countClaims(db, now()),
  create: ({ body }, context) => createClaim(context, body),
  get: ({ id }, { db }) => claimById(db, id),
  change: ({ id, body }, context) => changeClaim(context, id, body),
  setState: ({ id, state, body }, context) => setClaimState(context, id, state, body),

  async exportAll(question, { db, now }) {
    const { rows } = await claimsPage(db, question, now(), { offset: 0, limit: mostExported })
    const head = ['tracking_no', 'order_no', 'company', 'agent_code', 'kind', 'state'] as const
    const tail = ['noticed_on', 'deadline_on', 'sent_at', 'settled_at', 'reference', 'note', 'created_by', 'created_at'] as const
    return {
      bytes: csv(
        [...head, 'amount', 'granted', 'currency', ...tail],
        rows.map(row => [
          ...head.map(column => row[column]),
          fromMinor(row.amount, row.currency),
          row.granted === null ? null : fromMinor(row.granted, row.currency),
          row.currency,
          ...tail.map(column => row[column]),
        ]),
      ),
      media_type: 'text/csv; charset=utf-8',
      name: `claims-${now().toISOString().slice(0, 10)}.csv`,
    }
  },
})

function mustBeKnown(agent_code: string): void {
  if (!courier(agent_code)) throw notFound('unknown_courier', 'Unknown courier {{code}}.', { code: agent_code })
}

export const claimRulesServer = implement(claimRules, claimRulesSchemas, {
  get({ agent_code }, { db, principal }) {
    mustBeKnown(agent_code)
    return claimRulesOf(db, principal.company.id, agent_code)
  },
  set({ agent_code, body }, context) {
    mustBeKnown(agent_code)
    return setClaimRules(context, agent_code, body)
  },
})
