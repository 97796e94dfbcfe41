/** Schemas of the calls in self-tests.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { Station } from '#contract/fields.schemas.ts'
import { selfTestStates } from './self-tests.codes.ts'

const id = z.number().int()

const Schedule = z.strictObject({
  /** On the company's clock. */
  at: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'A time looks like 06:05'),
  /** 1 is Monday. */
  days: z.array(z.number().int().min(1).max(7)).min(1, 'Choose at least one day').max(7),
  /** The station asks for the page before its first order. */
  asks: z.boolean().default(false),
})

const SelfTest = z.object({
  id,
  station_id: id,
  state: z.enum(selfTestStates),
  /** What stands on the page. */
  code: z.string(),
  printer: z.string(),
  print_job_id: id,
  asked_at: z.string(),
  proved_at: z.string().nullable(),
  proved_by_name: z.string().nullable(),
  skipped_by_name: z.string().nullable(),
})
export type SelfTest = z.infer<typeof SelfTest>

export const StationSelfTest = z.object({
  station_id: id,
  station: z.string(),
  /** The printer that prints the page; null where the station has no label printer of its own. */
  printer: z.string().nullable(),
  schedule: Schedule.nullable(),
  last: SelfTest.nullable(),
})
export type StationSelfTest = z.infer<typeof StationSelfTest>

export const selfTestsSchemas = {
  components: { StationSelfTest, SelfTest },
  calls: {
    list: { reply: z.array(StationSelfTest), summary: 'Each station: when its label printer tests itself, and how its last test went.' },
    state: {
      query: z.object({ station: Station }),
      reply: z.object({
        /** The last page of today. */
        today: SelfTest.nullable(),
        /** The station waits for it before its first order. */
        asks: z.boolean(),
      }),
      summary: 'Whether the label printer of a station has proved today that it prints.',
    },
    set: {
      body: Schedule,
      reply: StationSelfTest,
      example: { id: 1, body: { at: '06:05', days: [1, 2, 3, 4, 5], asks: true } },
      summary: 'Sets when the label printer of a station prints its test page.',
    },
    remove: { summary: 'Ends the self-tests of a station.' },
    print: { reply: SelfTest, summary: 'Prints the test page of a station now.' },
    skip: { reply: SelfTest, summary: 'Goes on without the test page; who did so is recorded.' },
  },
} satisfies ContractSchemas
