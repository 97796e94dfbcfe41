/** A station asks for an approval that a rule wants: answered at once by PIN, badge or photo, or within a minute by a lead elsewhere. */
import type { HandlerInput } from '#contract/endpoint.ts'
import { badRequest, conflict, forbidden, orNotFound, unprocessable } from '#contract/errors.ts'
import { approverOf, type Proof } from '#features/company/users/credentials.queries.ts'
import { neededByRule, reasonMissing } from '#features/packing/approval/approval.rules.ts'
import { askApproval, askElsewhere, decideApproval, isAskedEnough } from '#features/packing/approval/approval-requests.commands.ts'
import { askedRules, isFreePhoto, requestById } from '#features/packing/approval/approval-requests.queries.ts'
import type { ExternalContext } from '#platform/http/feature-module.ts'
import type { packing } from './packing.contract.ts'

export async function askForApproval({ body }: HandlerInput<typeof packing.ask>, outside: ExternalContext) {
  const { order_id, rule_id, line_id, method, badge, user_id, pin, photo_id, reason } = body
  const proof: Proof | null =
    method === 'badge' && badge !== undefined
      ? { badge }
      : method === 'pin' && user_id !== undefined && pin !== undefined
        ? { user_id, pin }
        : null
  if (method === 'photo' && photo_id === undefined) throw badRequest('approval_photo_missing', 'Take a photo first')
  if (method !== 'remote' && method !== 'photo' && !proof) throw badRequest('approval_missing', 'Scan a badge, or enter a PIN')
  // Committed before the proof: a wrong PIN leaves the question in the log.
  const { id, needed } = await outside.transaction(async context => {
    const { db, principal } = context
    const session = orNotFound(
      await db
        .selectFrom('packing_sessions')
        .select(['id', 'company_id', 'order_id', 'station', 'user_id', 'user_name', 'plan'])
        .where('order_id', '=', order_id)
        .where('ended_at', 'is', null)
        .executeTakeFirst(),
      'order_not_open',
      'This order is not open at any station',
    )
    if (session.user_id !== principal.id)
      throw conflict('order_busy', '{{name}} has it at {{station}}', { name: session.user_name, station: session.station })
    const rule = askedRules(session.plan).find(one => one.rule_id === rule_id)
    if (!rule || (rule.lines === null ? line_id !== null : line_id === null || !rule.lines.includes(line_id)))
      throw conflict('approval_not_needed', 'No approval is open')
    if (!rule.methods.includes(method)) throw unprocessable('approval_method', 'This rule is not answered this way')
    // A lead elsewhere says it with the answer.
    if (rule.reason_required && method !== 'remote' && reason === undefined) throw reasonMissing()
    if (method === 'remote' && (await isAskedEnough(db, session.id, { rule, line_id })))
      throw conflict('approval_asked_enough', 'Leads were asked three times. Move the order to exceptions, or find a lead.')
    const asked = await askApproval(context, session, { rule, line_id })
    if (method === 'remote') {
      await askElsewhere(db, asked)
      context.notify('approval', asked, session.company_id)
    }
    if (method === 'photo' && photo_id !== undefined) {
      if (!(await isFreePhoto(db, session.id, photo_id)))
        throw conflict('approval_photo_used', 'Take another photo: this one answers something else')
      // The picture is the proof, so the packer may answer.
      await decideApproval(context, asked, { approve: true, by: principal, method, photo_id, reason })
    }
    return { id: asked, needed: neededByRule(rule.approver_codes, session.station) }
  })
  if (proof) {
    const approver = await approverOf(outside, proof, needed)
    if (approver.id === outside.principal.id) throw forbidden('approval_own', 'Someone else must approve this')
    const decided = await outside.transaction(context => decideApproval(context, id, { approve: true, by: approver, method, reason }))
    if (!decided) throw conflict('approval_cancelled', 'This question was cancelled')
  }
  return outside.transaction(async ({ db }) => {
    const { state, decided_by_name, left_ms } = orNotFound(await requestById(db, id), 'approval_not_found', 'Request not found')
    return { id, state, approver: decided_by_name, left_ms }
  })
}
