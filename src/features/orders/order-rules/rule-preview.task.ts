/** The preview of a rule over any number of orders, as a job with progress and cancel. */
import { compileRule } from '#domain/rules/rule-evaluation.ts'
import { readRule } from '#domain/rules/rule-refusals.ts'
import { doJob } from '#features/company/jobs/jobs.queries.ts'
import type { Tasks } from '#platform/jobs/job-queue.ts'
import { previewedCompanies, previewRule } from './rule-preview.server.ts'

/** Its result is the preview. Nothing is written, so that it may run twice. */
export const previewRuleTask: Tasks['rules.preview'] = async ({ job_id, kind, rule, days, company_ids }, context) =>
  doJob(context, job_id, progress =>
    previewRule(context, compileRule(readRule(rule, kind, 'rule')), days, {
      companies: previewedCompanies(kind, context.scope, company_ids),
      progress,
    }),
  )
