/** Schemas of the calls in lead-questions.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { approvalStates, approvedActs } from '#features/packing/approval/approval.codes.ts'

export const leadQuestionsSchemas = {
  components: {},
  calls: {
    leads: {
      query: z.object({ rule_id: z.coerce.number<unknown>().int().optional(), act: z.enum(approvedActs).optional() }),
      reply: z.object({ at_screen: z.boolean() }),
      summary:
        'Whether someone who may approve this act, or what this rule asks for, has a screen open now. Asking stays possible without.',
    },
    ask: {
      body: z.strictObject({ act: z.enum(approvedActs) }),
      reply: z.object({ request_id: z.number().int(), left_ms: z.number().int() }),
      summary: 'Asks leads elsewhere to approve one act on one order within 60 seconds.',
    },
    answer: {
      reply: z.object({ state: z.enum(approvalStates), by: z.string().nullable(), left_ms: z.number().int().nullable() }),
      summary: 'What a lead elsewhere has answered to this packer.',
    },
  },
} satisfies ContractSchemas
