/** Tries the draft of a company's return rules on past returns: a job with progress and cancel. */
import { doJob } from '#features/company/jobs/jobs.queries.ts'
import { compiledRules, type PolicyRule } from '#features/returns/returns/return-policy.rules.ts'
import type { ReturnRule } from '#features/returns/returns/return-policy.schemas.ts'
import type { ExternalContext } from '#platform/http/feature-module.ts'
import type { Tasks } from '#platform/jobs/job-queue.ts'
import { dryRunDays, mostSamples } from './return-rules.codes.ts'
import { keepDryRun } from './return-rules.commands.ts'
import { deliveredOrders, lookAt, lookAtDelivered, pastReturns, rulesOfCompany } from './return-rules.queries.ts'
import type { ChangedMind, DryRun } from './return-rules.schemas.ts'

/** Its result stands at the draft, where the draft is still the same. */
export const dryRunTask: Tasks['returns.dry_run'] = async ({ job_id, version }, context) =>
  doJob(context, job_id, async progress => {
    const { company_id } = context.scope
    const { rules } = await context.transaction(({ db }) => rulesOfCompany(db, company_id))
    const found = await tryOnPast(context, rules, progress)
    await context.transaction(tools => keepDryRun(tools, company_id, { version, found }))
    return { checked: found.checked, met: found.met }
  })

/** What these rules would have done to the returns of the last 90 days; nothing is changed. */
export async function tryOnPast(
  context: Pick<ExternalContext, 'transaction' | 'now' | 'signal' | 'scope'>,
  rules: readonly ReturnRule[],
  progress: (done: number) => Promise<void> = async () => undefined,
): Promise<DryRun> {
  const { company_id } = context.scope
  const compiled = compiledRules(rules)
  const since = new Date(context.now().getTime() - dryRunDays * 86_400_000)
  const found: DryRun = { days: dryRunDays, checked: 0, met: 0, refused: 0, review: 0, not_compared: 0, rules: [], changed_mind: null }
  const byRule = new Map<string, DryRun['rules'][number]>(rules.map(({ id }) => [id, { id, met: 0, sample: [] }]))
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    context.signal.throwIfAborted()
    const { looked, last, ended } = await context.transaction(async ({ db }) => {
      const past = await pastReturns(db, company_id, since, before)
      return { looked: await lookAt(db, company_id, compiled, past.rows), last: past.rows.at(-1)?.id ?? 0, ended: past.ended }
    })
    for (const { sample, rules: met, not_compared } of looked) {
      found.checked++
      if (not_compared) found.not_compared++
      if (met.length === 0) continue
      found.met++
      if (sample.refused) found.refused++
      if (sample.review) found.review++
      for (const id of met) {
        const rule = byRule.get(id)
        if (!rule) continue
        rule.met++
        if (rule.sample.length < mostSamples) rule.sample.push(sample)
      }
    }
    await progress(found.checked)
    if (ended || last === 0) break
    before = last
  }
  const changed_mind = await tryChangedMind(context, compiled, since, orders => progress(found.checked + orders))
  return { ...found, rules: [...byRule.values()], changed_mind }
}

/** The same for the orders that were delivered since then and may never have come back. */
async function tryChangedMind(
  context: Pick<ExternalContext, 'transaction' | 'now' | 'signal' | 'scope'>,
  rules: readonly PolicyRule[],
  since: Date,
  progress: (done: number) => Promise<void>,
): Promise<ChangedMind> {
  const { company_id } = context.scope
  const found: ChangedMind = { orders: 0, differ: 0, refused: 0, taken: 0, review: 0, amounts: [], sample: [] }
  const amounts = new Map<string, ChangedMind['amounts'][number]>()
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    context.signal.throwIfAborted()
    const { looked, last, ended } = await context.transaction(async ({ db }) => {
      const past = await deliveredOrders(db, company_id, since, before)
      return { ...past, looked: await lookAtDelivered(db, company_id, rules, past.rows, context.now()) }
    })
    for (const { difference, differs, back_before, back } of looked) {
      const { currency, fee_before, fee, refused, taken, review } = difference
      const sums = amounts.get(currency) ?? { currency, fee_before: 0, fee: 0, back_before: 0, back: 0 }
      amounts.set(currency, {
        currency,
        fee_before: sums.fee_before + fee_before,
        fee: sums.fee + fee,
        back_before: sums.back_before + back_before,
        back: sums.back + back,
      })
      found.orders++
      if (!differs) continue
      found.differ++
      if (refused) found.refused++
      if (taken) found.taken++
      if (review) found.review++
      if (found.sample.length < mostSamples) found.sample.push(difference)
    }
    await progress(found.orders)
    if (ended) break
    before = last
  }
  return { ...found, amounts: [...amounts.values()].toSorted((one, other) => (one.currency < other.currency ? -1 : 1)) }
}
