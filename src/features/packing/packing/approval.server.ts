/** A lead's consent at the station: given with PIN or badge for one act on one order, and proved by a signed text for two minutes. */
import { access, type Permission } from '#contract/access.ts'
import type { HandlerInput } from '#contract/endpoint.ts'
import { badRequest, forbidden, orNotFound } from '#contract/errors.ts'
import { approverById, approverOf, approversAnywhere, approversWithPin, type Proof } from '#features/company/users/credentials.queries.ts'
import type { ApprovedAct } from '#features/packing/approval/approval.codes.ts'
import { neededByRule } from '#features/packing/approval/approval.rules.ts'
import { approveAct, askForAct, markActUsed } from '#features/packing/approval/approval-requests.commands.ts'
import { approvedRequest, askedActOf } from '#features/packing/approval/approval-requests.queries.ts'
import { approversOfRule } from '#features/packing/approval/approval-rules.queries.ts'
import type { Db } from '#platform/database/database.ts'
import type { Context, ExternalContext } from '#platform/http/feature-module.ts'
import type { leadQuestions } from './lead-questions.contract.ts'
import type { packing } from './packing.contract.ts'

/** A group may allow its members the same act. */
const neededFor: Record<ApprovedAct, readonly Permission[]> = {
  take_over: access.scanAdmin,
  cancel_rest: [...access.scanAdmin, ...access.parcelsAdmin],
  bypass: access.scanAdmin,
  weight: access.scanAdmin,
}

const lastsMs = 120_000

interface GivenAct {
  order_id: number
  act: ApprovedAct
  request_id: number
  until: number
}

const signedText = (context: Context | ExternalContext, { order_id, act, request_id, until }: GivenAct) =>
  `${context.principal.company.id} ${context.principal.id} ${order_id} ${act} ${request_id} ${until}`

export async function listApprovers(
  { db, principal, station }: Context,
  { rule_id, act }: { rule_id?: number | undefined; act?: ApprovedAct | undefined },
) {
  const rule = rule_id === undefined ? undefined : await approversOfRule(db, rule_id)
  const needed = rule ? neededByRule(rule, station) : { codes: act ? neededFor[act] : access.scanAdmin, act, station }
  const people = await approversWithPin(db, principal.company.id, needed)
  // A packer approves nothing of the own.
  return rule ? people.filter(person => person.id !== principal.id) : people
}

const companyOf = async (db: Db, order_id: number): Promise<number> =>
  orNotFound(
    await db.selectFrom('orders').select('company_id').where('id', '=', order_id).executeTakeFirst(),
    'order_not_found',
    'Order not found',
  ).company_id

/** Whether anyone who may answer from elsewhere has a screen open, in the packer's company or that of the order. The packer does not count. */
export async function leadsNow({ id, rule_id, act }: HandlerInput<typeof leadQuestions.leads>, context: Context) {
  const { db, principal, services, scope, station } = context
  const company_id = await companyOf(db, id)
  const rule = rule_id === undefined ? undefined : await approversOfRule(db, rule_id)
  const { codes, ...by } = rule ? neededByRule(rule, station) : { codes: act ? neededFor[act] : access.scanAdmin, act, station }
  const leads = await approversAnywhere(db, [principal.company.id, company_id], { ...by, codes: [...codes, 'admin'] })
  const others = leads.filter(lead => lead !== principal.id)
  return { at_screen: await services.limits.isListening(scope.operator_id, others) }
}

/** Leads who look at any screen are asked, for a minute. */
export async function askLead({ id, body: { act } }: HandlerInput<typeof leadQuestions.ask>, context: Context) {
  const { db, principal } = context
  const company_id = await companyOf(db, id)
  const { request_id } = await askForAct(context, { id, company_id }, { act, method: 'remote', approver_codes: neededFor[act] })
  const asked = await askedActOf(db, { id: request_id, order_id: id, asked_by_id: principal.id })
  return { request_id, left_ms: asked?.left_ms ?? 0 }
}

export const leadAnswer = async ({ id, request_id }: HandlerInput<typeof leadQuestions.answer>, { db, principal }: Context) =>
  orNotFound(await askedActOf(db, { id: request_id, order_id: id, asked_by_id: principal.id }), 'approval_not_found', 'Request not found')

