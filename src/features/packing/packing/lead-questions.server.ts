/** Questions of packers to leads elsewhere. */
import { implement } from '#platform/http/feature-module.ts'
import { askLead, leadAnswer, leadsNow } from './approval.server.ts'
import { leadQuestions } from './lead-questions.contract.ts'
import { leadQuestionsSchemas } from './lead-questions.schemas.ts'

export const leadQuestionsServer = implement(leadQuestions, leadQuestionsSchemas, { leads: leadsNow, ask: askLead, answer: leadAnswer })
