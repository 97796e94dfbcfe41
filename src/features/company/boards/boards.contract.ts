/** Boards that are shown without a sign-in: a revocable token of the link is exchanged for a cookie at each load. */
import { call, contract } from '#contract/endpoint.ts'
import type { boardsSchemas } from './boards.schemas.ts'

export const boards = contract<typeof boardsSchemas>({ name: 'boards', area: 'company', access: 'anyone', internal: true }).calls({
  open: call('POST board/open', { rateLimit: { max: 30, seconds: 60 } }),
})