/** The lead elsewhere who has just approved; what was used, or answered longer ago, proves nothing. */
async function approvedElsewhere(context: Context, order_id: number, act: ApprovedAct, request_id: number) {
  const { db, principal, now } = context
  const given = await approvedRequest(db, { id: request_id, order_id, act, asked_by_id: principal.id })
  const isFresh = given?.decided_at && !given.used_at && now().getTime() - Date.parse(given.decided_at) <= lastsMs
  const person = { company_id: principal.company.id, user_id: given?.decided_by_id ?? 0 }
  const lead = isFresh ? await approverById(db, person, { codes: neededFor[act], act, station: given.station }) : undefined
  if (!lead) throw forbidden('approval_not_given', 'No lead has approved this. Ask again.')
  return lead
}

async function approveByAnswer(outside: ExternalContext, id: number, act: ApprovedAct, request_id: number) {
  const until = outside.now().getTime() + lastsMs
  const approver = await outside.transaction(async context => {
    const company_id = await companyOf(context.db, id)
    const lead = await approvedElsewhere(context, id, act, request_id)
    await context.recordEvent({
      kind: 'packing.approved',
      order_id: id,
      company_id,
      data: { act, approver: lead.name, approver_id: lead.id },
    })
    return lead
  })
  return signed(outside, { order_id: id, act, request_id, until }, approver.name)
}

const signed = (outside: ExternalContext, given: GivenAct, approver: string) => ({
  approval: `${given.request_id}.${given.until}.${outside.services.vault.sign('approval', signedText(outside, given))}`,
  approver,
})

export async function approve({ id, body }: HandlerInput<typeof packing.approve>, outside: ExternalContext) {
  const { act, badge, user_id, pin } = body
  if (body.request_id !== undefined) return approveByAnswer(outside, id, act, body.request_id)
  const proof: Proof | null = badge !== undefined ? { badge } : user_id !== undefined && pin !== undefined ? { user_id, pin } : null
  if (!proof) throw badRequest('approval_missing', 'Scan a badge, or enter a PIN')
  // Before the proof: what is no order of this company counts as no try of anyone's PIN.
  const company_id = await outside.transaction(({ db }) => companyOf(db, id))
  const codes = neededFor[act]
  // Committed before the proof: a wrong PIN leaves the question in the log.
  const { request_id, station } = await outside.transaction(context =>
    askForAct(context, { id, company_id }, { act, method: 'badge' in proof ? 'badge' : 'pin', approver_codes: codes }),
  )
  const approver = await approverOf(outside, proof, { codes, act, station })
  const until = outside.now().getTime() + lastsMs
  await outside.transaction(async context => {
    await approveAct(context, request_id, company_id, approver)
    await context.recordEvent({
      kind: 'packing.approved',
      order_id: id,
      company_id,
      data: { act, approver: approver.name, approver_id: approver.id },
    })
  })
  return signed(outside, { order_id: id, act, request_id, until }, approver.name)
}

interface GivenApproval {
  name: string
  request_id: number
}

/** The lead who has just approved this act on this order, and still may; undefined without one. */
export async function findApproval(
  context: Context,
  order_id: number,
  act: ApprovedAct,
  approval: string | undefined,
): Promise<GivenApproval | undefined> {
  const [, request = '', until, signature = ''] = /^(\d{1,15})\.(\d{1,15})\.([\w-]+)$/.exec(approval ?? '') ?? []
  if (Number(until ?? 0) < context.now().getTime()) return undefined
  const request_id = Number(request)
  const text = signedText(context, { order_id, act, request_id, until: Number(until) })
  if (!context.services.vault.verify('approval', text, signature)) return undefined
  const { db, principal } = context
  const given = await approvedRequest(db, { id: request_id, order_id, act, asked_by_id: principal.id })
  if (!given) return undefined
  const person = { company_id: principal.company.id, user_id: given.decided_by_id ?? 0 }
  const lead = await approverById(db, person, { codes: neededFor[act], act, station: given.station })
  return lead && { name: lead.name, request_id }
}

/** The same, for an act of this transaction: each approval serves once. */
export async function approvedBy(...asked: Parameters<typeof findApproval>): Promise<string | undefined> {
  const found = await findApproval(...asked)
  return found && (await markActUsed(asked[0].db, found.request_id)) ? found.name : undefined
}

export const isApproved = async (...asked: Parameters<typeof approvedBy>): Promise<boolean> => (await approvedBy(...asked)) !== undefined
