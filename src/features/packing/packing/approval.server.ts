/** A lead's consent at the station: given with PIN or badge for one act on one order, and proved by a signed text for two minutes. */
import { access, type Permission } from '#contract/access.ts'
import type { HandlerInput } from '#contract/endpoint.ts'
import { badRequest, orNotFound } from '#contract/errors.ts'
import { approverById, approverOf, approversWithPin, type Proof } from '#features/company/users/credentials.queries.ts'
import { approversOfRule } from '#features/packing/approval/approval-rules.queries.ts'
import type { Context, ExternalContext } from '#platform/http/feature-module.ts'
import type { packing } from './packing.contract.ts'
import type { ApprovedAct } from './packing.schemas.ts'

const neededFor: Record<ApprovedAct, readonly Permission[]> = {
  take_over: access.scanAdmin,
  cancel_rest: [...access.scanAdmin, ...access.parcelsAdmin],
  bypass: access.scanAdmin,
  weight: access.scanAdmin,
}

const lastsMs = 120_000

const signedText = (context: Context | ExternalContext, order_id: number, act: ApprovedAct, approver_id: number, until: number) =>
  `${context.principal.company.id} ${context.principal.id} ${order_id} ${act} ${approver_id} ${until}`

export async function listApprovers({ db, principal }: Context, rule_id?: number) {
  const rule = rule_id === undefined ? undefined : await approversOfRule(db, rule_id)
  const people = await approversWithPin(db, principal.company.id, rule ?? access.scanAdmin)
  // A packer approves nothing of the own.
  return rule ? people.filter(person => person.id !== principal.id) : people
}

export async function approve({ id, body }: HandlerInput<typeof packing.approve>, outside: ExternalContext) {
  const { act, badge, user_id, pin } = body
  const proof: Proof | null = badge !== undefined ? { badge } : user_id !== undefined && pin !== undefined ? { user_id, pin } : null
  if (!proof) throw badRequest('approval_missing', 'Scan a badge, or enter a PIN')
  // Before the proof: what is no order of this company counts as no try of anyone's PIN.
  const { company_id } = await outside.transaction(async ({ db }) =>
    orNotFound(
      await db.selectFrom('orders').select('company_id').where('id', '=', id).executeTakeFirst(),
      'order_not_found',
      'Order not found',
    ),
  )
  const approver = await approverOf(outside, proof, neededFor[act])
  const until = outside.now().getTime() + lastsMs
  await outside.transaction(({ recordEvent }) =>
    recordEvent({ kind: 'packing.approved', order_id: id, company_id, data: { act, approver: approver.name, approver_id: approver.id } }),
  )
  const signature = outside.services.vault.sign('approval', signedText(outside, id, act, approver.id, until))
  return { approval: `${approver.id}.${until}.${signature}`, approver: approver.name }
}

/** The lead who has just approved this act on this order, and still may; undefined without one. */
export async function approvedBy(
  context: Context,
  order_id: number,
  act: ApprovedAct,
  approval: string | undefined,
): Promise<string | undefined> {
  const [, approver_id, until, signature = ''] = /^(\d{1,15})\.(\d{1,15})\.([\w-]+)$/.exec(approval ?? '') ?? []
  if (Number(until ?? 0) < context.now().getTime()) return undefined
  const text = signedText(context, order_id, act, Number(approver_id), Number(until))
  if (!context.services.vault.verify('approval', text, signature)) return undefined
  const person = { company_id: context.principal.company.id, user_id: Number(approver_id) }
  return (await approverById(context.db, person, neededFor[act]))?.name
}

export const isApproved = async (...asked: Parameters<typeof approvedBy>): Promise<boolean> => (await approvedBy(...asked)) !== undefined
