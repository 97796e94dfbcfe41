/** Claims: handlers. */
import { pageOffset } from '#contract/page.ts'
import { fromMinor } from '#domain/money.ts'
import { csv } from '#platform/http/csv.ts'
import { implement } from '#platform/http/feature-module.ts'
import { changeClaim, createClaim, setClaimState } from './claims.commands.ts'
import { claims } from './claims.contract.ts'
import { claimById, claimsPage, countClaims } from './claims.queries.ts'
import { claimsSchemas } from './claims.schemas.ts'

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
