/** Approval rules and requests: handlers, and what ends an open request. */

import { conflict, forbidden, orNotFound } from '#contract/errors.ts'
import { pageOffset } from '#contract/page.ts'
import { stationActs } from '#contract/station-acts.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { addEntry, changeEntry } from '#features/company/companies/setting-lists.server.ts'
import { mayAct } from '#features/company/users/station-acts.queries.ts'
import { photoFile } from '#features/packing/packing-photos/packing-photos.queries.ts'
import { csv } from '#platform/http/csv.ts'
import { type Context, implement, type RecordedEvent } from '#platform/http/feature-module.ts'
import { addressMatches, normalizeAddress } from '#platform/http/tenant-host.ts'
import { approvalRules, approvals } from './approval.contract.ts'
import { reasonMissing } from './approval.rules.ts'
import { approvalRulesSchemas, approvalsSchemas } from './approval.schemas.ts'
import { approvalRuleList } from './approval-history.server.ts'
import { cancelRequestsOfOrders, decideApproval } from './approval-requests.commands.ts'
import { approvalLog, approvalTotals, openApprovals, photoOfRequest, requestById } from './approval-requests.queries.ts'
import { removeRule, ruleById, setRule } from './approval-rules.commands.ts'
import { approvalRulesOf } from './approval-rules.queries.ts'

const mostExported = 20_000
const mostTotals = 200

export const approvalRulesServer = implement(approvalRules, approvalRulesSchemas, {
  async list({ active }, { db, principal }) {
    const rows = await approvalRulesOf(db, principal.company.id)
    return { rows: active === undefined ? rows : rows.filter(rule => rule.active === active) }
  },
  get: ({ id }, context) => ruleById(context, id),
  set: ({ body }, context) =>
    body.id === undefined
      ? addEntry(
          approvalRuleList,
          context,
          () => setRule(context, body),
          rule => rule.id,
        )
      : changeEntry(approvalRuleList, context, body.id, () => setRule(context, body)),
  remove: ({ id }, context) => changeEntry(approvalRuleList, context, id, () => removeRule(context, id)),
})

const cancel = (events: readonly RecordedEvent[], context: Context) =>
  cancelRequestsOfOrders(
    context,
    events.flatMap(event => event.order_id ?? []),
  )

export const approvalsServer = implement(
  approvals,
  approvalsSchemas,
  {
    open: async (_, { db, principal }) => ({ rows: await openApprovals(db, principal) }),

    async answer({ id, body: { approve, reason } }, context) {
      const { db, principal } = context
      const request = orNotFound(await requestById(db, id), 'approval_not_found', 'Request not found')
      await mayApprove(context, request)
      await mayAnswerFromHere(context)
      if (approve && request.reason_required && reason === undefined) throw reasonMissing()
      if (!(await decideApproval(context, id, { approve, by: principal, method: 'remote', reason }))) {
        const { state, decided_by_name } = orNotFound(await requestById(db, id), 'approval_not_found', 'Request not found')
        if (state === 'expired') throw conflict('approval_expired', 'The time is over. Ask again.')
        if (decided_by_name !== null) throw conflict('approval_decided', '{{name}} has answered already', { name: decided_by_name })
        throw conflict('approval_cancelled', 'This question was cancelled')
      }
      return { id, state: approve ? ('approved' as const) : ('refused' as const) }
    },

    async log({ page, limit, ...asked }, { db, principal }) {
      const { time_zone } = await companySettings(db, principal.company.id)
      return approvalLog(db, asked, { offset: pageOffset({ page, limit }), limit, time_zone })
    },

    async totals(asked, { db, principal }) {
      const { time_zone } = await companySettings(db, principal.company.id)
      return approvalTotals(db, asked, { limit: mostTotals, time_zone })
    },

    async exportTotals(asked, { db, principal, now }) {
      const { time_zone } = await companySettings(db, principal.company.id)
      const { rows } = await approvalTotals(db, asked, { limit: mostExported, time_zone })
      return {
        bytes: csv(
          ['asked_by', 'act', 'rule', 'asked', 'approved', 'refused', 'expired', 'median_seconds'],
          rows.map(row => [
            ...[row.asked_by, row.act, row.rule, row.asked, row.approved, row.refused, row.expired],
            row.median_ms === null ? null : row.median_ms / 1000,
          ]),
        ),
        media_type: 'text/csv; charset=utf-8',
        name: `approval-totals-${now().toISOString().slice(0, 10)}.csv`,
      }
    },

    async photo({ id }, { transaction }) {
      const { media_type, ...bytes } = await transaction(async ({ db }) =>
        photoFile(db, orNotFound(await photoOfRequest(db, id), 'approval_not_found', 'Request not found')),
      )
      return { bytes, media_type, inline: true }
    },

    async export(asked, { db, principal, now }) {
      const { time_zone } = await companySettings(db, principal.company.id)
      const { rows } = await approvalLog(db, asked, { offset: 0, limit: mostExported + 1, time_zone })
      if (rows.length > mostExported)
        throw conflict('export_too_large', 'More than {{rows}} rows. Choose fewer, such as one month.', { rows: mostExported })
      return {
        bytes: csv(
          [
            'asked_at',
            'act',
            'rule',
            'order_no',
            'item',
            'company',
            'station',
            'asked_by',
            'method',
            'state',
            'answered_by',
            'reason',
            'photo',
            'waited_seconds',
          ],
          rows.map(row => [
            ...[
              row.asked_at,
              row.act,
              row.rule,
              row.order_no,
              row.item,
              row.company,
              row.station,
              row.asked_by,
              row.method,
              row.state,
              row.answered_by,
              row.reason,
              row.has_photo ? 'yes' : null,
            ],
            row.waited_ms === null ? null : row.waited_ms / 1000,
          ]),
        ),
        media_type: 'text/csv; charset=utf-8',
        name: `approvals-${now().toISOString().slice(0, 10)}.csv`,
      }
    },
  },
  {
    'order.held': cancel,
    'order.locked': cancel,
    'order.cancelled': cancel,
    'packing.parked': cancel,
    'packing.aborted': cancel,
    'packing.taken_over': cancel,
  },
)

/** Where the company of the lead wants it, from the warehouse network alone. */
async function mayAnswerFromHere({ db, principal, ip }: Context): Promise<void> {
  const { approve_inside_only, packing_ip_pattern } = await companySettings(db, principal.company.id)
  if (approve_inside_only && !addressMatches(packing_ip_pattern, ip))
    throw forbidden(
      'outside_warehouse_network',
      'This works only inside the warehouse network. Your address {{ip}} does not match the pattern {{pattern}}.',
      { ip: normalizeAddress(ip), pattern: packing_ip_pattern || '(none)' },
    )
}

/** Not the own request, and only with a permission that it names, or by a group that allows it at its station. */
async function mayApprove(
  context: Context,
  { asked_by_id, approver_codes, act, station }: { asked_by_id: number; approver_codes: string[]; act: string; station: string },
): Promise<void> {
  const { id, name, permissions } = context.principal
  if (asked_by_id === id) throw forbidden('approval_own', 'Someone else must approve this')
  if (permissions.includes('admin') || permissions.some(code => approver_codes.includes(code))) return
  const allowed = act === 'rule' ? 'approve' : stationActs.find(one => one === act)
  if (allowed && approver_codes.includes('scan_admin') && (await mayAct(context, allowed, station, []))) return
  throw forbidden('approval_not_allowed', '{{name}} may not approve this', { name })
}
