/** Tries the draft of a company's return rules on past returns: a job with progress and cancel. */
import { doJob } from '#features/company/jobs/jobs.queries.ts'
import { compiledRules } from '#features/returns/returns/return-policy.rules.ts'
import type { ReturnRule } from '#features/returns/returns/return-policy.schemas.ts'
import type { ExternalContext } from '#platform/http/feature-module.ts'
import type { Tasks } from '#platform/jobs/job-queue.ts'
import { dryRunDays, mostSamples } from './return-rules.codes.ts'
import { keepDryRun } from './return-rules.commands.ts'
import { lookAt, pastReturns, rulesOfCompany } from './return-rules.queries.ts'
import type { DryRun } from './return-rules.schemas.ts'

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
  const found: DryRun = { days: dryRunDays, checked: 0, met: 0, refused: 0, review: 0, not_compared: 0, rules: [] }
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
  return { ...found, rules: [...byRule.values()] }
}
